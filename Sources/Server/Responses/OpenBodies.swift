/// A body that is produced while it is sent, as fast as the client reads it. It is never in memory as a whole.
public final class BodyStream: Sendable, Equatable {
    public enum Piece: Sendable {
        /// At least one byte.
        case bytes([UInt8])
        /// Nothing yet. A body that takes long before its first byte returns this after each step, so that other work
        /// gets a turn, and the connection stays open.
        case later
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

/// A body that stays open: the application writes to it whenever it has something to say, for as long as the client
/// stays. The body ends when the application ends it, when the client goes, and at once when the server drains.
///
/// While nothing is written, the server keeps only the connection and this object: no thread, no timer, no buffer. The
/// number of such bodies has a limit of its own (`Server.Limits.maxLiveBodies`).
public final class LiveBody: Sendable, Equatable {
    /// The bytes that follow the head at once; may be empty.
    public let opening: [UInt8]
    /// The bytes that are sent when nothing else was for a while (`Server.Timeouts.heartbeat`), so that no proxy takes
    /// the connection for a dead one; empty for none. The client must ignore them.
    public let heartbeat: [UInt8]
    /// Called once, before anything is written, unless the server has too many such bodies. It runs on the event loop
    /// and must return at once.
    public let opened: @Sendable (any LiveWriter) -> Void
    /// Called once after `opened`, when the body has ended for whatever reason. It runs on the event loop and must
    /// return at once.
    public let closed: @Sendable () -> Void

    public init(
        opening: [UInt8] = [], heartbeat: [UInt8] = [], opened: @escaping @Sendable (any LiveWriter) -> Void,
        closed: @escaping @Sendable () -> Void
    ) {
        self.opening = opening
        self.heartbeat = heartbeat
        self.opened = opened
        self.closed = closed
    }

    /// Returns whether both are the same object.
    public static func == (left: LiveBody, right: LiveBody) -> Bool { left === right }
}

/// Writes to one ``LiveBody``. May be used from any thread; calls return at once.
public protocol LiveWriter: Sendable {
    /// Sends `bytes` after all that was written before. They are discarded if the body has ended. A client that takes
    /// too little of what is written is dropped. Writing the same array to many bodies copies no bytes.
    func write(_ bytes: [UInt8])

    /// Ends the body after all that was written before.
    func end()
}
