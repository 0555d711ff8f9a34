import Base
import Foundation
import People

/// A workbook that is sent to one client. It is made in a temporary file before the first byte is sent, because an
/// archive ends with what its beginning needs.
final class WorkbookBody: StoredBody {
    /// The workbook and its folder, while it is made.
    private var book: WorkbookExport?
    private var folder: String?
    /// The file, whose name is gone already; -1 before it is made.
    private var file: Int32 = -1

    /// Throws if there is no room for temporary files, so that the response can say so.
    init(_ query: UserQuery, _ title: String, _ layout: ExportLayout, of site: Site) throws {
        let folder = try Self.makeFolder(beside: site.store.folder)
        // From here on, the end of this object removes it, also after an error.
        self.folder = folder
        book = try WorkbookExport(
            of: query, layout, in: site.store.instance, title: title, path: Self.path(in: folder),
            limit: site.configuration.maxExcel)
    }

    /// Makes a folder in the system's one for temporary files, or else where the database is.
    private static func makeFolder(beside database: String?) throws -> String {
        let system = FileManager.default.temporaryDirectory.path
        var reason = ""
        for parent in [system, database].compactMap(\.self) {
            if let folder = SystemFile.makeFolder(prefix: "\(parent)/rollcall-") { return folder }
            if reason.isEmpty { reason = SystemFile.reason }
        }
        throw RollcallError(Self.failure("\(system): \(reason); TMPDIR names another folder"))
    }

    deinit {
        if file >= 0 { close(file) }
        removeFolder()
    }

    func appendMore(to buffer: ByteBuffer, from read: (UserQuery) throws -> Page?) throws -> Bool {
        // A page a call: others wait for no more than that, and nothing is left to do for a client that has gone.
        if let book, let folder {
            try makeMore(book, in: folder, from: read)
            return true
        }
        let bytes = try required(
            SystemFile.read(upTo: DirectoryExport.pieceBytes, from: file), Self.failure(SystemFile.reason))
        buffer.append(bytes)
        return !bytes.isEmpty
    }

    private func makeMore(_ book: WorkbookExport, in folder: String, from read: (UserQuery) throws -> Page?) throws {
        if try book.appendPage(from: read) { return }
        try book.finish()
        file = SystemFile.open(Self.path(in: folder), O_RDONLY)
        try expect(file >= 0, Self.failure(SystemFile.reason))
        removeFolder()
    }

    private func removeFolder() {
        guard let folder else { return }
        try? FileManager.default.removeItem(atPath: folder)
        (self.folder, book) = (nil, nil)
    }

    private static func path(in folder: String) -> String { folder + "/people.xlsx" }

    private static func failure(_ reason: String) -> String { "the temporary file of a workbook: \(reason)" }
}
