import Directories
import HTTP

extension Site {
    /// On the spot, not behind searches: whoever asks must not take a busy server for a broken one.
    func readiness() -> Response {
        checkShownDirectory()
        if willStop {
            return Response(.serviceUnavailable, text: "not ready: the server is stopping\n", retryAfter: 1)
        }
        do {
            try store.checkHealth()
        } catch {
            logger.error("not ready: \(error)")
            return Response(.serviceUnavailable, text: "not ready: the database cannot be read\n", retryAfter: 5)
        }
        if let slug = configuration.missingDirectory(among: store.directories) {
            return Response(.serviceUnavailable, text: "not ready: there is no directory \(slug)\n", retryAfter: 5)
        }
        return Response(text: "ready\n")
    }

    /// Says in the log, once, when the directory shown by default is gone, and when it is there again. What the log says
    /// of one that is missing from the start, it has said then.
    func checkShownDirectory() {
        let directories = store.directories
        let missing = configuration.missingDirectory(among: directories)
        guard lacksDirectory.exchange(missing != nil, ordering: .relaxed) != (missing != nil) else { return }
        if let missing {
            logger.warning(
                "there is no directory \(missing) any more, which is to be shown where a URL names none; there is: \(directories.map(\.slug.text).joined(separator: ", "))"
            )
        } else {
            logger.info("there is a directory \(configuration.defaultDirectory?.text ?? "to show") again")
        }
    }
}

extension Site.Configuration {
    /// The directory to show by default, if there are others and not that one: it was renamed or removed, or is misspelled.
    /// A database without any only waits for its first import.
    func missingDirectory(among directories: [Directory]) -> Slug? {
        guard let slug = defaultDirectory, !directories.isEmpty else { return nil }
        return directories.contains { $0.slug == slug } ? nil : slug
    }
}
