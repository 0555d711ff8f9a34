import Base

/// A workbook of Excel: Office Open XML (ECMA-376), Transitional or Strict.
final class ExcelWorkbook: Workbook {
    let format = ImportFormat.xlsx
    private(set) var sheets: [SheetOutline] = []
    private let archive: ZipArchive
    /// The parts of the sheets, and what follows their rows.
    private var parts: [String] = []
    private var extras: [ExcelSheet.Extras] = []
    private let strings = SharedStrings()
    private let styles = ExcelStyles()
    private let isFrom1904: Bool

    /// - Parameter main: The part with the list of sheets, such as `xl/workbook.xml`.
    init(_ archive: ZipArchive, main: String) throws {
        self.archive = archive
        let list = ExcelSheetList()
        try archive.parse(main, by: list)
        isFrom1904 = list.isFrom1904
        let links = try Relationships.of(main, in: archive)
        try archive.parse(ifThere: links.part(ofType: "/sharedStrings") ?? "", by: strings)
        try archive.parse(ifThere: links.part(ofType: "/styles") ?? "", by: styles)
        for sheet in list.sheets {
            // A sheet with a chart alone has no cells.
            guard let link = links[sheet.relationship], link.type.hasSuffix("/worksheet") else { continue }
            let reader = ExcelSheet(part: link.target, strings, styles, isFrom1904: isFrom1904)
            reader.outline = SheetOutline(name: sheet.name, isHidden: sheet.isHidden)
            reader.isOutlining = true
            var scan = SheetScan(part: link.target)
            let xml = try XMLReader(part: link.target, handler: reader, leavesOutOthers: true)
            try archive.forEachChunk(of: link.target) { try scan.read($0, into: xml) }
            try reader.finish()
            reader.outline.rows += scan.rows
            reader.outline.width = max(reader.outline.width, scan.width)
            reader.outline.isSorted = reader.outline.isSorted && scan.isSorted
            reader.extras.targets = try Relationships.of(link.target, in: archive).targets
            parts.append(link.target)
            extras.append(reader.extras)
            sheets.append(reader.outline)
        }
    }

    func forEachRow(ofSheet index: Int, _ body: (SheetRow) throws -> Void) throws -> UnreadCells {
        let reader = ExcelSheet(
            part: parts[index], strings, styles, isFrom1904: isFrom1904, isSorted: sheets[index].isSorted)
        reader.links = extras[index].linkTargets
        reader.merged.add(extras[index].merged)
        return try withoutActuallyEscaping(body) { body in
            reader.body = body
            defer { reader.body = nil }
            try archive.parse(parts[index], by: reader)
            try reader.finish()
            return reader.unread
        }
    }
}

/// The list of sheets in `xl/workbook.xml`.
private final class ExcelSheetList: XMLHandler {
    struct Sheet {
        var name: String
        var relationship: String
        var isHidden: Bool
    }

    var sheets: [Sheet] = []
    var isFrom1904 = false

    func begin(_ element: XMLName, _ attributes: XMLAttributes) {
        if element.is("workbookPr") {
            isFrom1904 = attributes.isTrue("date1904")
        } else if element.is("sheet"), let name = attributes.text("name"), let link = attributes.text("id") {
            let state = attributes.text("state") ?? "visible"
            sheets.append(Sheet(name: name, relationship: link, isHidden: state != "visible"))
        }
    }
}

/// The parts that a part of a workbook refers to.
final class Relationships: XMLHandler {
    struct Link {
        var type: String
        var target: String
        var isExternal: Bool
    }

    private var links: [String: Link] = [:]
    /// The folder of the part, with a slash at its end.
    private let folder: String

    private init(folder: String) { self.folder = folder }

    /// Returns what `part` refers to; nothing if it has no relationships. The part "" is the archive.
    static func of(_ part: String, in archive: ZipArchive) throws -> Relationships {
        let slash = part.lastIndex(of: "/").map { part.index(after: $0) } ?? part.startIndex
        let path = "\(part[..<slash])_rels/\(part[slash...]).rels"
        return try archive.parse(ifThere: path, by: Relationships(folder: String(part[..<slash])))
    }

    subscript(id: String) -> Link? { links[id] }

    /// The targets outside of the workbook.
    var targets: [String: String] { links.filter(\.value.isExternal).mapValues(\.target) }

    /// Returns the part that a link of a type refers to. Strict and Transitional name types differently.
    func part(ofType suffix: String) -> String? {
        links.values.filter { $0.type.hasSuffix(suffix) }.map(\.target).min()
    }

    func begin(_ element: XMLName, _ attributes: XMLAttributes) {
        guard element.is("Relationship"), let id = attributes.text("Id"), let target = attributes.text("Target"),
            links.count < WorkbookLimits.links + WorkbookLimits.parts
        else { return }
        let isExternal = attributes.text("TargetMode") == "External"
        links[id] = Link(
            type: attributes.text("Type") ?? "", target: isExternal ? target : path(target), isExternal: isExternal)
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
    private var codes: [Int: CellFormat] = [:]
    private var formats: [CellFormat] = []
    private var isInCells = false
    /// Whether a format shows texts in another way than they are.
    private var changesTexts = false

    /// Returns how cells with the style `index` show texts; `nil` if as they are.
    func text(_ index: Int) -> TextPattern? { changesTexts ? self[index].text : nil }

    /// Returns the format of cells with the style `index`.
    subscript(index: Int) -> CellFormat { formats.indices.contains(index) ? formats[index] : .general }

    func begin(_ element: XMLName, _ attributes: XMLAttributes) {
        if element.is("numFmt") {
            guard let id = attributes.number("numFmtId"), let code = attributes.text("formatCode") else { return }
            codes[id] = CellFormat(code: String(code.prefix(1024)))
        } else if element.is("cellXfs") {
            isInCells = true
        } else if element.is("xf"), isInCells, formats.count < 1 << 16 {
            let id = attributes.number("numFmtId") ?? 0
            let format = codes[id] ?? CellFormat(builtIn: id)
            if format.text != nil { changesTexts = true }
            formats.append(format)
        }
    }

    func end(_ element: XMLName) { if element.is("cellXfs") { isInCells = false } }
}
