/// A body that is made while it is sent, piece after piece, as its reader takes them: it never stands in memory whole.
public final class BodyStream: Sendable, Equatable {
    public enum Piece: Sendable {
        /// At least one byte.
        case bytes([UInt8])
        case end
        /// The rest cannot be had: the connection breaks off, so that nobody takes what was sent for everything.
        case failure
    }

    /// Makes the next piece. Called on the server's pool, once at a time, and no more after the end or a failure.
    public let next: @Sendable () -> Piece

    public init(_ next: @escaping @Sendable () -> Piece) { self.next = next }

    /// A stream is the same as itself alone.
    public static func == (left: BodyStream, right: BodyStream) -> Bool { left === right }
}
