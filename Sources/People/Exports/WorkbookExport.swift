import Base
import CXLSXWriter
import Foundation

/// Writes a directory as a workbook of Excel, row by row: it needs the memory of one row.
public final class WorkbookExport {
    /// The rows of a sheet, without that of the headings.
    public static let maxPeople = 1_048_575

    /// The number of texts that were too long for a cell.
    public private(set) var cutTexts = 0

    private var pages: ExportPages
    private let layout: ExportLayout
    private let instance: String
    private let limit: Int
    /// `nil` before the first page, whose directory has them.
    private var columns: ExportColumns?
    private let sheet: UnsafeMutablePointer<lxw_worksheet>
    private let textFormat: UnsafeMutablePointer<lxw_format>?
    private let dateFormat: UnsafeMutablePointer<lxw_format>?
    private let headingFormat: UnsafeMutablePointer<lxw_format>?
    /// `nil` once it is written.
    private var book: UnsafeMutablePointer<lxw_workbook>?
    private var row: UInt32 = 0
    private let cell = ByteBuffer(capacity: 256)

    /// Creates a workbook of the people of `query` at `path`, where no file is until ``finish()``. Throws if no
    /// temporary file, which the rows go to until then, can be made in the folder of `path`.
    ///
    /// - Parameters:
    ///   - instance: ``UserStore/instance`` of the store.
    ///   - limit: The most people; the workbook of more cannot be made.
    public init(
        of query: UserQuery, _ layout: ExportLayout, in instance: String, title: String, path: String,
        limit: Int = maxPeople
    ) throws {
        pages = ExportPages(of: query)
        (self.layout, self.instance, self.limit) = (layout, instance, limit)
        var options = lxw_workbook_options()
        options.constant_memory = 1
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let book = folder.withCString { folder in
            // libxlsxwriter copies the name.
            options.tmpdir = UnsafeMutablePointer(mutating: folder)
            return workbook_new_opt(path, &options)
        }
        let name = Self.sheetName(title)
        guard let book, let sheet = workbook_add_worksheet(book, name) ?? workbook_add_worksheet(book, nil) else {
            throw Self.failure(LXW_ERROR_MEMORY_MALLOC_FAILED)
        }
        (self.book, self.sheet) = (book, sheet)
        textFormat = Self.addFormat("@", to: book)
        dateFormat = Self.addFormat("yyyy\\-mm\\-dd", to: book)
        headingFormat = Self.addFormat("@", to: book)
        if let headingFormat { format_set_bold(headingFormat) }
        worksheet_freeze_panes(sheet, 1, 0)
    }

    private static func addFormat(
        _ number: String, to book: UnsafeMutablePointer<lxw_workbook>
    ) -> UnsafeMutablePointer<lxw_format>? {
        let format = workbook_add_format(book)
        if let format { format_set_num_format(format, number) }
        return format
    }

    /// Writes the headings of the columns that `directory` has.
    private func begin(_ directory: Directory) -> ExportColumns {
        let columns = ExportColumns(layout, of: directory, in: instance)
        for (index, column) in columns.columns.enumerated() {
            let place = UInt16(index)
            // Texts that are typed into empty cells stay texts, too.
            worksheet_set_column(sheet, place, place, 18, column.isText ? textFormat : nil)
            cell.removeAll()
            cell.append(utf8: column.heading)
            writeText(place, headingFormat)
        }
        self.columns = columns
        return columns
    }

    deinit { if let book { lxw_workbook_free(book) } }

    public var people: Int { Int(row) }

    /// Writes the people of the next page, which `read` returns. Returns `false` after the last one. Throws an
    /// ``ExportError`` as a ``DirectoryExport`` does, and if there are too many people.
    public func appendPage(from read: (UserQuery) throws -> Page?) throws -> Bool {
        let page = try pages.next(read)
        let columns = columns ?? begin(page.directory)
        try columns.check(page.directory)
        for row in page.users.rows {
            guard people < limit else { throw ExportError.tooMany(limit) }
            try append(row, of: page.users, columns)
        }
        guard page.hasNext, let last = page.users.rows.indices.last else { return false }
        pages.query.goOn(after: last, of: page.users)
        return true
    }

    private func append(_ user: UserRow, of users: UserRows, _ columns: ExportColumns) throws {
        row += 1
        try users.text.withUnsafeBytes { text in
            try columns.forEachValue(of: user, text) { column, value in
                cell.removeAll()
                value?.append(textTo: cell)
                // Nobody could read a part of an object.
                if case .rest = value, isTooLong {
                    throw ExportError.tooLong(login: String(decoding: text[user.login], as: UTF8.self))
                }
                write(column, isText: columns.columns[column].isText)
            }
        }
    }

    /// Writes ``cell``: as a number or a date if an import reads the same characters from it, else as text.
    private func write(_ column: Int, isText: Bool) {
        if cell.isEmpty { return }
        let place = UInt16(column)
        if !isText, let number = cell.bytes.plainNumber {
            worksheet_write_number(sheet, row, place, number, nil)
        } else if !isText, let day = cell.bytes.plainDay {
            worksheet_write_number(sheet, row, place, Double(day), dateFormat)
        } else {
            writeText(place, textFormat)
        }
    }

    private func writeText(_ place: UInt16, _ format: UnsafeMutablePointer<lxw_format>?) {
        // Only texts that begin with an apostrophe need another: the format keeps the others from being formulas.
        if cell.bytes.first == UInt8(ascii: "'"), cell.bytes.isFormula {
            let text = [UInt8](cell)
            cell.removeAll()
            cell.append("'")
            cell.append(text)
        }
        cutCell()
        // The library takes the text up to the first NUL.
        cell.append(UInt8(0))
        cell.base.withMemoryRebound(to: CChar.self, capacity: cell.count) { text in
            _ = worksheet_write_string(sheet, row, place, text, format)
        }
    }

    /// The UTF-16 units of a cell, the limit of Excel.
    private static let maxUnits = 32_767

    /// Whether `cut` is what a workbook keeps of `text`, which is too long for a cell.
    public static func isCut(_ cut: String, of text: String) -> Bool {
        // A guard, and half of a character, may be missing at the end.
        text.utf8.count > maxUnits && (maxUnits - 2...maxUnits).contains(cut.utf16.count)
            && text.utf16.count > maxUnits && text.utf8.starts(with: cut.utf8)
    }

    private var isTooLong: Bool { cell.count > Self.maxUnits && String(cell).utf16.count > Self.maxUnits }

    private func cutCell() {
        guard isTooLong else { return }
        let text = String(cell)
        cutTexts += 1
        var kept = text.utf16.prefix(Self.maxUnits)
        while String(kept) == nil { kept = kept.dropLast() }
        cell.removeAll()
        cell.append(utf8: String(kept) ?? "")
    }

    public func finish() throws {
        guard let book else { return }
        worksheet_autofilter(sheet, 0, 0, row, UInt16((columns?.columns.count ?? 1) - 1))
        self.book = nil
        let code = workbook_close(book)
        guard code == LXW_NO_ERROR else { throw Self.failure(code) }
    }

    private static func failure(_ code: lxw_error) -> RollcallError {
        let reason = lxw_strerror(code).map { String(cString: $0) } ?? "unknown error"
        return RollcallError("the workbook cannot be written: \(reason)")
    }

    /// Returns a name that a sheet may have: 31 characters at most, none of them `[]:*?/\`, and no apostrophe or space
    /// at its ends.
    private static func sheetName(_ title: String) -> String {
        var name = String(title.map { "[]:*?/\\".contains($0) || $0.isNewline ? " " : $0 })
        while name.utf16.count > 31 { name.removeLast() }
        name = name.trimmingCharacters(in: CharacterSet(charactersIn: "' "))
        return name.isEmpty ? "People" : name
    }
}

extension UnsafeRawBufferPointer {
    /// The number, if spreadsheets show it with the same characters: at most 15 digits, no zeros that they leave out,
    /// and no exponent.
    fileprivate var plainNumber: Double? {
        guard (1...15).contains(count(where: \.isDigit)), !contains(UInt8(ascii: "e")),
            case let text = String(decoding: self, as: UTF8.self), let number = Double(text)
        else { return nil }
        let shown = Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        return shown == text ? number : nil
    }

    /// The number of a day from 1900-03-01 on, if the text is a date such as `2020-03-01`.
    fileprivate var plainDay: Int? {
        // Neither `2020-03- 1` nor `2020-03-1.`, which are dates, too.
        guard count == 10, self[4] == UInt8(ascii: "-"), self[7] == UInt8(ascii: "-"),
            count(where: \.isDigit) == 8, let days = FieldDate.read(self, nil)
        else { return nil }
        let serial = days + 25_569
        return serial > 60 ? serial : nil
    }
}
