import Bytes
import JSON

/// The first row of a table: what its columns are called and taken for.
struct CSVHeader {
    struct Column {
        /// The name between the quotes of a JSON string, in ``text``.
        var key: Slice
        var meaning: ColumnMapping
    }

    let text = ByteBuffer(capacity: 512)
    private(set) var columns: [Column] = []
    /// Whether this is the header of Rollcall's own export, whose cells are guarded against spreadsheets.
    let isOwnExport: Bool

    init(cells: [UnsafeRawBufferPointer], names: ColumnNames) throws(ImportError) {
        let titles = cells.map { String(decoding: $0, as: UTF8.self).trimmed }
        let missing = names.missing(in: titles)
        if !missing.isEmpty {
            throw ImportError("expected a column \"\(missing[0])\", found \(Self.list(titles))")
        }
        for title in titles {
            let start = text.count
            text.append(jsonString: title)
            let key = Slice(offset: start + 1, count: text.count - start - 2)
            columns.append(Column(key: key, meaning: names.meaning(of: title)))
        }
        isOwnExport = columns.reduce(into: ColumnMapping.Marks()) { $0.formUnion($1.meaning.marks) }.isSuperset(
            of: .ownExport)
        let roles = columns.compactMap(\.meaning.role)
        if !roles.contains(where: { [.login, .name, .firstName, .lastName].contains($0) }) {
            throw ImportError(
                "expected a header with a column for the login or the name, found \(Self.list(titles)); "
                    + "name it with --map login=COLUMN")
        }
    }

    /// Why a row of so many cells that no line end follows is not whole; `nil` if it may be.
    ///
    /// Rows with a line end may have fewer: Excel leaves out the separators before cells at the end that are empty in a whole
    /// block of rows. A file that ends without one may have lost the rest of its last row, and its cells are then somebody
    /// else's: half an address, or no status. Rollcall's own export ends every row.
    func cut(after count: Int) -> String? {
        if isOwnExport { return "expected the end of the line, found the end of the file, which was cut off" }
        let named = columns.lastIndex { !$0.key.isEmpty }.map { $0 + 1 } ?? 0
        if count >= named { return nil }
        return "expected \(named) columns, found \(count) and the end of the file, which was cut off"
    }

    private static func list(_ titles: [String]) -> String {
        let shown = titles.prefix(8).map { "\"\(NormalizedText.cleaned(String($0.prefix(40))))\"" }.joined(separator: ", ")
        return titles.count > 8 ? shown + ", …" : shown
    }
}
