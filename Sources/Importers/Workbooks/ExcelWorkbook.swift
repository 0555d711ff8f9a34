import Base

/// A workbook of Excel: Office Open XML (ECMA-376), Transitional or Strict.
final class ExcelWorkbook: Workbook {
    let format = ImportFormat.xlsx
    private(set) var sheets: [SheetOutline] = []
    private let archive: ZipArchive
    private let strings: SharedStrings
    private let styles: ExcelStyles
    private var parts: [Part] = []

    /// The part of a sheet, and what stands behind its rows.
    private struct Part {
        var path: String
        var merged: [CellArea]
        var links: [CellReference: String]
    }

    /// - Parameter main: The part with the list of sheets, such as `xl/workbook.xml`.
    init(_ archive: ZipArchive, main: String) throws {
        self.archive = archive
        let list = ExcelSheetList()
        try archive.parse(main, by: list)
        let links = try Relationships.of(main, in: archive)
        strings = try archive.parse(ifThere: links.part(ofType: "/sharedStrings"), by: SharedStrings())
        styles = try archive.parse(ifThere: links.part(ofType: "/styles"), by: ExcelStyles(firstDay: list.firstDay))
        for (var outline, relationship) in list.sheets {
            // A sheet with a chart alone has no cells.
            guard let link = links[relationship], link.type.hasSuffix("/worksheet") else { continue }
            let sheet = ExcelSheet(part: link.target, strings, styles) { outline.note($0.number, width: $0.width) }
            var scan = SheetScan(part: link.target)
            let xml = XMLReader(part: link.target, handler: sheet)
            try archive.forEachChunk(of: link.target) { chunk in
                try scan.read(chunk, into: xml) { outline.note($0, width: $1) }
            }
            (outline.index, outline.columnsHiddenInSheet) = (sheets.count, sheet.columnsHiddenInSheet)
            let targets = try Relationships.of(link.target, in: archive).targets
            parts.append(Part(path: link.target, merged: sheet.merged, links: sheet.links(to: targets)))
            sheets.append(outline)
        }
    }

    func forEachRow(of sheet: SheetOutline, _ body: (SheetRow) throws -> Void) throws -> UnreadCells {
        let part = parts[sheet.index]
        var merged = MergedCells(part.merged)
        var unsorted = UnsortedRows()
        // Some programs count rows from 0.
        var last = -1
        func pass(_ row: SheetRow) throws {
            try merged.apply(to: row)
            if row.cells.isEmpty { return }
            try WorkbookError.require(row.number > last, of: part.path, "row \(row.number) follows row \(last)")
            last = row.number
            try body(row)
        }
        return try withoutActuallyEscaping({ try sheet.isSorted ? pass($0) : unsorted.add($0) }) { take in
            let reader = ExcelSheet(part: part.path, strings, styles, links: part.links, take)
            try archive.parse(part.path, by: reader)
            try unsorted.forEachRow(pass)
            return reader.unread
        }
    }
}

/// The list of sheets in `xl/workbook.xml`.
private final class ExcelSheetList: XMLHandler {
    var sheets: [(outline: SheetOutline, relationship: String)] = []
    /// The day that the workbook calls 0: 1899-12-31, or on old Macs 1904-01-01.
    var firstDay = 0

    func begin(_ element: XMLName, _ attributes: XMLAttributes) -> (any XMLHandler)? {
        if element.is("workbookPr") {
            firstDay = attributes.isTrue("date1904") ? 1_462 : 0
        } else if element.is("sheet"), let name = attributes["name"]?.text, let link = attributes["id"]?.text {
            let isHiddenInBook = (attributes["state"]?.text ?? "visible") != "visible"
            sheets.append((SheetOutline(name: name, isHiddenInBook: isHiddenInBook), link))
        }
        return nil
    }
}

/// The parts that a part of a workbook refers to.
final class Relationships: XMLHandler {
    private var links: [String: (type: String, target: String)] = [:]
    /// The targets outside of the workbook.
    private(set) var targets: [String: String] = [:]
    /// The folder of the part, with a slash at its end.
    private let folder: String

    private init(folder: String) { self.folder = folder }

    /// Returns what `part` refers to; nothing if it has no relationships. The part "" is the archive.
    static func of(_ part: String, in archive: ZipArchive) throws -> Relationships {
        let slash = part.lastIndex(of: "/").map { part.index(after: $0) } ?? part.startIndex
        let path = "\(part[..<slash])_rels/\(part[slash...]).rels"
        return try archive.parse(ifThere: path, by: Relationships(folder: String(part[..<slash])))
    }

    subscript(id: String) -> (type: String, target: String)? { links[id] }

    /// Returns the part that a link of a type refers to. Strict and Transitional name types differently.
    func part(ofType suffix: String) -> String? {
        links.values.filter { $0.type.hasSuffix(suffix) }.map(\.target).min()
    }

    func begin(_ element: XMLName, _ attributes: XMLAttributes) -> (any XMLHandler)? {
        guard element.is("Relationship"), let id = attributes["Id"]?.text, let target = attributes["Target"]?.text,
            links.count + targets.count < WorkbookLimits.links + WorkbookLimits.parts
        else { return nil }
        if attributes["TargetMode"]?.text == "External" {
            targets[id] = target
        } else {
            links[id] = (attributes["Type"]?.text ?? "", path(target))
        }
        return nil
    }

    /// Returns the path of a target, which may begin with a slash or have dots.
    private func path(_ target: String) -> String {
        var parts: [Substring] = []
        // Old libraries of .NET separate folders as Windows does.
        let target = target.replacing("\\", with: "/")
        for part in (target.hasPrefix("/") ? target : folder + target).split(separator: "/") {
            if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }
}

/// The number formats of cells in `xl/styles.xml`.
final class ExcelStyles: XMLHandler {
    /// The day that the workbook calls 0.
    let firstDay: Int
    private var codes: [Int: CellFormat] = [:]
    private var formats: [CellFormat] = []

    init(firstDay: Int) { self.firstDay = firstDay }

    /// Returns the format of cells with the style `index`.
    subscript(index: Int) -> CellFormat { formats.indices.contains(index) ? formats[index] : .general }

    func begin(_ element: XMLName, _ attributes: XMLAttributes) -> (any XMLHandler)? {
        switch element {
        case "numFmt":
            guard let id = attributes["numFmtId"]?.number, let code = attributes["formatCode"]?.text else { break }
            codes[id] = CellFormat(code: String(code.prefix(1024)))
        // The styles that those of cells are made from.
        case "cellStyleXfs": return IgnoredXML.shared
        case "xf" where formats.count < 1 << 16:
            let id = attributes["numFmtId"]?.number ?? 0
            formats.append(codes[id] ?? CellFormat(builtIn: id))
        default: break
        }
        return nil
    }
}
