/// What a connection waits for.
enum Interest: Sendable {
    case nothing, reading, writing
}

/// What a poller found out about a descriptor.
struct Readiness: OptionSet, Sendable {
    let rawValue: UInt8

    static let readable = Readiness(rawValue: 1)
    static let writable = Readiness(rawValue: 2)
    /// Both directions are over: reset by the peer, or closed on both sides.
    static let gone = Readiness(rawValue: 4)
}

/// Tells an event loop which of its connections are ready: the transport. All of it but `perform` happens on the loop's queue.
protocol Poller: AnyObject {
    /// Starts to wait for bytes from `connection`; answers `false` if the system has no means left for that.
    func add(_ connection: Connection) -> Bool
    func watch(_ connection: Connection, for interest: Interest)
    /// Stops watching, and closes the descriptor as soon as that is safe.
    func close(_ connection: Connection)
    /// Runs `work` on the loop's queue soon, even while the loop is lingering for events; in the order of the calls, from any thread.
    func perform(_ work: @escaping @Sendable () -> Void)
    /// Lets go of everything. The loop has no connections by then.
    func stop()
}

/// What a poller reports to.
protocol PollerTarget: AnyObject {
    /// Something is ready: the time to look at the clock.
    func beginBatch()
    func ready(_ token: Token, _ readiness: Readiness)
    /// All that was ready has been served; there may be more.
    func endRound()
    /// The loop has dealt with all that was ready.
    func endBatch()
}
