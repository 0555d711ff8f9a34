import Base
import Foundation
import People
import Publishing

/// The row of a table that names its columns.
final class CSVHeader {
    /// The number of rows among which the header is searched: titles and notes stand above some tables.
    static let maxLines = 20

    /// The names, as written, except those in ``renamed``. No two are equal, and none is empty.
    let titles: [String]
    /// The columns whose heading, as in the file, is empty or not the first of its kind, numbered from 1 on.
    let renamed: [(number: Int, heading: String, name: String)]
    let text = ByteBuffer(capacity: 512)
    /// The names, escaped as in a JSON string, in ``text``.
    let keys: [ByteSlice]
    /// Whether this is the header of an export in Rollcall's own layout.
    private let isOwnExport: Bool
    /// Whether the file is an export of Rollcall, in either layout: cells are guarded against formulas in spreadsheets,
    /// and the last row may be a proof.
    let isGuarded: Bool

    /// The number of columns of the table. The column for sections follows it and does not count.
    let width: Int
    /// The number of columns up to the last one with a heading.
    private let named: Int
    /// Whether the last column has the headings of sections.
    var hasSections: Bool { titles.count > width }

    /// Returns the record of a row, whose cells are as the file has them.
    func record(_ cells: [UnsafeRawBufferPointer]) -> SourceRecord {
        .row(isGuarded ? cells.map(\.withoutFormulaGuard) : cells, self)
    }

    /// Whether only one of three or more cells of a row has text.
    func hasOnlyName(_ cells: [UnsafeRawBufferPointer]) -> Bool {
        width >= 3 && cells.prefix(width).lazy.filter { !$0.isEmpty }.prefix(2).count == 1
    }

    /// Creates the header of a table with `headings`, as written.
    init(_ headings: [String], hasSections: Bool = false) {
        var distinct = DistinctNames()
        var written = headings
        width = written.count
        named = written.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
        if hasSections { written.append(Self.section) }
        titles = written.enumerated().map { distinct.name($1, number: $0 + 1) }
        renamed = zip(written, titles).enumerated().compactMap { index, names in
            names.0 == names.1 ? nil : (index + 1, names.0, names.1)
        }
        keys = titles.map(text.keep(escaping:))
        isOwnExport = ColumnMapping.Marks(titles.map(ColumnNames.marks)).isSuperset(of: .ownExport)
        isGuarded = isOwnExport || titles.contains(where: Self.isHandleHeading)
    }

    /// The heading of the column with the headings of sections.
    static let section = "Section"

    /// The error of a table whose widest row has `titles`, and none of them is a name.
    static func lacksName(_ titles: [String]) -> RollcallError {
        // A program has taken each row for one text.
        let isQuoted = titles.count == 1 && titles[0].contains { ",;\t|".contains($0) }
        let cure =
            isQuoted
            ? "the rows are in quotes as a whole" : "name it with --map name=COLUMN, or add a row of headings"
        return RollcallError(
            "expected a header with a column for the login or the name, found \(list(titles)); \(cure)")
    }

    /// Returns the headings in composed form: macOS writes decomposed letters, and the same heading must be equal byte
    /// by byte in all files of a directory. Line breaks and other white space in them are one space, which people can
    /// type; soft hyphens and marks that nobody sees are nothing.
    static func titles(_ cells: [String]) -> [String] {
        cells.map { cell in
            String(String.UnicodeScalarView(cell.unicodeScalars.filter { !unseen.contains($0.value) }))
                .precomposedStringWithCanonicalMapping.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
    }

    /// The soft hyphen, spaces without width, marks of direction and of byte order.
    private static let unseen: Set<UInt32> = [0xAD, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF]

    /// Whether the header has a column with the handles of an export, of this directory or of another one. Its cells
    /// are guarded against formulas, and white space in them is somebody's data.
    static func isExport(_ cells: [String]) -> Bool { titles(cells).contains(where: isHandleHeading) }

    private static func isHandleHeading(_ title: String) -> Bool { HandleHeading(title) != nil }

    /// Returns the headings of an export without their guards.
    static func exportedTitles(_ cells: [UnsafeRawBufferPointer]) -> [String] {
        cells.map { cell in
            let title = titles([String(decoding: cell, as: UTF8.self)])[0]
            if isHandleHeading(title) { return title }
            return String(decoding: cell.withoutFormulaGuard, as: UTF8.self).precomposedStringWithCanonicalMapping
        }
    }

    /// Returns why the last row of the file, with `count` cells and no line end, is incomplete; `nil` if it may be
    /// complete.
    ///
    /// Rows with a line end may have fewer cells: Excel leaves out the separators before trailing cells that are empty
    /// in a whole block of rows. A last row without a line end may have been cut off, and its cells are then wrong:
    /// half a URL, or a missing status. Rollcall's own export ends every row.
    func cut(after count: Int) -> String? {
        if isOwnExport { return "expected the end of the line, found the end of the file, which was cut off" }
        if count >= named { return nil }
        return "expected \(named) columns, found \(count) and the end of the file, which was cut off"
    }

    /// Whether one of `titles` is a column that identifies or names a person.
    static func hasName(_ titles: [String], _ names: ColumnNames, byPersonsAlone: Bool = true) -> Bool {
        titles.contains { names.isMapped($0) || names.meaning(of: $0).isName }
            || HeaderWords.hasName(titles, byPersonsAlone: byPersonsAlone)
            || FieldRole.of(headings: titles).contains(.reading)
    }

    static func list(_ titles: [String]) -> String {
        quoted(titles.map { isHeading($0) ? NormalizedText.cleaned(String($0.prefix(40))) : nil })
    }

    /// Whether a text may be a heading, and not somebody's address, number or date in a table without a header.
    private static func isHeading(_ title: String) -> Bool {
        let digits = title.unicodeScalars.count { $0.properties.numericType == .decimal }
        return !title.contains("@") && title.unicodeScalars.count(where: \.properties.isAlphabetic) >= digits
    }
}

extension ByteBuffer {
    /// Appends `text` as a JSON string, and returns the slice between the quotes.
    func keep(escaping text: String) -> ByteSlice {
        let start = count
        append(jsonString: text)
        return ByteSlice(offset: start + 1, count: count - start - 2)
    }
}

extension ColumnMapping {
    /// Whether the column, or a template that reads it, identifies or names a person.
    var isName: Bool { isPartOfName || [.login, .name, .handle].contains(role) }
}

/// The separator and the line end of a CSV file.
struct CSVDialect {
    var separator: UInt8
    /// A line feed, possibly after a carriage return; or a carriage return alone, as in the format “CSV (Macintosh)” of
    /// spreadsheets.
    var lineEnd: UInt8
    /// Whether the first line is `sep=;`, which tells Excel the separator.
    var hasSeparatorLine = false

    private static let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]

    /// Detects the dialect of a file that begins with `start`. Unless the separator is given, a first line `sep=;`
    /// names it. Otherwise it is the most frequent of comma, semicolon, tab and bar outside of quotes in the first line
    /// whose cells `isHeader` recognizes, or else in the first line that has any.
    init(
        of start: UnsafeRawBufferPointer, separator: UInt8? = nil, isHeader: ([String]) -> Bool = { _ in false }
    ) {
        let lines = Self.lines(of: start)
        let first = lines.first?.text ?? start[start.endIndex...]
        // Two carriage returns before a line feed are a line end that was converted twice.
        let afterReturns = start[first.endIndex...].first { $0 != 0x0D }
        lineEnd = first.endIndex == start.endIndex || afterReturns == 0x0A ? 0x0A : start[first.endIndex]
        if let told = Self.separator(toldBy: first), first.startIndex == 0 {
            hasSeparatorLine = true
            self.separator = separator ?? told
            return
        }
        let divided = lines.filter { $0.cells > 1 }
        let header = divided.first { line in
            // A header never has more cells, and looking at each of them would take long.
            line.text.count { $0 == line.separator } < RecordLimits.columns
                && isHeader(line.text.split(separator: line.separator).map(Self.text))
        }
        self.separator = separator ?? (header ?? divided.first)?.separator ?? UInt8(ascii: ",")
    }

    /// Returns the separator in a line such as `sep=;` or `"sep=;"`.
    private static func separator(toldBy line: Slice<UnsafeRawBufferPointer>) -> UInt8? {
        // A header may have a megabyte, which is not copied.
        let text = line.lazy.filter { $0 != UInt8(ascii: "\"") }
        let (start, end) = (Array(text.prefix(4)), text.dropFirst(4))
        guard String(decoding: start, as: UTF8.self).lowercased() == "sep=" else { return nil }
        // A spreadsheet that saves the file again turns the line into a row: `sep=;;;;`.
        return end.allSatisfy { $0 == end.first } ? end.first : nil
    }

    /// A line without its end, the candidate that it has most of outside of quotes, and the number of cells between
    /// these.
    private typealias Line = (text: Slice<UnsafeRawBufferPointer>, separator: UInt8, cells: Int)

    /// Returns the first lines that are not blank. A line end inside quotes does not count.
    private static func lines(of start: UnsafeRawBufferPointer) -> [Line] {
        var lines: [Line] = []
        var counts = [Int](repeating: 0, count: 256)
        var isQuoted = false
        var lineStart = 0
        func endLine(_ end: Int) {
            let text = start[lineStart..<end]
            let separator = candidates.max { counts[Int($0)] < counts[Int($1)] } ?? candidates[0]
            if !text.allSatisfy(\.isWhitespace) { lines.append((text, separator, 1 + counts[Int(separator)])) }
            for candidate in candidates { counts[Int(candidate)] = 0 }
            lineStart = end + 1
        }
        for (index, byte) in start.enumerated() {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            counts[Int(byte)] += 1
            if byte == 0x0A || byte == 0x0D { endLine(index) }
            if lines.count == CSVHeader.maxLines { return lines }
        }
        endLine(start.count)
        return lines
    }

    private static func text(of cell: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: cell.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self).trimmed
    }
}
