import Foundation

/// A Markdown table whose columns are padded, so that its source is readable.
struct Table {
    let title: String
    let columns: [String]
    private(set) var rows: [[String]] = []

    init(_ title: String, _ columns: String...) {
        self.title = title
        self.columns = columns
    }

    /// Creates a table with one column per element of `heads` and one row per name in the first column's values.
    init(_ title: String, _ heads: [String], _ columns: [[(name: String, value: String)]]) {
        self.title = title
        self.columns = ["what"] + heads
        rows = (columns.first ?? []).map { first in
            [first.name] + columns.map { column in column.first { $0.name == first.name }?.value ?? "" }
        }
    }

    mutating func add(_ cells: String...) { rows.append(cells) }

    var markdown: String {
        let widths = columns.indices.map { index in ([columns] + rows).map { $0[index].count }.max() ?? 0 }
        func line(_ cells: [String], fill: Character = " ") -> String {
            let padded = cells.indices.map { index in
                let space = String(repeating: fill, count: widths[index] - cells[index].count)
                // The first column holds names; the others hold figures.
                return index == 0 ? cells[index] + space : space + cells[index]
            }
            return "| " + padded.joined(separator: " | ") + " |"
        }
        let rule = columns.indices.map { $0 == 0 ? "---" : "--:" }
        let lines = [line(columns), line(rule, fill: "-")] + rows.map { line($0) }
        return "## \(title)\n\n" + lines.joined(separator: "\n") + "\n"
    }
}

extension Double {
    func shown(_ digits: Int = 1) -> String { isNaN ? "–" : String(format: "%.\(digits)f", self) }

    /// The value as a whole number, its digits in groups of three.
    var grouped: String {
        if isNaN { return "–" }
        let digits = Array(String(Int(rounded())))
        return String(
            digits.indices.flatMap { index in
                index > 0 && (digits.count - index) % 3 == 0 ? [",", digits[index]] : [digits[index]]
            })
    }
}
