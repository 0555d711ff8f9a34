import Synchronization

/// The file of an import, with what was read of it, so that the next attempt reads it from its beginning.
///
/// Attempts follow each other: one reads it at a time.
public final class KeptInput: Sendable {
    private enum State: Sendable {
        case unopened
        /// The web server says that the file has not changed since the last import.
        case unchanged
        case open(InputFile)
    }

    private struct Input: Sendable {
        var state = State.unopened
        var keepsStreams: Bool
    }

    private let input: Mutex<Input>

    /// - Parameter keepsStreams: Whether streams, which can be read only once, are kept in a temporary file.
    public init(keepsStreams: Bool = false) { input = Mutex(Input(keepsStreams: keepsStreams)) }

    /// Keeps a stream from its first byte on. Called before it is read.
    public func keepStreams() { input.withLock { $0.keepsStreams = true } }

    /// Why the input can no longer be read from its beginning; `nil` if it can.
    public var lostBeginning: String? {
        guard case .open(let file) = input.withLock({ $0.state }) else { return nil }
        return file.lostBeginning.map { "\(file.name) cannot be read again, because \($0)" }
    }

    /// Returns a source of the whole input, which `open` opens the first time; `nil` if it has not changed.
    func source(_ open: (_ keepsStreams: Bool) throws -> InputFile?) throws -> ByteSource? {
        let known = input.withLock { $0 }
        var state = known.state
        if case .unopened = state {
            state = try open(known.keepsStreams).map { .open($0) } ?? .unchanged
            input.withLock { [state] in $0.state = state }
        }
        guard case .open(let file) = state else { return nil }
        return try file.open()
    }
}
