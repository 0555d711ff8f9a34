import Glibc
import People
import Server

/// A workbook that is sent to one client. It is made in a temporary file before the first byte is sent, because an
/// archive ends with what its beginning needs.
///
/// `@unchecked Sendable`: the server asks a ``BodyStream`` for one piece at a time, and its pool orders each before the
/// next.
final class WorkbookStream: @unchecked Sendable {
    private let site: Site
    private let slot: ExportSlot
    private let request: RequestMark
    private let query: UserQuery
    private let title: String
    private let columns: SourceColumns?
    /// The file, whose name is gone already; -1 before it is made.
    private var file: Int32 = -1

    init(_ query: UserQuery, _ title: String, _ columns: SourceColumns?, for request: Request, of site: Site) throws {
        slot = try ExportSlot(.workbook, on: site)
        (self.site, self.query, self.title, self.columns) = (site, query, title, columns)
        self.request = RequestMark(request)
    }

    deinit { if file >= 0 { close(file) } }

    func next() -> BodyStream.Piece {
        do {
            if file < 0 { try make() }
            var bytes = [UInt8](repeating: 0, count: DirectoryExport.pieceBytes)
            let count = read(file, &bytes, bytes.count)
            guard count >= 0 else { throw WorkbookStreamError(reason: String(cString: strerror(errno))) }
            return count == 0 ? .end : .bytes(Array(bytes.prefix(count)))
        } catch {
            _ = site.errors.log(error, prefix: "a workbook broke off: ", of: request)
            return .failure
        }
    }

    private func make() throws {
        let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var folder = Array("\(temporary)/rollcall-XXXXXX".utf8CString)
        guard mkdtemp(&folder) != nil else { throw WorkbookStreamError(reason: String(cString: strerror(errno))) }
        let parent = String(decoding: folder.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let path = parent + "/people.xlsx"
        defer {
            unlink(path)
            rmdir(parent)
        }
        let written = site.withRenderer { renderer in
            Result {
                try WorkbookExport.write(
                    of: query, columns: columns, title: title, to: path, limit: site.configuration.maxExcel,
                    isShown: site.configuration.shows
                ) { query in
                    try renderer.reader.reading(renderer.counters.pageReads) { try $0.page(query) }
                }
            }
        }
        _ = try written.get()
        file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw WorkbookStreamError(reason: String(cString: strerror(errno))) }
    }
}

/// The system's reason why a workbook cannot be sent.
private struct WorkbookStreamError: Error, CustomStringConvertible {
    let reason: String

    var description: String { "the temporary file of a workbook: \(reason)" }
}
