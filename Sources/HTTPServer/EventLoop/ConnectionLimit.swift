/// How many connections are admitted at a time, and how many more are answered with 503.
struct ConnectionLimit: Equatable, Sendable {
    /// Past these, an idle connection is closed for a new one. If no connection is idle, the new one gets 503 and is
    /// closed.
    let maxConnections: Int
    /// Past so many refused connections at a time, another one is closed without an answer.
    let maxTurnedAway: Int
    /// How many of other connections may have a body that stays open.
    let maxLive: Int
    /// Notes for the operator.
    let warning: String?

    /// Descriptors that are not for connections, such as those of the database, which has one reader per worker.
    private static let reserve = 128
    private static let maxTold = 1024

    /// Derives the limits.
    ///
    /// - Parameter maxDescriptors: The number of descriptors that the process may have open. Some are reserved: without
    ///   any left, new connections would wait without a response.
    init(maxConnections wanted: Int, maxLive wantedLive: Int = 0, maxDescriptors: Int) {
        let room = max(maxDescriptors - min(Self.reserve, maxDescriptors / 2), 1)
        let places = max(room - min(Self.maxTold, room / 8), 1)
        // Where there are too few for both, connections go first, but for a quarter.
        maxLive = min(wantedLive, max(places - wanted, places / 4))
        maxConnections = min(wanted, max(places - maxLive, 1))
        maxTurnedAway = max(min(Self.maxTold, room - maxConnections - maxLive), 0)
        // Nobody needs a warning about event streams that nearly all fit.
        let isEnough = maxConnections == wanted && maxLive >= wantedLive / 2
        let wish = wantedLive == 0 ? "\(wanted)" : "\(wanted) and \(wantedLive)"
        let given =
            wantedLive == 0
            ? "\(maxConnections) connections" : "\(maxConnections) connections and \(maxLive) event streams"
        warning =
            isEnough
            ? nil
            : "at most \(given) at a time, not \(wish): the system allows this process only "
                + "\(maxDescriptors) open files (ulimit -n, or LimitNOFILE= of systemd)"
    }
}
