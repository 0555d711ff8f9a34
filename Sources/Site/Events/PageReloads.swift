import People
import Server
import Synchronization

/// The open pages that load again when their directory changes, while `rollcall FILE` shows a file.
final class PageReloads: Sendable {
    private let state = Mutex<(writers: [Int: any LiveWriter], next: Int)>(([:], 0))

    private static let event = Array("event: reload\ndata: 1\n\n".utf8)

    /// Returns the body of a stream. A page that `isOutdated` already hears of that at once.
    func stream(isOutdated: Bool) -> LiveBody {
        let number = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        return LiveBody(
            opening: Array("retry: 1000\n\n".utf8), heartbeat: Array(":\n\n".utf8),
            opened: { [self] writer in
                state.withLock { $0.writers[number] = writer }
                if isOutdated { writer.write(Self.event) }
            },
            closed: { [self] in state.withLock { $0.writers[number] = nil } })
    }

    func announce() {
        let writers = state.withLock { Array($0.writers.values) }
        for writer in writers { writer.write(Self.event) }
    }
}

extension Site {
    /// Makes open pages load again: what they show has changed.
    public func reloadPages() { reloads.announce() }
}
