import Base

/// Takes a row of a CSV file (RFC 4180) apart, in the bytes of the file.
struct CSVRow {
    /// How a row ends.
    enum End {
        /// The next row begins at a byte.
        case row(next: Int)
        /// More bytes must follow; unless it is `nil`, one of them is `awaited`.
        case open(awaited: UInt8?)
        /// The row cannot be read, and its quotes are in doubt up to a byte.
        case fault(CSVFault, before: Int)
    }

    private let separator: UInt8
    private let lineEnd: UInt8
    private static let quote = UInt8(ascii: "\"")

    /// The texts of the cells, valid until the next row.
    private var cells: [UnsafeRawBufferPointer] = []
    /// Where the second line of the row begins, if a quoted cell has a line end, and how many of them there are.
    private(set) var secondLine: Int?
    private(set) var lineEnds = 0
    private var isLastQuoted = false
    /// The bytes of text that the row may still have.
    private var room = 0
    /// The texts of cells in which quotes are doubled.
    private let unescaped = ByteBuffer(capacity: 256)

    init(_ dialect: CSVDialect) { (separator, lineEnd) = (dialect.separator, dialect.lineEnd) }

    /// Reads the row that begins at `start`.
    ///
    /// - Parameters:
    ///   - isWhole: Whether the file ends with `bytes`. The last row may have no line end.
    ///   - singleLines: A quote that opens before this byte ends with its line.
    mutating func read(
        _ bytes: UnsafeRawBufferPointer, from start: Int, isWhole: Bool, singleLines: Int
    ) -> End {
        cells.removeAll(keepingCapacity: true)
        unescaped.removeAll()
        (secondLine, lineEnds, room) = (nil, 0, RecordLimits.recordBytes)
        var index = start
        while true {
            isLastQuoted = index < bytes.count && bytes[index] == Self.quote
            let end =
                isLastQuoted
                ? takeQuoted(bytes, &index, isWhole, endsWithLine: index < singleLines)
                : takePlain(bytes, &index, isWhole)
            if let end { return end }
            let isSeparator = index < bytes.count && bytes[index] == separator
            let next = min(index + 1, bytes.count)
            // 1,024 columns: a row with more cells has probably lost a line break.
            if cells.count > RecordLimits.columns { return .fault(.tooLarge, before: isSeparator ? index : next) }
            if !isSeparator { return .row(next: next) }
            index = next
        }
    }

    /// Takes a cell without quotes, up to what ends it. Returns why the row ends before that, if it does.
    private mutating func takePlain(_ bytes: UnsafeRawBufferPointer, _ index: inout Int, _ isWhole: Bool) -> End? {
        let start = index
        while index < bytes.count, bytes[index] != separator, bytes[index] != lineEnd { index += 1 }
        if index - start > room { return .fault(.tooLarge, before: start + room) }
        if index == bytes.count, !isWhole { return .open(awaited: lineEnd) }
        room -= index - start
        cells.append(UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
        return nil
    }

    /// The same for a cell in quotes, which may have line ends unless it `endsWithLine`.
    private mutating func takeQuoted(
        _ bytes: UnsafeRawBufferPointer, _ index: inout Int, _ isWhole: Bool, endsWithLine: Bool
    ) -> End? {
        index += 1
        var start = index
        let first = unescaped.count
        while true {
            let from = index
            let limit = min(bytes.count, index + room)
            while index < limit, bytes[index] != Self.quote {
                if bytes[index] == lineEnd {
                    if endsWithLine { return .fault(.openQuote("the end of the line"), before: index) }
                    lineEnds += 1
                    secondLine = secondLine ?? index + 1
                }
                index += 1
            }
            room -= index - from
            guard index < limit else {
                if index == bytes.count { return isWhole ? .fault(.cut, before: index) : .open(awaited: Self.quote) }
                return .fault(secondLine == nil ? .tooLarge : .openQuote("1 MiB of text"), before: index)
            }
            index += 1
            if index == bytes.count, !isWhole { return .open(awaited: nil) }
            guard index < bytes.count, bytes[index] == Self.quote else { break }
            // RFC 4180 §2.7: two quotes in quotes are one.
            if room == 0 { return .fault(.tooLarge, before: index) }
            room -= 1
            // Once a row, so that the texts stay where they are.
            if unescaped.isEmpty { unescaped.reserve(bytes.count - start) }
            unescaped.append(UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
            index += 1
            start = index
        }
        let end = index - 1
        while index < bytes.count, bytes[index] != separator, bytes[index] != lineEnd { index += 1 }
        // Only white space, such as a carriage return, may follow. Text there means that a quote is missing or
        // superfluous, and that the cells cannot be told apart.
        guard bytes[(end + 1)..<index].allSatisfy(\.isWhitespace) else {
            return .fault(secondLine == nil ? .textAfterQuote : .openQuote("one with text behind it"), before: end)
        }
        if index - end > RecordLimits.recordBytes { return .fault(.tooLarge, before: index) }
        if index == bytes.count, !isWhole { return .open(awaited: nil) }
        var text = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        if unescaped.count > first {
            unescaped.append(text)
            text = UnsafeRawBufferPointer(rebasing: unescaped.bytes[first...])
        }
        cells.append(text)
        return nil
    }
}

extension CSVRow {
    /// The cells without surrounding white space.
    var trimmedCells: [UnsafeRawBufferPointer] { cells.map(\.withoutBlanks.withoutTextFormula) }

    /// The cells of a row of an export, in which all white space is somebody's data, except that before the line end.
    var exactCells: [UnsafeRawBufferPointer] {
        var cells = cells
        if !isLastQuoted, let last = cells.popLast() {
            let count = (last.lastIndex { $0 != 0x0D }).map { $0 + 1 } ?? 0
            cells.append(UnsafeRawBufferPointer(rebasing: last[..<count]))
        }
        return cells
    }
}

extension UnsafeRawBufferPointer {
    /// The text of `="00123"`, which keeps a spreadsheet from making it a number.
    fileprivate var withoutTextFormula: UnsafeRawBufferPointer {
        let quote = UInt8(ascii: "\"")
        guard count >= 3, self[0] == UInt8(ascii: "="), self[1] == quote, last == quote else { return self }
        let text = UnsafeRawBufferPointer(rebasing: self[2..<(count - 1)])
        return text.contains(quote) ? self : text
    }
}

/// Why a row of a CSV file cannot be read.
struct CSVFault: Equatable {
    var reason: String
    /// Whether the row ends with the file, which was cut off.
    var isCut = false

    static let tooLarge = CSVFault(reason: "expected at most 1 MiB and 1,024 columns, found more")
    static let textAfterQuote = CSVFault(
        reason: "expected a separator or the end of the line after a closing quote, found text")
    /// A quote that is not closed before the end of the file.
    static let cut = CSVFault(reason: "expected a closing quote, found the end of the file", isCut: true)

    /// A quote that is not closed before something.
    static func openQuote(_ found: String) -> CSVFault { CSVFault(reason: "expected a closing quote, found \(found)") }

    /// More cells than columns.
    static func cells(_ count: Int, columns: Int) -> CSVFault {
        CSVFault(reason: "expected \(columns) columns, found \(count)")
    }
}
