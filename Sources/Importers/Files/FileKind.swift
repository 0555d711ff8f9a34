import Base
import People

/// A kind of file that is not a table, recognized by its first bytes, not by its name.
enum FileKind: CaseIterable {
    case excel, openDocument, numbers, archive, pdf, page, xml, picture

    /// Returns the kind of the file that begins with `start`; `nil` if it may be a table.
    init?(of start: UnsafeRawBufferPointer) {
        if start.starts(with: "PK\u{3}\u{4}".utf8) {
            self = Self.kind(ofArchive: start)
        } else if start.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
            // The container of Office before 2007.
            self = .excel
        } else if start.starts(with: "%PDF-".utf8) {
            self = .pdf
        } else if PictureType(of: start) != nil || start.starts(with: "GIF8".utf8) {
            self = .picture
        } else if let kind = Self.kind(ofMarkup: start) {
            self = kind
        } else {
            return nil
        }
    }

    /// Returns a message that says which kind of file `name` is and what to do with it.
    func advice(_ name: String, isRemote: Bool = false) -> String {
        switch self {
        // Most often a sign-in page.
        case .page where isRemote:
            "\(name) answered with a web page instead of a list: publish the sheet or share its link"
        case .excel: "\(name) is an Excel workbook: in Excel choose Save As, CSV UTF-8"
        case .openDocument:
            "\(name) is an OpenDocument spreadsheet: in LibreOffice choose Save As, Text CSV, character set UTF-8"
        case .numbers: "\(name) is a Numbers spreadsheet: in Numbers choose File, Export To, CSV, encoding UTF-8"
        case .archive: "\(name) is a ZIP archive: extract it and import the table inside"
        case .pdf: "\(name) is a PDF document: export the list as CSV from the program that made it"
        case .page: "\(name) is a web page: export the list as CSV from the site that shows it"
        case .xml: "\(name) is an XML document: export the list as CSV from the program that made it"
        case .picture: "\(name) is a picture, not a list of people"
        }
    }

    /// The names of the members of a ZIP archive stand between their contents. The first ones identify the format.
    private static func kind(ofArchive start: UnsafeRawBufferPointer) -> FileKind {
        let text = UnsafeRawBufferPointer(rebasing: start.prefix(1 << 16))
        if text.holds("xl/") || text.holds("[Content_Types].xml") { return .excel }
        if text.holds("application/vnd.oasis.opendocument") { return .openDocument }
        if text.holds("Index/") || text.holds("index.apxl") { return .numbers }
        return .archive
    }

    private static func kind(ofMarkup start: UnsafeRawBufferPointer) -> FileKind? {
        var text = start.prefix(4096)
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        text = text.drop(while: \.isBlank)
        guard text.first == UInt8(ascii: "<") else { return nil }
        let beginning = String(decoding: text.prefix(64), as: UTF8.self).lowercased()
        if ["<!doctype html", "<html", "<head", "<body", "<table", "<!--"].contains(where: beginning.hasPrefix) {
            return .page
        }
        if !beginning.hasPrefix("<?xml") { return nil }
        return UnsafeRawBufferPointer(rebasing: text).holds("<html") ? .page : .xml
    }
}

extension UnsafeRawBufferPointer {
    /// Whether `text` occurs in these bytes.
    func holds(_ text: StaticString) -> Bool {
        let wanted = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard count >= wanted.count else { return false }
        return (0...(count - wanted.count)).contains { self[$0] == wanted[0] && self[$0...].starts(with: wanted) }
    }
}
