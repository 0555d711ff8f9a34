/// A body that is produced while it is sent, as fast as the client reads it. It is never in memory as a whole.
public final class BodyStream: Sendable, Equatable {
    public enum Piece: Sendable {
        /// At least one byte.
        case bytes([UInt8])
        case end
        /// The rest cannot be produced. The server breaks the connection, so that no client takes the part it received
        /// for the whole.
        case failure
    }

    /// Makes the next piece. The server calls it on its pool, never concurrently, and not after `end` or `failure`.
    public let next: @Sendable () -> Piece

    public init(_ next: @escaping @Sendable () -> Piece) { self.next = next }

    /// Returns whether both are the same object.
    public static func == (left: BodyStream, right: BodyStream) -> Bool { left === right }
}
