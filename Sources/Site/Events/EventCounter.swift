import People

/// Counts new people for an ``EventHub``, on the hub's queue.
///
/// Unchecked: everything but `init` is used on that queue only. `init` ends before the hub, which has the queue,
/// begins.
final class EventCounter: @unchecked Sendable {
    private let store: any UserStore
    private let configuration: Site.Configuration
    private let errors: ErrorLog
    private var reader: (any UserReader)?
    private var latest: LatestDirectories

    init(_ store: any UserStore, _ configuration: Site.Configuration, _ errors: ErrorLog) {
        self.store = store
        self.configuration = configuration
        self.errors = errors
        latest = LatestDirectories(store, configuration)
    }

    func directories() -> DirectoryList {
        _ = latest.refresh(from: store, configuration)
        return latest.list
    }

    /// Returns the counts for `states`, none if the directory is gone or may not be read, or `nil` if the store cannot
    /// be read now.
    func count(_ topic: EventTopic, in directory: Directory, since states: [SeenState]) -> [NewPeople]? {
        do {
            let reader = try self.reader ?? store.makeReader()
            self.reader = reader
            return try reader.newPeople(of: topic, in: directory, since: states) ?? []
        } catch let failure as any StoreFailure where failure.kind == .denied {
            return []
        } catch {
            // As everywhere: a file that was replaced needs a new connection.
            reader = nil
            _ = errors.log(DirectoryError(directory: directory, reason: error), prefix: "counting new people: ")
            return nil
        }
    }

    /// Closes the reader while no streams are open.
    func rest() { reader = nil }
}
