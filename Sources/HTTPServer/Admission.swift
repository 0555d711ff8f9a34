/// How many connections are let in, and how many more are told that there are too many.
struct Admission: Equatable, Sendable {
    /// Past these, a connection is told so and closed.
    let maxConnections: Int
    /// Past these, it is closed without a word.
    let maxOpen: Int
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
        maxOpen = maxConnections + min(Self.maxTold, room - maxConnections)
        warning =
            maxConnections == wanted
            ? nil
            : "at most \(maxConnections) connections at a time, not \(wanted): the system allows this process only "
                + "\(maxDescriptors) open files (ulimit -n, or LimitNOFILE= of systemd)"
    }
}
