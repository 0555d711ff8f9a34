import Dispatch
import Foundation
import Importers
import People
import Publishing
import StoreEngine

/// Waits while the database is away, such as during a failover.
final class Interruption {
    private let cancellation: ImportCancellation
    /// Whether this process has opened the database.
    private var hasOpened = false

    /// In seconds.
    private static let firstPause = 0.2
    private static let longestPause = 5.0

    init(_ cancellation: ImportCancellation) { self.cancellation = cancellation }

    func noteOpened() { hasOpened = true }

    /// Calls `attempt` again while it fails because the database is away. Throws that failure if this process has never
    /// opened the database.
    ///
    /// Pauses between attempts, for longer each time, and reports each new reason with `note`. Throws
    /// `CancellationError` after a signal.
    func retrying<Result>(note: (String) -> Void, _ attempt: () throws -> Result) throws -> Result {
        var (pause, lastReason) = (Self.firstPause, "")
        while true {
            do {
                return try attempt()
            } catch let failure as any StoreFailure where failure.isInterruption && hasOpened {
                let reason = "\(failure)"
                if reason != lastReason {
                    note("\(reason); waiting for the database, and then going on from what is saved")
                }
                lastReason = reason
                try wait(pause)
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }

    private func wait(_ seconds: Double) throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            if cancellation.isCancelled { throw CancellationError() }
            Thread.sleep(forTimeInterval: 0.1)
        }
    }
}

/// Waits until no other process holds a lock.
struct LockWaiting {
    let seconds: Int
    let cancellation: ImportCancellation

    /// Returns the lock, which this process holds until it releases the value. Throws the error that `busy` returns
    /// after the time limit, and `CancellationError` after a signal.
    ///
    /// - Parameters:
    ///   - isWaiting: Called once with the holder's name, if there is one.
    ///   - busy: Gets the holder's name.
    func take(
        attempt: () throws -> LockAttempt, isWaiting: (String) -> Void, busy: (String) -> any Error
    ) throws -> any StoreLock {
        let end = ContinuousClock.now + .seconds(seconds)
        var isTold = false
        while true {
            if cancellation.isCancelled { throw CancellationError() }
            switch try attempt() {
            case .taken(let lock): return lock
            case .held(let holder):
                if ContinuousClock.now >= end { throw busy(holder) }
                if !isTold { isWaiting(holder) }
                isTold = true
            }
            Thread.sleep(forTimeInterval: 0.1)
        }
    }
}

/// Waits until no other process imports into a directory.
struct ImportLock {
    var directory: Slug
    let kind: String
    /// In seconds.
    let lockTimeout: Int
    let cancellation: ImportCancellation
    let note: (String) -> Void

    /// Returns the lock, which this process holds until it releases the value. Throws a ``StoreError`` after
    /// `lockTimeout`, and `CancellationError` if the import is cancelled.
    func take(in store: any StoreLocking) throws -> any StoreLock {
        let name = "process \(getpid()), import \(kind), since \(Date().ISO8601Format())"
        return try LockWaiting(seconds: lockTimeout, cancellation: cancellation).take(
            attempt: { try store.attemptImportLock(of: directory, name: name) },
            isWaiting: {
                note("waiting for another import into \(directory), for up to \(lockTimeout) s: \($0)")
            },
            busy: {
                StoreError(.held, "another import is filling \(directory) (\($0)); try again when it has finished")
            })
    }
}

/// Runs a command once, or repeatedly until a signal ends it.
struct Repetition {
    /// The time from one start to the next; `nil` to run once.
    let interval: Interval?
    /// The name of a run, for messages.
    let noun: String
    let format: ProgressFormat?
    let cancellation: ImportCancellation
    private let wake = DispatchSemaphore(value: 0)

    init(interval: Interval?, noun: String, format: ProgressFormat?, cancellation: ImportCancellation) {
        (self.interval, self.noun, self.format, self.cancellation) = (interval, noun, format, cancellation)
    }

    /// Returns the exit status.
    func run(_ once: () throws -> RunOutcome) throws -> Int32 {
        // The first Ctrl-C ends the run after what is under way. A second one ends it at once and loses that.
        let signals = onTermination { [cancellation, wake] number in
            if cancellation.isCancelled { _exit(128 + number) }
            cancellation.cancel()
            wake.signal()
        }
        defer { for signal in signals { signal.cancel() } }
        guard let interval = interval?.duration else { return try once().status }
        while true {
            let start = ContinuousClock.now
            let outcome = try once()
            if cancellation.isCancelled { return 0 }
            if case .failed(isLasting: true) = outcome { return outcome.status }
            wait(outcome.pause(sinceStart: ContinuousClock.now - start, interval))
            if cancellation.isCancelled { return 0 }
        }
    }

    /// Waits on a clock that nobody sets, and that runs while the machine sleeps: a day by which the time of day is
    /// corrected must not delay the next run by a day.
    private func wait(_ pause: Duration) {
        let end = ContinuousClock.now + pause
        let line = "next \(noun) at \((Date() + pause.seconds).ISO8601Format())"
        StandardStreams.note(format == .json ? JSONLine.text(["note": line]) : line + "\n")
        while !cancellation.isCancelled, case let left = end - ContinuousClock.now, left > .zero {
            // The semaphore's clock stands still while the machine sleeps: an hour at most is missed that way.
            _ = wake.wait(timeout: .now() + min(left.seconds, 3600))
        }
    }
}

/// The way a run ended.
enum RunOutcome: Equatable {
    case complete, interrupted
    /// Some records or pictures could not be saved.
    case rejections
    /// Another process is doing the same.
    case busy
    case comeBack(Date)
    /// A lasting failure occurs again at the next attempt, until the user changes something.
    case failed(isLasting: Bool)

    var status: Int32 {
        switch self {
        case .complete: 0
        case .failed: 1
        case .rejections: 2
        // EX_TEMPFAIL of sysexits(3).
        case .comeBack, .busy: 75
        case .interrupted: 130
        }
    }

    /// Returns how long a repeated run, which took `elapsed`, waits before it begins again: for the interval from its
    /// start on and up to a tenth more, at random, so that many do not begin at once; or until a service wants to be
    /// asked.
    func pause(sinceStart elapsed: Duration, _ interval: Duration) -> Duration {
        if case .comeBack(let date) = self {
            return .seconds(max(0, date.timeIntervalSinceNow) + Double.random(in: 0...2))
        }
        return max(.zero, interval * Double.random(in: 1...1.1) - elapsed)
    }
}
