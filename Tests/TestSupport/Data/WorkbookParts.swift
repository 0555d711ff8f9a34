/// Workbooks made of parts that a test writes by hand.
public enum WorkbookParts {
    /// A workbook with one sheet, `Staff`, with the XML of `rows`.
    public static func excel(
        rows: String, before: String = "", after: String = "", strings: [String] = [], formats: [String] = [],
        sheet: String? = nil, workbook: String = "", more: [String: String] = [:], gzip: (([UInt8]) -> [UInt8])? = nil
    ) -> [UInt8] {
        let list = strings.map { "<si>\($0)</si>" }.joined()
        let codes = formats.enumerated().map { "<numFmt numFmtId=\"\(164 + $0)\" formatCode=\"\($1)\"/>" }.joined()
        let cells = "<xf numFmtId=\"0\"/>" + formats.indices.map { "<xf numFmtId=\"\(164 + $0)\"/>" }.joined()
        let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        var parts = [
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": links([("r1", "\(office)/officeDocument", "xl/workbook.xml")]),
            "xl/workbook.xml": """
            <workbook xmlns:r="\(office)">\(workbook)<sheets><sheet name="Staff" sheetId="1" r:id="r1"/></sheets></workbook>
            """,
            "xl/_rels/workbook.xml.rels": links([
                ("r1", "\(office)/worksheet", "/xl/worksheets/sheet1.xml"),
                ("r2", "\(office)/sharedStrings", "sharedStrings.xml"), ("r3", "\(office)/styles", "styles.xml"),
            ]),
            "xl/sharedStrings.xml": "<sst>\(list)</sst>",
            "xl/styles.xml": "<styleSheet><numFmts>\(codes)</numFmts><cellXfs>\(cells)</cellXfs></styleSheet>",
            "xl/worksheets/sheet1.xml": sheet
                ?? "<worksheet xmlns:r=\"\(office)\">\(before)<sheetData>\(rows)</sheetData>\(after)</worksheet>",
        ]
        parts.merge(more) { $1 }
        return zip(parts, gzip: gzip)
    }

    /// A spreadsheet of OpenDocument with the XML of tables.
    public static func openDocument(
        _ tables: String, styles: String = "", more: [String: String] = [:], gzip: (([UInt8]) -> [UInt8])? = nil
    ) -> [UInt8] {
        let space = "urn:oasis:names:tc:opendocument:xmlns"
        let spaces = ["office": "office", "table": "table", "text": "text", "style": "style", "number": "datastyle"]
        let names = spaces.map { "xmlns:\($0)=\"\(space):\($1):1.0\"" }
        let content = """
            <office:document-content \(names.joined(separator: " ")) xmlns:xlink="http://www.w3.org/1999/xlink">\
            <office:automatic-styles>\(styles)</office:automatic-styles>\
            <office:body><office:spreadsheet>\(tables)</office:spreadsheet></office:body></office:document-content>
            """
        let parts = ["mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": content]
        return zip(parts.merging(more) { $1 }, gzip: gzip)
    }

    public static func links(_ links: [(id: String, type: String, target: String)]) -> String {
        "<Relationships>"
            + links.map { "<Relationship Id=\"\($0.id)\" Type=\"\($0.type)\" Target=\"\($0.target)\"/>" }
            .joined() + "</Relationships>"
    }

    /// An archive of parts, compressed as `gzip` does, if it is given.
    public static func zip(_ parts: [String: String], gzip: (([UInt8]) -> [UInt8])? = nil) -> [UInt8] {
        var file: [UInt8] = []
        var directory: [UInt8] = []
        for (name, text) in parts.sorted(by: { $0.key < $1.key }) {
            let (name, bytes) = (Array(name.utf8), Array(text.utf8))
            let offset = file.count
            // A gzip file (RFC 1952) is ten bytes, what an archive has, too, the checksum and the size.
            let member = gzip?(bytes)
            let packed = member.map { Array($0[10..<($0.count - 8)]) } ?? bytes
            let sum = member.map { Array($0[($0.count - 8)..<($0.count - 4)]) } ?? little(checksum(bytes), 4)
            let sizes = sum + little(UInt32(packed.count), 4) + little(UInt32(bytes.count), 4)
            let method = little(member == nil ? 0 : 8, 2)
            let head = little(20, 2) + little(0, 2) + method + little(0, 2) + little(33, 2) + sizes
            let length = little(UInt32(name.count), 2) + little(0, 2)
            file += Array("PK\u{3}\u{4}".utf8) + head + length + name + packed
            directory += Array("PK\u{1}\u{2}".utf8) + little(20, 2) + head + length + little(0, 2) + little(0, 2)
            directory += little(0, 2) + little(0, 4) + little(UInt32(offset), 4) + name
        }
        let count = little(UInt32(parts.count), 2)
        let end = little(UInt32(directory.count), 4) + little(UInt32(file.count), 4) + little(0, 2)
        return file + directory + Array("PK\u{5}\u{6}".utf8) + little(0, 2) + little(0, 2) + count + count + end
    }

    private static func little(_ number: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// CRC-32.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in
            var sum = sum ^ UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
            return sum
        }
    }
}
