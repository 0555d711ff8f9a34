import Foundation
import Synchronization
import TestSupport

/// Follows the next links of a list from end to end, again and again, through the balancer.
final class Walker: Sendable {
    private let socket: String
    private let start: String
    private let people: Int
    private let tally: Tally
    private let state = Mutex((walks: 0, isStopped: false))

    /// - Parameter people: The number of people who were there at the start.
    init(_ start: String, socket: String, people: Int, tally: Tally) {
        (self.start, self.socket, self.people, self.tally) = (start, socket, people, tally)
        Thread.detachNewThread { self.run() }
    }

    /// The number of finished walks.
    var walks: Int { state.withLock { $0.walks } }

    func stop() { state.withLock { $0.isStopped = true } }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    private func run() {
        while !isStopped {
            guard let met = walk() else { continue }
            let lost = (0..<people).count { met[People.startID($0)] == nil }
            tally.count {
                $0.walks += 1
                $0.lost += lost
                $0.repeated += met.values.count { $0 > 1 }
            }
            state.withLock { $0.walks += 1 }
        }
    }

    /// Returns how often each id was met, or `nil` if the walk was stopped.
    private func walk() -> [Int64: Int]? {
        var met: [Int64: Int] = [:]
        var next: String? = start
        while let target = next {
            guard let page = page(target) else { return nil }
            for id in page.ids { met[id, default: 0] += 1 }
            next = page.next
        }
        return met
    }

    /// Asks for a page until it comes: a reader would do the same. Returns `nil` once stopped.
    private func page(_ target: String) -> (ids: [Int64], next: String?)? {
        while !isStopped {
            let start = ContinuousClock.now
            let page = Result { try request(target) }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            tally.count {
                $0.requests += 1
                $0.slowest = max($0.slowest, seconds)
                if case .failure(let error) = page { $0.failures["\(error)", default: 0] += 1 }
            }
            if let page = try? page.get() { return page }
            Thread.sleep(forTimeInterval: 0.1)
        }
        return nil
    }

    private func request(_ target: String) throws -> (ids: [Int64], next: String?) {
        let connection = try Connection(path: socket)
        defer { connection.close() }
        let answer = try Exchange(on: connection, target: target)
        guard answer.status == 200, answer.body.count == answer.length else {
            throw Failure("status \(answer.status)")
        }
        let users = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: Any]] ?? []
        return (users.compactMap { ($0["id"] as? NSNumber)?.int64Value }, answer.link("next"))
    }
}
