import Base

/// Exports a directory piece by piece. It needs the memory of one page, and no transaction lasts longer than one page,
/// however slowly the export is read.
///
/// A user that is in the directory from the first page to the last appears once in the order by id. In another order, a
/// user whose position changes in the meantime may appear twice or not at all.
public struct DirectoryExport: Sendable {
    private var pages: ExportPages
    private let format: ExportFormat
    private let layout: ExportLayout
    private let instance: String
    private let spreadsheetSeparator: StaticString?
    private let provesItsEnd: Bool
    /// `nil` before the first page, whose directory has the columns.
    private var writer: ExportWriter?
    private var isOver = false
    public private(set) var count = 0

    /// The maximum number of users read at a time: the stores are tuned for pages of this size.
    public static let pageLimit = 100

    /// A piece ends with the user that reaches this size. A slow client keeps a piece in memory for long.
    public static let pieceBytes = 256 * 1024

    /// Prepares an export.
    ///
    /// - Parameters:
    ///   - instance: ``UserStore/instance`` of the store.
    ///   - spreadsheetSeparator: See ``ExportWriter``.
    ///   - provesItsEnd: Whether an ``ExportProof`` is the last line.
    public init(
        of query: UserQuery, as format: ExportFormat, _ layout: ExportLayout, in instance: String,
        provesItsEnd: Bool = false, spreadsheetSeparator: StaticString? = nil
    ) {
        pages = ExportPages(of: query)
        (self.format, self.layout, self.instance) = (format, layout, instance)
        (self.spreadsheetSeparator, self.provesItsEnd) = (spreadsheetSeparator, provesItsEnd)
    }

    /// Appends the next piece, of a page that `read` returns. Returns `false`, and appends nothing, after everything
    /// was written. Throws an ``ExportError`` if the rest would not fit what is written already, and rethrows errors of
    /// the store.
    public mutating func appendMore(to buffer: ByteBuffer, from read: (UserQuery) throws -> Page?) throws -> Bool {
        if isOver { return false }
        let page = try pages.next(read)
        var writer = self.writer ?? begin(page.directory, into: buffer)
        try writer.columns.check(page.directory)
        let written = try append(page.users, by: &writer, to: buffer)
        if written > 0, page.hasNext || written < page.users.rows.count {
            pages.query.goOn(after: written - 1, of: page.users)
        } else {
            if provesItsEnd { writer.append(proofOf: count, into: buffer) }
            writer.end(into: buffer)
            isOver = true
        }
        self.writer = writer
        return true
    }

    private func begin(_ directory: Directory, into buffer: ByteBuffer) -> ExportWriter {
        let columns = ExportColumns(layout, of: directory, in: instance)
        let writer = ExportWriter(format: format, columns: columns, spreadsheetSeparator: spreadsheetSeparator)
        writer.begin(into: buffer)
        return writer
    }

    /// Appends users up to the size of a piece and returns their number.
    private mutating func append(
        _ users: UserRows, by writer: inout ExportWriter, to buffer: ByteBuffer
    ) throws -> Int {
        let start = buffer.count
        var written = 0
        while written < users.rows.count, buffer.count - start < Self.pieceBytes {
            try writer.append(users, written, into: buffer)
            written += 1
        }
        count += written
        // The next page has as many users as will fill a piece if they are like these: a user that is read but not
        // written must be read again.
        let average = max((buffer.count - start) / max(written, 1), 1)
        pages.query.limit = min(max(Self.pieceBytes / average, 1), Self.pageLimit)
        return written
    }
}

/// The pages of an export: all of one directory of one database.
public struct ExportPages: Sendable {
    public var query: UserQuery
    private var origin: UInt64?

    /// - Parameter origin: Identifies the database; `nil` for that of the first page.
    public init(of query: UserQuery, origin: UInt64? = nil) {
        (self.query, self.origin) = (query, origin)
    }

    /// Returns what `read` reads for ``query``. Throws an ``ExportError`` if that is `nil`, because the directory was
    /// removed or hidden in the meantime, or if the database was replaced.
    public mutating func next(_ read: (UserQuery) throws -> Page?) throws -> Page {
        guard let page = try read(query) else { throw ExportError.directoryGone }
        guard page.directory.origin == origin ?? page.directory.origin else { throw ExportError.databaseReplaced }
        origin = page.directory.origin
        return page
    }
}

/// The reason why an export is incomplete.
public enum ExportError: StoreFailure, CustomStringConvertible {
    /// The publisher removed the directory, or made it private.
    case directoryGone
    /// An import, or the publisher, changed the columns: people would have values below other headings.
    case columnsChanged
    /// There are more people than this.
    case tooMany(Int)
    /// The columns of somebody, as one object, are longer than a cell of a workbook may be.
    case tooLong(login: String)
    /// The remaining users would be different people.
    case databaseReplaced
    /// The source's other data is not a JSON object on one line, so the export would be invalid.
    case damaged(id: Int64)

    public var kind: StoreFailureKind? { if case .damaged = self { .damage } else { nil } }

    public var description: String {
        switch self {
        case .directoryGone: "the directory was removed or hidden while it was being written"
        case .columnsChanged: "the columns of the directory changed while it was being written"
        case .databaseReplaced: "the database was replaced while it was being written"
        case .tooMany(let limit): "a workbook has room for \(limit.grouped) people: export .csv"
        case .tooLong(let login): "a cell has no room for the columns of \(login): export .csv, or --layout source"
        case .damaged(let id):
            "the database is damaged: the further data of user \(id) is not a JSON object; import the user again"
        }
    }
}
