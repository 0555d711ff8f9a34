/// A store of directories as everybody gets them. Implementations may use threads; every method may be called from any
/// thread.
///
/// ```swift
/// let reader = try store.makeReader()
/// for directory in store.directories {
///     let page = try reader.page(UserQuery(directory: directory.id, limit: 30))
/// }
/// ```
public protocol UserStore: Sendable {
    /// Creates a reader for one queue. Readers also see what other processes write.
    func makeReader() throws -> any UserReader

    /// The directories as last seen: the default one, then the others in order of creation. They are kept in memory, at
    /// most one second old, and cost nothing to read.
    var directories: [Directory] { get }

    /// Looks for changes by other processes now, instead of within a second. Waits until ``directories`` is up to date.
    func refresh()

    /// A random text created with the store. Generations are comparable only between stores with the same text.
    var instance: String { get }

    /// Stops everything that the store has started, waits for it, and closes the store's own connections. Call this
    /// last: whoever has readers or writers closes them before, by releasing them.
    func close()

    /// Throws an error with the reason if the store cannot be read now. Returns at once, from what is already known.
    func checkHealth() throws

    var statistics: StoreStatistics { get }

    /// The state of the database. Returns at once, from what is already known.
    var status: StoreStatus { get }

    /// Whether the database is on a server, so that a read waits for an answer while other work could be done. If not,
    /// a read takes microseconds, and only a processor limits how many there are.
    var isRemote: Bool { get }

    /// The folder of the database's files; `nil` for a database that is not in files of this machine.
    var folder: String? { get }

    func pictureTotals() throws -> PictureTotals

    /// Returns how the last import of each directory ended, by the directory's id. Directories without one are missing.
    func lastImports() throws -> [Int64: LastImport]

    func size() throws -> StoreSize
}

public protocol StoreFailure: Error {
    /// Its meaning for whoever asked; `nil` if it is none of these.
    var kind: StoreFailureKind? { get }
}

public enum StoreFailureKind: Sendable {
    /// The stored data is damaged: every request that reads the same data then fails in the same way.
    case damage
    /// The request asks for something that the directory does not have (any more), as a stale cursor.
    case wrongRequest
    /// The words of a search would cost more than a request may.
    case tooBroad
    /// The request was made from a directory whose settings have changed since: from an order that the directory no
    /// longer has. With the directory as it is now (``UserStore/refresh()``), another request may succeed.
    case outdated
    /// This process may not read what the request asks for, such as the tables of one directory. Others may be
    /// readable.
    case denied
    /// The database is away, or cannot be written for the moment: what was saved before is safe, and another attempt
    /// may succeed.
    case interruption
    /// The command gave up waiting; the user should run it again later.
    case forLater
}

extension StoreFailure {
    /// Whether the description is for the client.
    public var isOfRequest: Bool { kind == .wrongRequest || kind == .tooBroad }
}

extension UserStore {
    public var isRemote: Bool { false }

    public var folder: String? { nil }
}
