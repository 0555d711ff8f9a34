/// How many connections are admitted at a time, and how many more are answered with 503.
struct ConnectionLimit: Equatable, Sendable {
    /// Past these, an idle connection is closed for a new one. If no connection is idle, the new one gets 503 and is
    /// closed.
    let maxConnections: Int
    /// Past so many refused connections at a time, another one is closed without an answer.
    let maxTurnedAway: Int
    /// Notes for the operator.
    let warning: String?

    /// Descriptors that are not for connections, such as those of the database, which has one reader per worker.
    private static let reserve = 128
    private static let maxTold = 1024

    /// Derives the limits.
    ///
    /// - Parameter maxDescriptors: The number of descriptors that the process may have open. Some are reserved: without
    ///   any left, new connections would wait without a response.
    init(maxConnections wanted: Int, maxDescriptors: Int) {
        let room = max(maxDescriptors - min(Self.reserve, maxDescriptors / 2), 1)
        maxConnections = min(wanted, max(room - min(Self.maxTold, room / 8), 1))
        maxTurnedAway = min(Self.maxTold, room - maxConnections)
        warning =
            maxConnections == wanted
            ? nil
            : "at most \(maxConnections) connections at a time, not \(wanted): the system allows this process only "
                + "\(maxDescriptors) open files (ulimit -n, or LimitNOFILE= of systemd)"
    }
}
