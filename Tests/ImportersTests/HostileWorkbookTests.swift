import Base
import Foundation
import TestSupport
import Testing

@testable import Importers

/// Small files that unpack to much, or ask for much work.
@Suite("Hostile workbooks")
final class HostileWorkbookTests: FileImport {
    private func failure(_ bytes: [UInt8]) throws -> String { try run(bytes, as: "staff.xlsx").error }

    private static let people = """
        <row><c t="str"><v>Name</v></c><c t="str"><v>Team</v></c></row>\
        <row><c t="str"><v>Ann</v></c><c t="str"><v>Lab</v></c></row>
        """

    private static func excel(
        before: String = "", rows: String = people, after: String = "", strings: [String] = []
    ) -> [UInt8] {
        WorkbookParts.excel(
            rows: "", strings: strings, sheet: "\(before)<worksheet><sheetData>\(rows)</sheetData>\(after)</worksheet>",
            gzip: { Gzip.compressed($0) })
    }

    private static func openDocument(_ rows: String) -> [UInt8] {
        WorkbookParts.openDocument("<table:table>\(rows)</table:table>", gzip: { Gzip.compressed($0) })
    }

    /// Reads all rows of the first sheet, and returns their number.
    private func rows(of bytes: [UInt8], tick: @escaping () throws -> Void = {}) throws -> Int {
        try rows(of: write("staff.xlsx", bytes), tick: tick).count
    }

    // MARK: - XML

    @Test func aTagOrACommentOfMoreThanAMegabyteIsRefused() throws {
        let long = String(repeating: "x", count: 2 << 20)
        let (comment, tag) = ("<!--\(long)-->", "<x a=\"\(long)\"/>")
        let sheets = [
            Self.excel(before: comment), Self.excel(rows: Self.people + comment), Self.excel(rows: Self.people + tag),
            Self.excel(after: comment), Self.excel(after: tag), Self.excel(after: "<?x \(long)?>"),
        ]
        for sheet in sheets {
            #expect(
                try failure(sheet)
                    == "cannot import staff.xlsx: xl/worksheets/sheet1.xml has a tag or a comment of more than 1 MiB")
        }
        #expect(
            try failure(Self.openDocument(comment))
                == "cannot import staff.xlsx: content.xml has a tag or a comment of more than 1 MiB")
    }

    @Test(arguments: [14, 40])
    func aCellOfVeryManyLettersIsDamage(_ count: Int) throws {
        let name = String(repeating: "A", count: count) + "1"
        let cell = "<row r=\"1\"><c r=\"\(name)\" t=\"str\"><v>Name</v></c></row>"
        #expect(try failure(Self.excel(rows: cell)).hasSuffix("\(name) is no cell of row 1"))
    }

    /// The cell goes on behind the row, which had taken its column away.
    @Test func aRowInsideACellIsNoCrash() throws {
        #expect(try failure(Self.excel(rows: Self.people + "<row><c><v>1</v><row></row></c></row>")) == "")
    }

    @Test func aRowInsideARowOfOpenDocumentIsReadOnce() throws {
        let cell = "<table:table-cell><text:p>Ann</text:p></table:table-cell>"
        let row = "<table:table-row><table:table-row>\(cell)</table:table-row></table:table-row>"
        #expect(try rows(of: Self.openDocument(row)) == 1)
    }

    @Test func aCommentOfHalfAMegabyteIsNoFault() throws {
        let comment = "<!--\(String(repeating: "x", count: 1 << 19))-->"
        #expect(try rows(of: Self.excel(rows: comment + Self.people + comment)) == 2)
    }

    /// Whatever stands between the tags was copied with each further piece of the part.
    @Test func whiteSpaceBetweenRowsCostsNoMoreThanItsBytes() throws {
        let sheet = Self.excel(rows: Self.people + String(repeating: " ", count: 30 << 20))
        let start = processorTime()
        #expect(try rows(of: sheet) == 2)
        #expect(processorTime() - start < 1_500_000_000)
    }

    /// The processor time of this thread.
    private func processorTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Also if it is shorter when line breaks in it are decoded.
    @Test(arguments: ["x", "_x000D_"])
    func aSharedTextOfMoreThan64KiBIsRefused(_ part: String) throws {
        let text = "<t>\(String(repeating: part, count: 65_537 / part.count + 1))END</t>"
        #expect(
            try failure(Self.excel(strings: [text])) == "cannot import staff.xlsx: it has a text of more than 64 KiB")
    }

    // MARK: - Archives

    @Test func aFileThatUnpacksToAHundredTimesItsSizeIsRefused() throws {
        let sheet = Self.excel(after: String(repeating: " ", count: 33 << 20))
        #expect(
            try failure(sheet) == "cannot import staff.xlsx: its parts are more than 100 times as large as the file")
    }

    @Test func readingEndsWithTheNextPieceWhenTheImportIsCancelled() throws {
        struct Stop: Error {}
        for part in [Self.excel(after: "<x/>"), Self.openDocument("")] {
            #expect(throws: Stop.self) { try rows(of: part) { throw Stop() } }
        }
        var pieces = 0
        _ = try rows(of: Self.excel(after: String(repeating: " ", count: 1 << 20))) { pieces += 1 }
        #expect(pieces > 32)
    }

    // MARK: - Merged and repeated cells

    @Test(arguments: [("A2:A4", "A3:B5", 3), ("B1:C9", "A2:B3", 2), ("A1:A2", "A1:A2", 1)])
    func overlappingMergedCellsAreRefused(_ one: String, _ other: String, _ row: Int) throws {
        let rows = (1...9).map { "<row><c t=\"str\"><v>\($0 == 1 ? "Name" : "Ann\($0)")</v></c></row>" }.joined()
        let merged = "<mergeCells><mergeCell ref=\"\(one)\"/><mergeCell ref=\"\(other)\"/></mergeCells>"
        #expect(
            try failure(Self.excel(rows: rows, after: merged))
                == "cannot import staff.xlsx: merged cells overlap in row \(row)")
    }

    @Test func overlappingSpansOfOpenDocumentAreRefused() throws {
        let cell = "<table:table-cell table:number-rows-spanned=\"1000\"><text:p>Name</text:p></table:table-cell>"
        #expect(
            try failure(Self.openDocument(String(repeating: "<table:table-row>\(cell)</table:table-row>", count: 3)))
                == "cannot import staff.xlsx: merged cells overlap in row 2")
    }

    /// Areas that touch do not overlap.
    @Test func mergedCellsBesideAndBelowEachOtherAreRead() throws {
        let rows = (1...4).map { "<row><c r=\"A\($0)\"><v>\($0)</v></c><c r=\"C\($0)\"><v>\($0)0</v></c></row>" }
            .joined()
        let merged = ["A1:B2", "A3:B4", "C1:C3"].map { "<mergeCell ref=\"\($0)\"/>" }.joined()
        let found = try self.rows(of: write("a", Self.excel(rows: rows, after: "<mergeCells>\(merged)</mergeCells>")))
        let texts = found.map { $0.map { "\($0.name)=\($0.text)" }.joined(separator: " ") }
        #expect(texts == ["A1=1 C1=10", "A2=1 C2=10", "A3=3 C3=10", "A4=3 C4=40"])
    }

    @Test func aFewBytesDoNotRepeatMillionsOfCells() throws {
        let cell = """
            <table:table-cell table:number-columns-repeated="1000"><text:p>x</text:p></table:table-cell>
            """
        let row = "<table:table-row table:number-rows-repeated=\"1000\">\(cell)</table:table-row>"
        #expect(
            try failure(Self.openDocument(String(repeating: row, count: 17)))
                == "cannot import staff.xlsx: its cells are repeated more than 16,777,216 times")
    }
}
