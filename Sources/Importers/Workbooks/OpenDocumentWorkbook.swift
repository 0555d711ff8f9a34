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
        if archive.has("META-INF/manifest.xml") {
            try archive.parse("META-INF/manifest.xml", by: OpenDocumentManifest(), leavesOutOthers: false)
        }
        let styles = OpenDocumentStyles()
        if archive.has("styles.xml") { try archive.parse("styles.xml", by: styles, leavesOutOthers: false) }
        // The styles of a part precede its cells.
        let reader = OpenDocumentSheets(styles, only: nil)
        try archive.parse(Self.content, by: reader, leavesOutOthers: false)
        self.styles = styles
        sheets = reader.outlines
    }

    func forEachRow(ofSheet index: Int, _ body: (SheetRow) throws -> Void) throws -> UnreadCells {
        let reader = OpenDocumentSheets(styles, only: index)
        return try withoutActuallyEscaping(body) { body in
            reader.body = body
            defer { reader.body = nil }
            do { try archive.parse(Self.content, by: reader, leavesOutOthers: false) } catch is OpenDocumentSheets.End {
            }
            return reader.unread
        }
    }
}

/// Throws if the manifest says that the document is encrypted.
private final class OpenDocumentManifest: XMLHandler {
    func begin(_ element: XMLName, _ attributes: XMLAttributes) throws {
        if element.is("encryption-data") { throw WorkbookError.kind(.protected) }
    }

    func end(_ element: XMLName) {}
    func text(_ text: UnsafeRawBufferPointer) {}
}
