import Synchronization

/// The file of an import, with what was read of it, so that the next attempt reads it from its beginning.
///
/// Attempts follow each other: one reads it at a time.
public final class KeptInput: Sendable {
    /// The file is `nil` before it is opened, and if it has not changed since the last import.
    private let input: Mutex<(file: InputFile?, keepsStreams: Bool)>

    /// - Parameter keepsStreams: Whether streams, which can be read only once, are kept in a temporary file.
    public init(keepsStreams: Bool = false) { input = Mutex((nil, keepsStreams)) }

    /// Keeps a stream from its first byte on. Called before it is read.
    public func keepStreams() { input.withLock { $0.keepsStreams = true } }

    /// Why the input can no longer be read from its beginning; `nil` if it can.
    public var lostBeginning: String? {
        guard let file = input.withLock({ $0.file }), let reason = file.lostBeginning else { return nil }
        return "\(file.name) cannot be read again, because \(reason)"
    }

    /// Returns the file, which `open` opens the first time; `nil` if it has not changed.
    func file(_ open: (_ keepsStreams: Bool) throws -> InputFile?) throws -> InputFile? {
        let known = input.withLock { $0 }
        let file = try known.file ?? open(known.keepsStreams)
        input.withLock { $0.file = file }
        return file
    }
}
