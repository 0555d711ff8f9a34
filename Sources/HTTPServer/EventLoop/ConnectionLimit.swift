/// How many connections are admitted at a time, and how many more are answered with 503.
struct ConnectionLimit: Equatable, Sendable {
    /// Past these, an idle connection is closed for a new one. If there is none, the new one gets 503 and is closed.
    let maxConnections: Int
    /// Past so many refused connections at a time, another one is closed without an answer.
    let maxTurnedAway: Int
    /// What the operator should know.
    let warning: String?

    /// Descriptors that are not connections: the database's, for instance, with one reader a worker.
    private static let reserve = 128
    private static let maxTold = 1024

    /// - Parameter maxDescriptors: how many the process may have open. Running out of them would make new connections wait without
    ///   an answer, so that less than all are given to connections.
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
