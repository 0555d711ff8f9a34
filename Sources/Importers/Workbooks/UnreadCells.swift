import Base

/// The counts of what an import does not read in the cells of a sheet.
struct UnreadCells {
    struct Count {
        var count = 0
        /// The first cell, such as `C7`, and what it has.
        var first: String?

        /// A line about them; `nil` if there are none.
        func line(_ one: String, _ several: String, cure: String = "") -> String? {
            first.map { "\(counted(count, one, several)), first in \($0)\(cure)" }
        }

        mutating func add(_ first: @autoclosure () -> String) {
            count += 1
            self.first = self.first ?? first()
        }
    }

    private(set) var errors = Count()
    var formulas = Count()
    var pictures = Count()

    /// The errors of Excel and LibreOffice.
    private static let errorNames: Set<String> = [
        "#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!", "#GETTING_DATA",
    ]

    /// Whether the text of a cell is an error and nothing else.
    static func isError(_ text: String) -> Bool {
        errorNames.contains(text) || text.wholeMatch(of: /Err:[0-9]{3}/) != nil
    }

    /// Counts a cell with an error, whose text may be anything in a file of another program.
    mutating func add(error text: String, in cell: @autoclosure () -> String) {
        errors.add(Self.isError(text) ? "\(cell()): \(text)" : cell())
    }

    /// A line for each kind that occurred.
    var lines: [String] {
        [
            errors.line("cell with errors is empty", "cells with errors are empty"),
            formulas.line(
                "formula has no value", "formulas have no value", cure: ": open the file in a spreadsheet and save it"),
            pictures.line("picture inside a cell is not read", "pictures inside cells are not read"),
        ].compactMap(\.self)
    }
}
