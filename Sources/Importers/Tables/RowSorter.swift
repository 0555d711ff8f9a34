import Base

/// Decides for each row below a header whether it is a person. A row of few cells waits for the next full one, which
/// says whether it is the heading of a section; all others are judged at once.
struct RowSorter {
    private let rules: RowRules
    private let quick: QuickCheck
    private let sections: Sections
    private var isFirst = true
    /// The rows of few cells since the last full one.
    private var open: [TableRow] = []
    /// Whether a blank row stands before one of them.
    private var isOpenAfterBlank: Bool { open.last?.isAfterBlank ?? false }

    /// Rows that wait; more are notes.
    private static let maxOpen = 64

    /// - Parameter width: The number of the table's columns, if each person gets the heading of its section behind
    /// them.
    init(_ rules: RowRules, sectionsBehind width: Int? = nil) {
        self.rules = rules
        sections = Sections(width: width)
        quick = QuickCheck(rules)
    }

    /// Judges a row whose first cell is merged over `span` columns, and passes it to `found` with its kind, after those
    /// that have waited for it. A kind of `nil` is a person, whose cells have that of the section at their end.
    mutating func take(
        _ cells: [UnsafeRawBufferPointer], number: Int, isAfterBlank: Bool, span: Int = 1,
        _ found: (RowKind?, [UnsafeRawBufferPointer], Int) throws -> Void
    ) rethrows {
        let (sections, span) = (sections, span * 2 > rules.typical ? span : 1)
        if !isFirst, !isAfterBlank, open.isEmpty, span == 1, quick.isPerson(cells) {
            return try found(nil, sections.added(to: cells), number)
        }
        let texts = cells.map { String(decoding: $0, as: UTF8.self) }
        let row = TableRow(number: number, cells: texts, isAfterBlank: isAfterBlank, span: span)
        try judge(row) { try sections.pass($0, $1, found) }
    }

    mutating func finish(_ found: (RowKind?, [UnsafeRawBufferPointer], Int) throws -> Void) rethrows {
        let sections = sections
        try close(isBeforePeople: false) { try sections.pass($0, $1, found) }
    }

    /// Does the same with a row of evidence.
    mutating func judge(_ row: TableRow, _ found: (RowKind?, TableRow) throws -> Void) rethrows {
        var row = row
        row.isAfterBlank = row.isAfterBlank || isOpenAfterBlank
        let verdict = rules.verdict(on: row, isFirst: isFirst)
        isFirst = false
        switch verdict {
        case .open where open.count < Self.maxOpen: open.append(row)
        case .open: try found(.note, row)
        case .other(let kind):
            // A header and dashes say nothing about the rows before them.
            if kind != .header, kind != .dashes { try close(isBeforePeople: false, found) }
            try found(kind, row)
        case .person:
            try close(isBeforePeople: true, found)
            try found(nil, row)
        }
    }

    /// Judges the rows that have waited.
    mutating func close(isBeforePeople: Bool, _ found: (RowKind?, TableRow) throws -> Void) rethrows {
        let isAfterBlank = isOpenAfterBlank
        for row in open {
            let kind = rules.kind(ofOpen: row, isBeforePeople: isBeforePeople, isAfterBlank: isAfterBlank)
            if kind == .section { sections.begin(row.cells.first { !$0.isEmpty } ?? "") }
            try found(kind, row)
        }
        open.removeAll(keepingCapacity: true)
    }
}

/// The cell behind the others with the heading of a row's section.
private struct Sections {
    /// The number of cells before it; `nil` if people have no such cell.
    let width: Int?
    private let text = ByteBuffer(capacity: 64)
    /// The texts of the row that is passed on.
    private let kept = ByteBuffer(capacity: 256)

    init(width: Int?) { self.width = width }

    func begin(_ heading: String) {
        text.removeAll()
        text.append(utf8: heading)
    }

    func added(to cells: [UnsafeRawBufferPointer]) -> [UnsafeRawBufferPointer] {
        guard let width else { return cells }
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        return cells + repeatElement(empty, count: width - cells.count) + [text.bytes]
    }

    func pass(
        _ kind: RowKind?, _ row: TableRow, _ found: (RowKind?, [UnsafeRawBufferPointer], Int) throws -> Void
    ) rethrows {
        kept.removeAll()
        let slices = row.cells.map { kept.keep($0) }
        let cells = slices.map { kept.bytes[$0] }
        try found(kind, kind == nil ? added(to: cells) : cells, row.number)
    }
}

/// Recognizes most people without a look at their words.
private struct QuickCheck {
    private let names: [Int]
    private let minCells: Int
    /// The first texts of the header's rows, by column.
    private let headers: [(column: Int, text: [UInt8])]
    /// A bit for each beginning of a word that stands in the place of a name.
    private var beginnings = [UInt64](repeating: 0, count: 1024)

    init(_ rules: RowRules) {
        names = rules.names
        minCells = rules.typical > 1 ? 2 : 1
        headers = rules.headers.compactMap { header in
            header.firstIndex { !$0.isEmpty }.map { (column: $0, text: Array(header[$0].utf8)) }
        }
        for word in TableWords.totals.union(TableWords.vacancies) {
            let points = word.replacing(" ", with: ".") + "."
            for spelling in [word, points, points.replacing(".", with: ". "), word.capitalized, word.uppercased()] {
                Array(spelling.utf8).withUnsafeBytes { bytes in
                    let bit = Self.beginning(bytes)
                    beginnings[bit >> 6] |= 1 << UInt64(bit & 63)
                }
            }
        }
    }

    /// Whether a row is certainly a person: it has enough cells, and its name is not a word of the table's language.
    func isPerson(_ cells: [UnsafeRawBufferPointer]) -> Bool {
        var filled = 0
        for cell in cells where !cell.isEmpty { filled += 1 }
        guard filled >= minCells, let index = names.first(where: { $0 < cells.count && !cells[$0].isEmpty }) else {
            return false
        }
        let name = cells[index]
        let first = name[0]
        // Brackets, stars and dashes; letters with accents, which words lack.
        guard first >= 0x80 || first.isLetter, first != 0xC3 else { return false }
        let bit = Self.beginning(name)
        guard beginnings[bit >> 6] & 1 << UInt64(bit & 63) == 0 else { return false }
        return !headers.contains { column, text in
            column < cells.count && text.withUnsafeBytes { cells[column].equals($0) }
        }
    }

    /// A number below 65,536 that depends on the first four bytes in lower case.
    private static func beginning(_ text: UnsafeRawBufferPointer) -> Int {
        var key: UInt32 = 0
        for index in 0..<min(4, text.count) {
            let byte = text[index]
            key = key << 8 | UInt32(byte.lowercased)
        }
        return Int((key &* 2_654_435_769) >> 16)
    }
}
