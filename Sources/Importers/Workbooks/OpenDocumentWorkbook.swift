import Base

/// A spreadsheet of OpenDocument 1.0 to 1.3, as LibreOffice writes it. All sheets are in one part.
final class OpenDocumentWorkbook: Workbook {
    let format = ImportFormat.ods
    let sheets: [SheetOutline]
    private let archive: ZipArchive
    private let styles: OpenDocumentStyles

    private static let content = "content.xml"

    init(_ archive: ZipArchive) throws {
        self.archive = archive
        styles = try archive.parse(ifThere: "styles.xml", by: OpenDocumentStyles())
        // The styles of a part precede its cells.
        let reader = OpenDocumentSheets(styles)
        try archive.parse(Self.content, by: reader)
        sheets = reader.outlines
    }

    func forEachRow(of sheet: SheetOutline, _ body: (SheetRow) throws -> Void) throws -> UnreadCells {
        try withoutActuallyEscaping(body) { body in
            let reader = OpenDocumentSheets(styles, only: sheet.index, body)
            do { try archive.parse(Self.content, by: reader) } catch is OpenDocumentSheets.End {}
            return reader.unread
        }
    }
}

/// The list of the parts of a document. Throws if it says that the document is encrypted.
final class OpenDocumentManifest: XMLHandler {
    static let leavesOutOthers = false
    private var type = ""

    /// Returns the type of the document; empty if it has no list, or if that does not say.
    static func type(of archive: ZipArchive) throws -> String {
        try archive.parse(ifThere: "META-INF/manifest.xml", by: OpenDocumentManifest()).type
    }

    func begin(_ element: XMLName, _ attributes: XMLAttributes) throws -> (any XMLHandler)? {
        if element.is("encryption-data") { throw WorkbookError.kind(.protected) }
        if element.is("file-entry"), attributes["full-path"]?.text == "/" {
            type = attributes["media-type"]?.text ?? ""
        }
        return nil
    }
}
