/// The readiness that a connection waits for.
enum Interest: Sendable {
    case nothing, reading, writing
}

/// The readiness that a poller reports for a descriptor.
struct Readiness: OptionSet, Sendable {
    let rawValue: UInt8

    static let readable = Readiness(rawValue: 1)
    static let writable = Readiness(rawValue: 2)
    /// Both directions have ended: reset by the peer, or closed on both sides.
    static let gone = Readiness(rawValue: 4)
}

/// Reports to an event loop which of its connections are ready. Everything but `perform` happens on the loop's queue.
protocol Poller: AnyObject {
    /// Starts to wait for bytes from `connection`. Returns `false` if the system has no resources left for it.
    func add(_ connection: Connection) -> Bool
    func watch(_ connection: Connection, for interest: Interest)
    /// Stops watching, and closes the descriptor as soon as that is safe.
    func close(_ connection: Connection)
    /// Runs `work` on the loop's queue soon, even while the loop waits for more events. Calls run in order; may be
    /// called from any thread.
    func perform(_ work: @escaping @Sendable () -> Void)
    /// Releases everything. The loop must have no connections left.
    func stop()
}

/// The object that a poller reports to.
protocol PollerTarget: AnyObject {
    /// Something is ready; reads the clock.
    func beginBatch()
    func ready(_ token: Token, _ readiness: Readiness)
    /// Everything that was ready has been served; more may follow.
    func endRound()
    /// The loop has served everything that was ready.
    func endBatch()
}
