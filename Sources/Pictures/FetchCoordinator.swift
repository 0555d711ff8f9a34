import Base
import Foundation
import HTTPClient
import People

/// Returns the picture that a file becomes, or why it becomes none. Throws if no file can become one.
public typealias MakePicture = (_ file: [UInt8]) throws -> Result<MadePicture, RollcallError>

/// The state that the threads of a run share: the jobs, the connections, the makers of pictures and the results.
///
/// Connections belong to hosts instead of threads, so that a host never sees more of them than requests at a time.
///
/// Unchecked: all state that changes is used under the lock of `condition` only. A connection or a maker that a thread
/// took out is that thread's until it gives it back.
final class FetchCoordinator: @unchecked Sendable {
    /// A result, and the kind of failure that it is counted as.
    typealias Finished = (result: PictureResult, kind: String?)

    private let condition = NSCondition()
    private let start = ContinuousClock.now
    private var queue: FetchQueue
    private var clients: [String: [Fetch]] = [:]
    private var makers: [MakePicture]
    private var finished: [Finished] = []
    private var requests = 0
    private var bytes: Int64 = 0
    private var threads = 0
    /// The number of jobs whose requests have ended and whose results are still to come.
    private var making = 0
    private var isClosed = false
    private var failure: (any Error)?

    init(limits: FetchQueue.Limits, makers: [MakePicture]) {
        (queue, self.makers) = (FetchQueue(limits: limits), makers)
    }

    private var now: Duration { ContinuousClock.now - start }

    private func locked<Value>(_ body: () throws -> Value) rethrows -> Value {
        condition.lock()
        defer { condition.unlock() }
        return try body()
    }

    // MARK: The thread that saves

    func add(_ jobs: [FetchJob]) {
        locked {
            for job in jobs { queue.add(job, at: now) }
            condition.broadcast()
        }
    }

    /// Adds results that took no request.
    func add(_ results: [Finished]) { locked { finished += results } }

    /// The number of jobs that wait.
    var waiting: Int { locked { queue.waiting } }

    struct Batch {
        var finished: [Finished]
        var requests: Int
        var bytes: Int64
        var postponed: Int
        /// From now on.
        var comeBack: Duration?
        /// Whether all jobs that were added have ended.
        var isIdle: Bool
    }

    /// Returns the results since the last call, after at most `time`, or earlier if all jobs have ended. Rethrows
    /// the error that stops the run.
    func results(waitingUpTo time: TimeInterval) throws -> Batch {
        try locked {
            let deadline = Date(timeIntervalSinceNow: time)
            while failure == nil, !isIdle, condition.wait(until: deadline) {}
            if let failure { throw failure }
            return takeResults()
        }
    }

    /// Stops the threads, waits for their end, and returns the last results.
    func close() -> Batch {
        locked {
            isClosed = true
            condition.broadcast()
            while threads > 0 { condition.wait() }
            clients = [:]
            return takeResults()
        }
    }

    private var isIdle: Bool { queue.isEmpty && making == 0 }

    private func takeResults() -> Batch {
        defer { finished = [] }
        return Batch(
            finished: finished, requests: requests, bytes: bytes, postponed: queue.postponed,
            comeBack: queue.comeBack.map { $0 - now }, isIdle: isIdle)
    }

    // MARK: The threads that fetch

    func threadBegins() { locked { threads += 1 } }

    func threadEnds() {
        locked {
            threads -= 1
            condition.broadcast()
        }
    }

    /// Whether requests that are under way are to be given up.
    var isEnding: Bool { locked { isClosed } }

    /// Waits for a job that may start. Returns `nil` at the end of the run.
    func take() -> FetchJob? {
        locked {
            while !isClosed {
                switch queue.next(at: now) {
                case .start(let job):
                    requests += 1
                    return job
                case .wait(let time): _ = condition.wait(until: Date(timeIntervalSinceNow: (time - now) / .seconds(1)))
                case .waitForChange: condition.wait()
                }
            }
            return nil
        }
    }

    /// Returns a connection to `host` that is not in use, if there is one.
    func connection(to host: String) -> Fetch? { locked { clients[host]?.popLast() } }

    /// Keeps a connection for the next request to `host`.
    func keep(_ fetch: @escaping Fetch, for host: String) { locked { clients[host, default: []].append(fetch) } }

    /// Waits for an idle maker, and makes a picture with it.
    func make(_ file: [UInt8]) throws -> Result<MadePicture, RollcallError> {
        let maker = locked {
            while makers.isEmpty { condition.wait() }
            return makers.removeLast()
        }
        defer {
            locked {
                makers.append(maker)
                condition.broadcast()
            }
        }
        return try maker(file)
    }

    /// Records the end of a request whose file is now made into a picture. ``finish(_:)`` follows.
    func received(_ job: FetchJob, bytes count: Int) {
        locked {
            making += 1
            end(job, .answered, bytes: count)
        }
    }

    func finish(_ result: Finished) {
        locked {
            making -= 1
            finished.append(result)
            condition.broadcast()
        }
    }

    /// Records the end of a request, and its result if there is one.
    func finish(_ job: FetchJob, _ end: HostSchedule.End, bytes: Int, _ result: Finished? = nil) {
        locked {
            if let result { finished.append(result) }
            self.end(job, end, bytes: bytes)
        }
    }

    /// Follows a redirect. Returns `false` if there were too many.
    func follow(_ job: FetchJob, to address: WebAddress, bytes: Int) -> Bool {
        locked {
            let isFollowed = queue.follow(job, to: address, at: now)
            if isFollowed { end(job, .answered, bytes: bytes) }
            return isFollowed
        }
    }

    /// Records that the host asked for a pause, until the time after `pause` if it gave one.
    func pause(_ job: FetchJob, for pause: Duration?, bytes: Int) {
        locked {
            end(job, .limited(until: pause.map { now + $0 }), bytes: bytes)
            queue.retry(job, at: now)
        }
    }

    /// Ends the run with an error.
    func fail(_ error: any Error) {
        locked {
            failure = failure ?? error
            condition.broadcast()
        }
    }

    private func end(_ job: FetchJob, _ end: HostSchedule.End, bytes count: Int) {
        bytes += Int64(count)
        queue.finish(job, end, at: now)
        if queue.isIdle(job.address.host) { clients[job.address.host] = nil }
        condition.broadcast()
    }
}
