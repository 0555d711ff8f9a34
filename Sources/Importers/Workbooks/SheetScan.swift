import Base

/// Counts the rows of a sheet of Excel, and leaves them out of what an XML reader gets: what stands before and behind
/// them is needed before they are read, and an XML reader takes ten times as long to count them: an import of 100,000
/// people with ten columns would take an eighth more (2026-11-27).
struct SheetScan {
    private enum Place {
        case start, before, rows, behind
    }

    /// The number of rows with a cell that is not empty, and the number of columns up to the last such cell.
    private(set) var rows = 0
    private(set) var width = 0
    /// Whether each row has a greater number than those before it.
    private(set) var isSorted = true

    /// The greatest number of a row so far, and whether the row that is being read has none of its own.
    private var lastNumber = 0
    private var isNumbered = true
    private var place = Place.start
    private let part: String
    /// The bytes from a tag on that is not complete.
    private let pending = ByteBuffer(capacity: 1 << 17)
    private var column = -1
    private var hasText = false

    init(part: String) { self.part = part }

    /// Takes the next bytes of the part; none are the end.
    mutating func read(_ chunk: UnsafeRawBufferPointer, into reader: XMLReader) throws {
        if place == .start, !chunk.isEmpty {
            // In UTF-16, `<` is two bytes: the reader gets all of it.
            let isWide = [0xFE, 0xFF].contains(chunk[0]) || chunk.prefix(4).contains(0)
            place = isWide ? .behind : .before
        }
        if place == .behind, pending.isEmpty { return try reader.read(chunk) }
        pending.append(chunk)
        let bytes = pending.bytes
        var index = 0
        if place == .before { index = try readHead(bytes, into: reader) }
        if place == .rows { index = readRows(bytes, from: index) }
        // Whatever is not complete at the end is damage, which the reader reports.
        if place == .behind || chunk.isEmpty {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[index...])
            if !rest.isEmpty { try reader.read(rest) }
            pending.removeAll()
            if chunk.isEmpty { try reader.read(chunk) }
            return
        }
        let rest = Array(bytes[index...])
        guard rest.count <= WorkbookLimits.tokenBytes else { throw WorkbookError.tooLong(part) }
        pending.removeAll()
        pending.append(rest)
    }

    /// Returns where a tag begins that is not complete, `index` being behind the one before: text need not be kept.
    private func nextTag(_ bytes: UnsafeRawBufferPointer, from index: Int) -> Int {
        bytes.offset(of: UInt8(ascii: "<"), from: index) ?? bytes.count
    }

    /// Passes on everything up to the start of the rows, and returns the number of these bytes.
    private mutating func readHead(_ bytes: UnsafeRawBufferPointer, into reader: XMLReader) throws -> Int {
        var index = 0
        while let tag = Tag(in: bytes, from: index) {
            index = tag.end
            guard tag.name(in: bytes).equals("sheetData"), !tag.isEnd else { continue }
            place = tag.isEmpty ? .behind : .rows
            break
        }
        if place == .before { index = nextTag(bytes, from: index) }
        if index > 0 { try reader.read(UnsafeRawBufferPointer(rebasing: bytes[..<index])) }
        return index
    }

    /// Counts rows up to their end, and returns the number of bytes that are done with.
    private mutating func readRows(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        // A byte behind the tag says whether there is text.
        while let tag = Tag(in: bytes, from: index), tag.end < bytes.count {
            let name = tag.name(in: bytes)
            if tag.isEnd, name.equals("sheetData") {
                place = .behind
                return tag.start
            }
            index = tag.end
            take(tag, name, bytes)
        }
        return nextTag(bytes, from: index)
    }

    private mutating func take(_ tag: Tag, _ name: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer) {
        switch name.count {
        case 1 where tag.isEnd || tag.isEmpty && name[0] != UInt8(ascii: "c"): break
        case 1:
            switch name[0] {
            case UInt8(ascii: "c"):
                let attributes = bytes[tag.nameEnd..<tag.end]
                let place = Self.reference(in: attributes).flatMap { CellReference($0) }
                if !isNumbered, let place { number(place.row) }
                column = place?.column ?? column + 1
            case UInt8(ascii: "v"), UInt8(ascii: "t"):
                let next = bytes[tag.end]
                // A marked section is text as well.
                let isText = next != UInt8(ascii: "<") || bytes[(tag.end + 1)...].first == UInt8(ascii: "!")
                guard isText, column < WorkbookLimits.columns else { return }
                hasText = true
                width = max(width, column + 1)
            default: break
            }
        case 3 where name.equals("row"):
            if tag.isEnd, hasText { rows += 1 }
            if !tag.isEnd {
                let attributes = bytes[tag.nameEnd..<tag.end]
                isNumbered = false
                if let name = Self.reference(in: attributes) { number(Int(decimalDigits: name)) }
            } else if !isNumbered {
                number(nil)
            }
            (column, hasText) = (-1, false)
        default: break
        }
    }

    /// Notes the number of the row; a row without one follows the last one.
    private mutating func number(_ number: Int?) {
        let number = number ?? lastNumber + 1
        if number <= lastNumber { isSorted = false }
        (lastNumber, isNumbered) = (max(lastNumber, number), true)
    }

    /// Returns the value of ` r="C7"`: the name of a cell or the number of a row, at most twelve bytes.
    private static func reference(in attributes: Slice<UnsafeRawBufferPointer>) -> UnsafeRawBufferPointer? {
        var index = attributes.startIndex
        while index + 4 < attributes.endIndex {
            if attributes[index].isBlank, attributes[index + 1] == UInt8(ascii: "r"),
                attributes[index + 2] == UInt8(ascii: "=")
            {
                let value = attributes[(index + 4)...].prefix(12).prefix { $0 != attributes[index + 3] }
                return UnsafeRawBufferPointer(rebasing: value)
            }
            index += 1
        }
        return nil
    }
}

/// The place of a tag among bytes. Attributes have no `<`, so tags are found from one to the next.
private struct Tag {
    let start: Int
    /// Behind `>`.
    let end: Int
    private let nameStart: Int
    let nameEnd: Int
    let isEnd: Bool
    /// Whether it ends with `/>`.
    let isEmpty: Bool

    /// Finds the next complete tag, comment or marked section; these have no name.
    init?(in bytes: UnsafeRawBufferPointer, from index: Int) {
        guard let start = bytes.offset(of: UInt8(ascii: "<"), from: index), start + 9 < bytes.count else { return nil }
        self.start = start
        if bytes[start + 1] == UInt8(ascii: "!") {
            let isComment = bytes[start + 2] == UInt8(ascii: "-")
            let isSection = bytes[start + 2] == UInt8(ascii: "[")
            let mark: StaticString = isComment ? "-->" : isSection ? "]]>" : ">"
            guard let last = bytes.offset(of: mark, from: start) else { return nil }
            (end, nameStart, nameEnd, isEnd, isEmpty) = (last + mark.utf8CodeUnitCount, start, start, false, false)
            return
        }
        guard let last = bytes.offset(of: UInt8(ascii: ">"), from: start) else { return nil }
        end = last + 1
        isEnd = bytes[start + 1] == UInt8(ascii: "/")
        isEmpty = bytes[last - 1] == UInt8(ascii: "/")
        var first = isEnd ? start + 2 : start + 1
        var index = first
        while index < last, bytes[index] > 0x20, bytes[index] != UInt8(ascii: "/") {
            // Behind a prefix.
            if bytes[index] == UInt8(ascii: ":") { first = index + 1 }
            index += 1
        }
        (nameStart, nameEnd) = (first, index)
    }

    func name(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[nameStart..<nameEnd])
    }
}
