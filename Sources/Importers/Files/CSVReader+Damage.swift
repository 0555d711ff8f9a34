import Base

// A quote that is never closed makes the lines below it part of its cell, up to the next quote or the end of the file.
// So a row that cannot be read, and that has several lines, gives back all but its first line: they are read again, and
// the next row begins with the first of them that reads as a row. Lines before that are left out, and reported together
// with the first one.

extension CSVReader {
    /// Why a row cannot be read.
    struct Fault: Equatable {
        var reason: String
        /// Whether the row ends with the file, which was cut off.
        var isCut = false

        static let tooLarge = Fault(reason: "expected at most 1 MiB and 1,024 columns, found more")
        static let textAfterQuote = Fault(
            reason: "expected a separator or the end of the line after a closing quote, found text")
        /// A quote that is not closed before the end of the file.
        static let cut = Fault(reason: "expected a closing quote, found the end of the file", isCut: true)

        /// A quote that is not closed before something.
        static func openQuote(_ found: String) -> Fault { Fault(reason: "expected a closing quote, found \(found)") }

        /// More cells than columns.
        static func cells(_ count: Int, columns: Int) -> Fault {
            Fault(reason: "expected \(columns) columns, found \(count)")
        }
    }

    /// The lines of a damaged row, to read them again.
    struct Recovery {
        /// The position of the row's second line in the file; `nil` in a row of one line.
        private(set) var secondLine: Int?
        /// The row from its second line to the end of the last chunk.
        private var rest = ByteBuffer(capacity: 0)
        /// A quote that opens before this position ends with its line. This bounds the work: lines that are read again
        /// cannot become another row of many lines that cannot be read.
        private var multilineStart = 0
        private(set) var endsQuoteWithLine = false
        /// Whether the row's lines after the first one are to be read again.
        private(set) var isRereading = false
        /// The first of the lines that are left out, and the reason.
        fileprivate var damage: (line: Int, fault: Fault)?
        /// The number of cells of the last row that was read.
        var cells = 0

        /// Whether lines are being left out.
        var isLeavingOut: Bool { damage != nil }

        mutating func beginQuote(at position: Int) { endsQuoteWithLine = position < multilineStart }

        /// Notes a line end inside a quoted cell.
        mutating func noteLine(at position: Int) { secondLine = secondLine ?? position }

        mutating func endRow() {
            secondLine = nil
            rest.removeAll()
        }

        /// Keeps the part of a chunk that may have to be read again.
        mutating func keep(_ chunk: UnsafeRawBufferPointer, at base: Int) {
            guard let secondLine, secondLine < base + chunk.count else { return }
            rest.append(UnsafeRawBufferPointer(rebasing: chunk[max(0, secondLine - base)...]))
        }

        /// Lets the row's lines after the first one be read again, if it has any.
        mutating func beginAgain(before position: Int) {
            if secondLine == nil { return }
            isRereading = true
            multilineStart = max(multilineStart, position)
        }

        /// Returns the part of the row that was read before the chunk at `base`, and forgets the row.
        fileprivate mutating func take(before base: Int) -> (bytes: ByteBuffer?, start: Int) {
            defer { (secondLine, isRereading) = (nil, false) }
            guard let secondLine, secondLine < base else { return (nil, secondLine ?? base) }
            let bytes = rest
            rest = ByteBuffer(capacity: 0)
            return (bytes, secondLine)
        }
    }

    /// Gives up the row. `position` is the place in the file up to which its quotes are in doubt.
    mutating func fail(_ fault: Fault, at position: Int) {
        self.fault = fault
        recovery.beginAgain(before: position)
    }

    /// Reads the lines of the row after its first one again, and returns the index in the chunk at `base` to go on at.
    @discardableResult
    mutating func readAgain(before base: Int, into sink: some RecordSink) throws -> Int {
        if let fault { noteDamage(fault) }
        resetRow()
        line = rowLine + 1
        rowLine = line
        let earlier = recovery.take(before: base)
        guard let bytes = earlier.bytes else { return earlier.start - base }
        try read(bytes.bytes, at: earlier.start, into: sink)
        return 0
    }

    /// Leaves out lines from the row on.
    mutating func noteDamage(_ fault: Fault) {
        table?.noteUnread()
        if recovery.damage == nil { recovery.damage = (rowLine, fault) }
    }

    /// Reports the lines that were left out, up to line `last`.
    mutating func reportDamage(upTo last: Int, into sink: some RecordSink) throws {
        guard let damage = recovery.damage else { return }
        recovery.damage = nil
        let count = max(1, last - damage.line + 1)
        try sink.reject(
            Rejection(
                place: count == 1 ? "line \(damage.line)" : "lines \(damage.line) to \(damage.line + count - 1)",
                reason: damage.fault.reason + (count == 1 ? "" : "; \(count) lines left out"), lines: count,
                isCut: damage.fault.isCut))
    }
}
