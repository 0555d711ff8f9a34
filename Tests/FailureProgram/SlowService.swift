import Foundation
import Server
import StandIn
import Synchronization

/// GitHub's list of accounts, slow and without an end until the test asks for one, so that an import lasts as long as
/// the faults do. Ids leave room for the people who were there at the start: see ``People``.
final class SlowService: World {
    private struct State {
        var served = 0
        var hasEnded = false
    }

    private static let pageSize = 100
    private let pause: TimeInterval
    private let state = Mutex(State())

    /// - Parameter pause: The seconds that a page of 100 accounts takes.
    init(pause: TimeInterval) { self.pause = pause }

    /// The number of accounts that there are, once the list has ended.
    var count: Int { state.withLock { $0.served } }

    /// Adds no more accounts.
    func end() { state.withLock { $0.hasEnded = true } }

    func answer(_ asked: StandIn.Asked) -> Canned {
        Thread.sleep(forTimeInterval: pause)
        let start = People.number(after: Int64(asked["since"] ?? "") ?? 0)
        let (end, isLast) = state.withLock { state in
            if !state.hasEnded { state.served = max(state.served, start + Self.pageSize) }
            let end = min(start + Self.pageSize, state.served)
            return (end, state.hasEnded && end == state.served)
        }
        let accounts = (start..<max(start, end)).map { GitHubWorld.account(People.importedID($0)) }
        let page = Canned(200, "[" + accounts.joined(separator: ",") + "]")
        if isLast { return page }
        let next = "http://\(asked.authority)/users?since=\(People.importedID(end - 1))&per_page=\(Self.pageSize)"
        return page.with("Link", "<\(next)>; rel=\"next\"")
    }
}

/// The ids of people: every third is somebody who was there at the start; those between are imported later.
enum People {
    static func startID(_ number: Int) -> Int64 { Int64(3 * number + 3) }

    static func importedID(_ number: Int) -> Int64 { Int64(3 * number + 1) }

    /// Returns the number of the first imported person with a greater id.
    static func number(after id: Int64) -> Int { Int((id + 2) / 3) }

    /// Returns the people of the start as NDJSON. Orders by name and reputation differ from that by id.
    static func file(count: Int) -> Data {
        let lines = (0..<count).map { number in
            let id = startID(number)
            return
                #"{"id":\#(id),"login":"start-\#(id)","name":"\#(mixed(id)) Start","reputation":\#(mixed(id) % 997)}"#
        }
        return Data((lines.joined(separator: "\n") + "\n").utf8)
    }

    private static func mixed(_ id: Int64) -> UInt64 { UInt64(id) &* 0x9E37_79B9_7F4A_7C15 >> 24 }
}
