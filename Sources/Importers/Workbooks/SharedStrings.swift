import Base

/// The texts that cells of an Excel workbook refer to by number.
final class SharedStrings: XMLHandler {
    /// In blocks, so that nothing is copied as they grow.
    private var blocks: [ByteBuffer] = []
    private var starts: [[UInt32]] = []
    private var total = 0
    private var collector = ExcelText()
    private static let blockStrings = 1 << 14

    private(set) var count = 0

    func begin(_ element: XMLName, _ attributes: XMLAttributes) throws {
        if element.is("si") {
            collector.begin()
        } else {
            collector.begin(element)
        }
    }

    func end(_ element: XMLName) throws {
        guard element.is("si") else { return collector.end(element) }
        if count % Self.blockStrings == 0 {
            blocks.append(ByteBuffer(capacity: 1 << 16))
            starts.append([])
            starts[starts.count - 1].reserveCapacity(Self.blockStrings)
        }
        let text = collector.text
        total += text.count
        try WorkbookLimits.require(
            total <= WorkbookLimits.sharedStringBytes, "it has more than 256 MiB of different texts")
        starts[starts.count - 1].append(UInt32(blocks[blocks.count - 1].count))
        blocks[blocks.count - 1].append(text)
        count += 1
    }

    func text(_ text: UnsafeRawBufferPointer) throws {
        try collector.append(text)
    }

    /// The text with a number, valid as long as the strings; `nil` for an unknown number.
    subscript(index: Int) -> UnsafeRawBufferPointer? {
        guard (0..<count).contains(index) else { return nil }
        let (block, place) = (index / Self.blockStrings, index % Self.blockStrings)
        let ends = starts[block]
        let end = place + 1 < ends.count ? Int(ends[place + 1]) : blocks[block].count
        return UnsafeRawBufferPointer(rebasing: blocks[block].bytes[Int(ends[place])..<end])
    }
}

/// Collects the text of `si` or `is`: that of its `t` and of the `t` of its runs, but not of phonetic runs (`rPh`).
struct ExcelText {
    private let buffer = ByteBuffer(capacity: 256)
    private var isInText = false
    private var isPhonetic = false

    mutating func begin() {
        buffer.removeAll()
        (isInText, isPhonetic) = (false, false)
    }

    mutating func begin(_ element: XMLName) { enter(element, true) }
    mutating func end(_ element: XMLName) { enter(element, false) }

    private mutating func enter(_ element: XMLName, _ isInside: Bool) {
        if element.is("t") {
            isInText = isInside && !isPhonetic
        } else if element.is("rPh") {
            isPhonetic = isInside
        }
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        guard isInText else { return }
        try WorkbookLimits.require(
            buffer.count + bytes.count <= WorkbookLimits.cellBytes, "it has a text of more than 64 KiB")
        buffer.append(bytes)
    }

    /// The text so far, valid until more is appended. `_x000D_` stands for a character that XML cannot hold.
    var text: UnsafeRawBufferPointer {
        Self.decode(buffer)
        return buffer.bytes
    }

    /// Replaces `_xHHHH_` by the characters that they stand for.
    static func decode(_ buffer: ByteBuffer) {
        let bytes = buffer.bytes
        guard bytes.count >= 7, bytes.offset(of: "_x") != nil else { return }
        var text: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if let scalar = escaped(bytes, at: index) {
                text += Array(String(scalar).utf8)
                index += 7
            } else {
                text.append(bytes[index])
                index += 1
            }
        }
        buffer.removeAll()
        buffer.append(text)
    }

    private static func escaped(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Unicode.Scalar? {
        guard index + 7 <= bytes.count, bytes[index] == 0x5F, bytes[index + 1] == 0x78, bytes[index + 6] == 0x5F else {
            return nil
        }
        let digits = String(decoding: bytes[(index + 2)..<(index + 6)], as: UTF8.self)
        return digits.allSatisfy(\.isHexDigit) ? UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) : nil
    }
}
