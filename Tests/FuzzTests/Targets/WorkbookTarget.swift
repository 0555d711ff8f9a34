import Base
import Foundation
import TestSupport

@testable import Importers

extension FuzzTarget {
    /// Sheets of Excel (`x`) and OpenDocument (`o`), number formats (`f`) and archives (anything else), by the first
    /// byte.
    static let workbook = FuzzTarget(
        name: "workbook",
        words: [
            "<row r=\"2\">", "</row>", "<c r=\"B2\" t=\"s\" s=\"1\">", "<c t=\"inlineStr\"><is><t>", "<v>1</v></c>",
            "<mergeCell ref=\"A1:B9\"/>", "<col min=\"1\" max=\"3\" hidden=\"1\"/>", "_x000D_", "1048576", "16384",
            "<table:table-row table:number-rows-repeated=\"1000\">", "table:number-columns-repeated=\"1000\"",
            "table:number-rows-spanned=\"2\"", "office:value-type=\"date\"", "office:date-value=\"2020-03-01\"",
            "office:value-type=\"time\" office:time-value=\"PT26H\"", "<text:p>", "</text:p>", "[h]:mm", "yyyy",
            "#,##0", "\"", "\\", "[$€-407]", ";", "1e308", "-1", "<!DOCTYPE x>", "&amp;", "PK\u{1}\u{2}",
        ]
    ) { bytes in
        let text = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
        let archive: [UInt8]
        switch bytes.first {
        case UInt8(ascii: "x"): archive = WorkbookParts.excel(rows: "", formats: ["yyyy", "0%"], sheet: text.text)
        case UInt8(ascii: "o"): archive = WorkbookParts.openDocument(text.text)
        case UInt8(ascii: "f"): return checkFormat(text.text)
        default: archive = Array(bytes)
        }
        try checkRows(of: archive)
    }
}

/// Whatever the format is, every number has a text.
private func checkFormat(_ code: String) {
    let format = CellFormat(code: code)
    let buffer = ByteBuffer()
    for value in [0, 1, -1, 0.5, 43_891.4, 1e15, 1e300, -1e-300, 2_958_465.999999] {
        format.append(value, to: buffer)
        format.append(value, firstDay: 1_462, to: buffer)
    }
}

/// Rows and their cells come in order, within the limits.
private func checkRows(of archive: [UInt8]) throws {
    var name = Array("/tmp/rollcall-fuzz-XXXXXX".utf8CString)
    let file = mkstemp(&name)
    unlink(name)
    defer { close(file) }
    try hold(archive.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == archive.count, "the disk is full")
    guard let book = try? WorkbookFile.open(file) else { return }
    for sheet in book.sheets {
        var number = 0
        _ = try? book.forEachRow(of: sheet) { row in
            precondition(row.number > number && row.number <= WorkbookLimits.rows, "row \(row.number)")
            number = row.number
            var column = -1
            for cell in row.cells {
                precondition(cell.column > column && cell.column < WorkbookLimits.columns, "column \(cell.column)")
                precondition(Int(cell.text.count) <= 2 * WorkbookLimits.cellBytes)
                column = cell.column
            }
        }
    }
}
