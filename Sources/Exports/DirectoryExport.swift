import Bytes
import Directories

/// A directory on its way out, a piece at a time: it takes the memory of one page, and no transaction outlasts one, however
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
    /// Which database the first page came from.
    private var origin: UInt64?

    private enum Step: Sendable { case beginning, people, done }

    /// So many people at a time, at most: the stores are tuned for pages of this size.
    public static let pageLimit = 100

    /// A piece ends with the person who fills it: who reads it slowly keeps it in memory for long.
    public static let pieceBytes = 256 * 1024

    /// - Parameter provesItsEnd: whether an ``ExportProof`` comes last.
    public init(of query: UserQuery, as format: ExportFormat, provesItsEnd: Bool = false) {
        self.query = query
        self.provesItsEnd = provesItsEnd
        writer = ExportWriter(format: format)
    }

    /// Appends what comes next; answers `false`, and appends nothing, when everything was written. Throws where the
    /// directory was removed meanwhile or its database replaced, and what the store throws.
    public mutating func appendMore(from reader: any UserReader, to buffer: ByteBuffer) throws -> Bool {
        switch step {
        case .beginning:
            writer.begin(into: buffer)
            step = .people
        case .people: break
        case .done: return false
        }
        guard let page = try reader.page(query) else { throw ExportError.directoryRemoved }
        guard page.directory.origin == origin ?? page.directory.origin else { throw ExportError.databaseReplaced }
        origin = page.directory.origin
        let written = append(page.users, to: buffer)
        if written > 0, page.hasNext || written < page.users.rows.count {
            query.start = .after(page.users.cursor(of: written - 1, in: query.sort.key))
        } else {
            if provesItsEnd { writer.append(proofOf: count, into: buffer) }
            writer.end(into: buffer)
            step = .done
        }
        return true
    }

    /// Appends as many as a piece takes, and answers how many.
    private mutating func append(_ users: UserRows, to buffer: ByteBuffer) -> Int {
        let start = buffer.count
        var written = 0
        while written < users.rows.count, buffer.count - start < Self.pieceBytes {
            writer.append(users, written, into: buffer)
            written += 1
        }
        count += written
        // The next page has as many as will fill a piece, if they are like these: who is read and not written is read again.
        let average = max((buffer.count - start) / max(written, 1), 1)
        query.limit = min(max(Self.pieceBytes / average, 1), Self.pageLimit)
        return written
    }
}

/// Why an export is not whole.
public enum ExportError: Error, CustomStringConvertible {
    case directoryRemoved
    /// What is left would be of other people.
    case databaseReplaced

    public var description: String {
        switch self {
        case .directoryRemoved: "the directory was removed while it was being written"
        case .databaseReplaced: "the database was replaced while it was being written"
        }
    }
}
