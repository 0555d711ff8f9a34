import Base

/// Recognizes and opens workbooks.
enum WorkbookFile {
    /// The first bytes of every ZIP archive that is not empty.
    static let mark = Array("PK\u{3}\u{4}".utf8)

    /// Opens the workbook in the file `descriptor`, which stays open. Throws a ``WorkbookError`` for other files.
    ///
    /// - Parameter tick: Called several times a second while the workbook is read. An error that it throws ends the
    ///   reading.
    static func open(_ descriptor: Int32, tick: @escaping () throws -> Void = {}) throws -> any Workbook {
        let archive = try ZipArchive(descriptor, tick: tick)
        // The part "" is the archive itself.
        if let main = try Relationships.of("", in: archive).part(ofType: "/officeDocument") {
            try refuseOthers(main)
            return try ExcelWorkbook(archive, main: main)
        }
        // LibreOffice may encrypt all parts of a document as one.
        let listed = try OpenDocumentManifest.type(of: archive)
        if archive.has("content.xml") {
            let type = archive.has("mimetype") ? try mimeType(in: archive) : listed
            try refuseOthers(type)
            // Some programs leave the type out.
            if type.isEmpty || type.hasPrefix("\(openDocument)spreadsheet") {
                let book = try OpenDocumentWorkbook(archive)
                if !book.sheets.isEmpty { return book }
            }
        }
        let marks = ["Index/", "Index.zip", "index.apxl"]
        let isNumbers = archive.parts.contains { part in marks.contains(where: part.hasPrefix) }
        throw WorkbookError.kind(isNumbers ? .numbers : .archive)
    }

    private static let openDocument = "application/vnd.oasis.opendocument."
    /// Files that are not workbooks, by how their main parts and types begin.
    private static let others: [(beginning: String, kind: FileKind)] = [
        ("word/", .document), ("ppt/", .presentation), ("xl/workbook.bin", .binaryExcel),
        ("\(openDocument)text", .document), ("\(openDocument)presentation", .presentation),
    ]

    private static func refuseOthers(_ name: String) throws {
        if let other = others.first(where: { name.hasPrefix($0.beginning) }) { throw WorkbookError.kind(other.kind) }
    }

    private static func mimeType(in archive: ZipArchive) throws -> String {
        let type = ByteBuffer(capacity: 64)
        try archive.forEachChunk(of: "mimetype") { if type.count < 256 { type.append($0) } }
        return String(type)
    }
}
