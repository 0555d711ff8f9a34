import Metrics
import People
import Server

extension Site {
    /// The response of `/readyz`. A client that may read metrics gets the state of a database on a server, too. Made on
    /// the event loop and not behind searches, so that a busy server does not look broken.
    func readiness(withDatabase: Bool) -> Response {
        let database = withDatabase ? store.status.lines : ""
        checkShownDirectory()
        if willStop {
            return Response(.serviceUnavailable, text: "not ready: the server is stopping\n", retryAfter: 1)
        }
        do {
            try checkReadable()
            errors.note(trouble: nil)
        } catch {
            errors.note(trouble: error)
            return Response(
                .serviceUnavailable, text: "not ready: the database cannot be read\n" + database, retryAfter: 5)
        }
        if let slug = configuration.missingDirectory(among: store.directories) {
            return Response(.serviceUnavailable, text: "not ready: there is no directory \(slug)\n", retryAfter: 5)
        }
        return Response(text: "ready\n" + database)
    }

    /// Throws if the store knows that it cannot be read, or cannot read the first page of the default directory: the
    /// pages of a damaged file are found by reading them. A database on a server would keep the event loop waiting.
    func checkReadable() throws {
        try store.checkHealth()
        if store.isRemote { return }
        let directory = DirectoryList(store.directories, configuration).shown
        let query = UserQuery(directory: directory.id, sort: directory.defaultSort, limit: 30)
        do {
            // Not among the times of readers' pages.
            _ = try withRenderer { try $0.reader.reading(Histogram()) { try $0.page(query) } }
        } catch is OutdatedDirectory {}
    }

    /// Logs once when the default directory has disappeared, and once when it is back. If it is missing from the start,
    /// the program has logged that.
    func checkShownDirectory() {
        guard let slug = configuration.preferredDirectory else { return }
        let directories = store.directories
        let isMissing = configuration.missingDirectory(among: directories) != nil
        guard lacksDirectory.exchange(isMissing, ordering: .relaxed) != isMissing else { return }
        if isMissing {
            logger.warning(
                """
                there is no directory \(slug) any more, which URLs without a directory show; there is: \
                \(directories.map(\.slug.text).joined(separator: ", "))
                """
            )
        } else {
            logger.info("the directory \(slug) exists again")
        }
    }
}

extension StoreStatus {
    /// The values of a database on a server, a line each. A file has none that readiness depends on.
    fileprivate var lines: String {
        guard let host else { return "" }
        let role = isStandby.map { $0 ? " (standby)" : " (primary)" } ?? ""
        var lines = ["database host: \(host)\(role)"]
        if let openConnections {
            lines.append("database connections: \(openConnections) open, \(busyConnections ?? 0) in use")
        }
        if let reconnects { lines.append("database reconnects: \(reconnects)") }
        if let generationsBehind { lines.append("database lag: \(generationsBehind) generations") }
        if let secondsSincePoll {
            let tenths = Int(secondsSincePoll * 10)
            lines.append("database read: \(tenths / 10).\(tenths % 10) s ago")
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension Site.Configuration {
    /// The slug of the default directory, if the database has directories but not that one: it was renamed, removed or
    /// misspelled. A database without directories waits for its first import.
    func missingDirectory(among directories: [Directory]) -> Slug? {
        guard let slug = preferredDirectory, !directories.isEmpty else { return nil }
        return directories.contains { $0.slug == slug } ? nil : slug
    }
}
