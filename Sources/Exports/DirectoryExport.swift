import Bytes
import Directories

/// A directory on its way out, some people at a time: it takes the memory of one page, and no transaction outlasts one, however
/// slowly it is read.
///
/// Whoever is in the directory from the first page to the last is in it once, in the order by id; in another order only
/// somebody whose place changes meanwhile may come twice or not at all.
public struct DirectoryExport: Sendable {
    private var query: UserQuery
    private var writer: ExportWriter
    private var step = Step.beginning
    /// How many people were written.
    public private(set) var count = 0

    private let provesItsEnd: Bool

    private enum Step: Sendable { case beginning, people, done }

    /// So many people at a time: the stores are tuned for pages of this size, and even people with 64 KiB each are 7 MiB.
    public static let pageLimit = 100

    /// - Parameter provesItsEnd: whether an ``ExportProof`` comes last.
    public init(of query: UserQuery, as format: ExportFormat, provesItsEnd: Bool = false) {
        self.query = query
        self.provesItsEnd = provesItsEnd
        writer = ExportWriter(format: format)
    }

    /// Appends what comes next; answers `false`, and appends nothing, when everything was written. Throws where the
    /// directory was removed meanwhile, and what the store throws.
    public mutating func appendMore(from reader: any UserReader, to buffer: ByteBuffer) throws -> Bool {
        switch step {
        case .beginning:
            writer.begin(into: buffer)
            step = .people
        case .people: break
        case .done: return false
        }
        guard let page = try reader.page(query) else { throw ExportError.directoryRemoved }
        let rows = page.users.rows
        for index in rows.indices { writer.append(page.users, index, into: buffer) }
        count += rows.count
        if page.hasNext, !rows.isEmpty {
            query.start = .after(page.users.cursor(of: rows.count - 1, in: query.sort.key))
        } else {
            if provesItsEnd { writer.append(proofOf: count, into: buffer) }
            writer.end(into: buffer)
            step = .done
        }
        return true
    }
}

/// Why an export is not whole.
public enum ExportError: Error, CustomStringConvertible {
    case directoryRemoved

    public var description: String { "the directory was removed while it was being written" }
}
