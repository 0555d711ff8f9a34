import Base
import People

/// A kind of file that is not a table, recognized by its first bytes, not by its name.
struct FileKind: Equatable {
    /// What follows the name of such a file in a message: which kind it is, and what to do with it.
    private let words: String

    private init(_ words: String) { self.words = words }

    static let excel = FileKind("is a workbook of Excel 97 to 2003: \(saving)")
    static let binaryExcel = FileKind("is a binary workbook (.xlsb): \(saving)")
    static let excelXML = FileKind("is an XML spreadsheet of Excel 2003: \(saving)")
    static let flatOpenDocument = FileKind("is a flat OpenDocument spreadsheet (.fods): \(saving)")
    static let protected = FileKind("is protected by a password: save it without one")
    static let numbers = FileKind("is a Numbers spreadsheet: in Numbers choose File, Export To, Excel")
    static let document = FileKind(
        "is a text document: copy its table into a spreadsheet and save that as .xlsx")
    static let presentation = FileKind(
        "is a presentation: copy its table into a spreadsheet and save that as .xlsx")
    static let emptyArchive = FileKind("is an empty ZIP archive")
    static let archive = FileKind("is a ZIP archive: extract it and import the table inside")
    static let pdf = FileKind("is a PDF document: export the list as CSV from the program that made it")
    static let page = FileKind("is a web page: \(saving)")
    static let pageArchive = FileKind("is a web page in one file (MHT): \(saving)")
    static let xml = FileKind("is an XML document: export the list as CSV from the program that made it")
    static let picture = FileKind("is a picture, not a list of people")

    private static let saving = "open it in a spreadsheet and save it as .xlsx"

    /// Returns the kind of the file that begins with `start`, behind a byte order mark; `nil` if it may be a table.
    static func found(in start: UnsafeRawBufferPointer) -> FileKind? {
        let marked = marks.first { start.starts(with: $0.mark) }?.kind(start)
        return marked ?? PictureType(of: start).map { _ in .picture } ?? kind(ofText: start)
    }

    /// The first bytes of files, and what such a file is.
    private static let marks: [(mark: [UInt8], kind: @Sendable (UnsafeRawBufferPointer) -> FileKind)] = [
        (WorkbookFile.mark, { _ in .archive }), (Array("PK\u{5}\u{6}".utf8), { _ in .emptyArchive }),
        ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], kind(ofContainer:)),
        (Array("%PDF-".utf8), { _ in .pdf }), (Array("GIF8".utf8), { _ in .picture }),
    ]

    /// Returns a message that says which kind of file `name` is and what to do with it.
    func advice(_ name: String, isRemote: Bool = false) -> String {
        // Most often a sign-in page.
        if isRemote, self == .page {
            return "\(name) answered with a web page instead of a list: publish the sheet or share its link"
        }
        return "\(name) \(words)"
    }

    /// The container of Office before 2007 holds a workbook, a text, or a newer file with a password. The names of its
    /// streams, in UTF-16, say which.
    @Sendable private static func kind(ofContainer start: UnsafeRawBufferPointer) -> FileKind {
        if start.offset(of: "E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0") != nil { return .protected }
        return start.offset(of: "W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0") != nil ? .document : .excel
    }

    private static func kind(ofText start: UnsafeRawBufferPointer) -> FileKind? {
        // In UTF-16, each of these letters has a zero.
        let bytes = start.prefix(8192).filter { $0 != 0 }
        let text = String(decoding: bytes.drop(while: \.isWhitespace), as: UTF8.self).lowercased()
        if text.hasPrefix("{\\rtf") { return .document }
        if text.hasPrefix("<") { return kind(ofMarkup: text) }
        let isMessage = text.hasPrefix("mime-version:") || text.contains("\nmime-version:")
        return isMessage && text.contains("multipart/related") ? .pageArchive : nil
    }

    /// The kinds of files that begin with `<`, by their first characters.
    private static let markup: [(mark: String, kind: FileKind)] = [
        ("urn:schemas-microsoft-com:office:spreadsheet\"", .excelXML),
        ("application/vnd.oasis.opendocument.spreadsheet", .flatOpenDocument),
        ("application/vnd.oasis.opendocument.text", .document), ("office/word/2003/wordml", .document),
        ("wordprocessingml", .document),
    ]
    private static let tags = [
        "!doctype html", "html", "head", "body", "table", "div", "meta", "style", "script", "!--",
    ]

    private static func kind(ofMarkup text: String) -> FileKind? {
        let isPage = tags.contains { text.hasPrefix("<" + $0) } || text.contains("<html") || text.contains("<table ")
        let isXML = text.hasPrefix("<?xml")
        // Excel's own pages name its XML, too.
        if isPage, !isXML { return .page }
        return markup.first { text.contains($0.mark) }?.kind ?? (isPage ? .page : isXML ? .xml : nil)
    }
}
