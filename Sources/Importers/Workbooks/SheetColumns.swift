import Base

/// The columns of a sheet that count: all, or those with a heading if it has more than a table may have.
struct SheetColumns {
    /// From 0, ascending.
    let numbers: [Int]

    /// Returns the place of a column among those that count.
    func index(of column: Int) -> Int? {
        column < numbers.count && numbers[column] == column ? column : numbers.firstIndex(of: column)
    }

    /// Sets `cells` to the texts of a row, without surrounding white space unless each byte is somebody's data.
    func fill(_ cells: inout [UnsafeRawBufferPointer], from row: SheetRow, isExact: Bool = false) {
        cells.removeAll(keepingCapacity: true)
        for _ in numbers { cells.append(UnsafeRawBufferPointer(start: nil, count: 0)) }
        for cell in row.cells {
            guard let index = index(of: cell.column) else { continue }
            let text = row.bytes.bytes[cell.text]
            cells[index] = isExact ? text : text.withoutBlanks
        }
    }

    /// Returns the texts of a row, without surrounding white space.
    func texts(of row: SheetRow) -> [String] {
        var cells: [UnsafeRawBufferPointer] = []
        fill(&cells, from: row)
        return cells.map { String(decoding: $0, as: UTF8.self) }
    }
}
