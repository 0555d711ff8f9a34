import Base

/// Counts the rows of a sheet of Excel, and leaves them out of what an XML reader gets: what stands before and behind
/// them is needed before they are read, and an XML reader takes ten times as long to count them: an import of 100,000
/// people with ten columns would take an eighth more (2026-11-27).
struct SheetScan {
    private enum Place {
        case before, rows, behind
    }

    private var place = Place.before
    private let part: String
    /// The bytes from a tag on that is not complete.
    private let pending = ByteBuffer(capacity: 1 << 17)
    /// The number of the row that is being read, which its first cell may tell; `nil` if neither does.
    private var number: Int?
    /// The number of columns up to its last cell with text.
    private var width = 0
    private var column = -1

    init(part: String) { self.part = part }

    /// Takes the next bytes of the part; none are the end. Calls `note` with the number and the width of each row that
    /// `reader` does not get.
    mutating func read(
        _ chunk: UnsafeRawBufferPointer, into reader: XMLReader, _ note: (Int?, Int) -> Void
    ) throws {
        pending.append(chunk)
        let bytes = pending.bytes
        var index = 0
        if place == .before { index = try readHead(bytes, into: reader) }
        if place == .rows { index = readRows(bytes, from: index, note) }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[index...])
        // Whatever is not complete at the end is damage, which the reader reports.
        if place == .behind || chunk.isEmpty {
            if !rest.isEmpty { try reader.read(rest) }
            pending.removeAll()
            if chunk.isEmpty { try reader.read(chunk) }
            return
        }
        try WorkbookLimits.require(token: Int64(rest.count), in: part)
        pending.removeFirst(index)
    }

    /// Returns where a tag begins that is not complete, `index` being behind the one before: text need not be kept.
    private func nextTag(_ bytes: UnsafeRawBufferPointer, from index: Int) -> Int {
        bytes.offset(of: UInt8(ascii: "<"), from: index) ?? bytes.count
    }

    /// Passes on everything up to the start of the rows, and returns the number of these bytes.
    private mutating func readHead(_ bytes: UnsafeRawBufferPointer, into reader: XMLReader) throws -> Int {
        // In UTF-16, no name is found, and the reader gets all.
        var index = 0
        while place == .before, let tag = Tag(in: bytes, from: index) {
            index = tag.end
            guard tag.name(in: bytes).equals("sheetData"), tag.kind != .end else { continue }
            place = tag.kind == .empty ? .behind : .rows
        }
        if place == .before { index = nextTag(bytes, from: index) }
        if index > 0 { try reader.read(UnsafeRawBufferPointer(rebasing: bytes[..<index])) }
        return index
    }

    /// Counts rows up to their end, and returns the number of bytes that are done with.
    private mutating func readRows(
        _ bytes: UnsafeRawBufferPointer, from start: Int, _ note: (Int?, Int) -> Void
    ) -> Int {
        var index = start
        // A byte behind the tag says whether there is text.
        while let tag = Tag(in: bytes, from: index), tag.end < bytes.count {
            let name = tag.name(in: bytes)
            if tag.kind == .end, name.equals("sheetData") {
                place = .behind
                return tag.start
            }
            index = tag.end
            if name.count == 1 {
                take(tag, name[0], bytes)
            } else if name.equals("row") {
                takeRow(tag, bytes, note)
            }
        }
        return nextTag(bytes, from: index)
    }

    private mutating func takeRow(_ tag: Tag, _ bytes: UnsafeRawBufferPointer, _ note: (Int?, Int) -> Void) {
        if tag.kind != .end {
            number = tag.reference(in: bytes).flatMap { Int(decimalDigits: $0) }
            (width, column) = (0, -1)
        }
        if tag.kind != .start { note(number, width) }
    }

    /// Takes a tag with a name of one letter.
    private mutating func take(_ tag: Tag, _ name: UInt8, _ bytes: UnsafeRawBufferPointer) {
        switch name {
        case UInt8(ascii: "c") where tag.kind != .end:
            let place = tag.reference(in: bytes).flatMap { CellReference($0) }
            number = number ?? place?.row
            column = place?.column ?? column + 1
        case UInt8(ascii: "v"), UInt8(ascii: "t"):
            // A marked section is text as well.
            let isText = bytes[tag.end] != UInt8(ascii: "<") || bytes[(tag.end + 1)...].first == UInt8(ascii: "!")
            if tag.kind == .start, isText, column < WorkbookLimits.columns { width = max(width, column + 1) }
        default: break
        }
    }
}

/// The place of a tag among bytes. Attributes have no `<`, so tags are found from one to the next.
private struct Tag {
    enum Kind {
        case start, end
        /// Both: `<c/>`.
        case empty
    }

    let kind: Kind
    let start: Int
    /// Behind `>`.
    let end: Int
    /// The place of the name behind its prefix; empty for comments and marked sections.
    private let nameRange: Range<Int>

    /// Finds the next complete tag, comment or marked section.
    init?(in bytes: UnsafeRawBufferPointer, from index: Int) {
        guard let start = bytes.offset(of: UInt8(ascii: "<"), from: index), start + 9 < bytes.count else { return nil }
        self.start = start
        if bytes[start + 1] == UInt8(ascii: "!") {
            let marks: [UInt8: StaticString] = [UInt8(ascii: "-"): "-->", UInt8(ascii: "["): "]]>"]
            let mark = marks[bytes[start + 2]] ?? ">"
            guard let last = bytes.offset(of: mark, from: start) else { return nil }
            (kind, end, nameRange) = (.empty, last + mark.utf8CodeUnitCount, start..<start)
            return
        }
        guard let last = bytes.offset(of: UInt8(ascii: ">"), from: start) else { return nil }
        end = last + 1
        let isEnd = bytes[start + 1] == UInt8(ascii: "/")
        kind = isEnd ? .end : bytes[last - 1] == UInt8(ascii: "/") ? .empty : .start
        var first = isEnd ? start + 2 : start + 1
        var index = first
        while index < last, bytes[index] > 0x20, bytes[index] != UInt8(ascii: "/") {
            // Behind a prefix.
            if bytes[index] == UInt8(ascii: ":") { first = index + 1 }
            index += 1
        }
        nameRange = first..<index
    }

    func name(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[nameRange])
    }

    /// Returns the value of ` r="C7"`: the name of a cell or the number of a row, at most twelve bytes.
    func reference(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        var index = nameRange.upperBound
        while index + 4 < end {
            if bytes[index].isWhitespace, bytes[index + 1] == UInt8(ascii: "r"), bytes[index + 2] == UInt8(ascii: "=") {
                let value = bytes[(index + 4)..<end].prefix(12).prefix { $0 != bytes[index + 3] }
                return UnsafeRawBufferPointer(rebasing: value)
            }
            index += 1
        }
        return nil
    }
}
