import Base

/// The texts that cells of an Excel workbook refer to by number.
final class SharedStrings: XMLHandler {
    /// In blocks, so that they are not copied as they grow.
    private var blocks: [ByteBuffer] = []
    private var slices: [ByteSlice] = []
    private var total = 0
    private let value = ExcelText()
    private static let blockStrings = 1 << 14

    func begin(_ element: XMLName, _ attributes: XMLAttributes) -> (any XMLHandler)? {
        element.is("si") ? value.begun() : nil
    }

    func end(_ element: XMLName) throws {
        guard element.is("si") else { return }
        if slices.count % Self.blockStrings == 0 { blocks.append(ByteBuffer(capacity: 1 << 16)) }
        // A text is collected up to this length, and may be shorter when it is decoded.
        try WorkbookLimits.require(
            value.plain.buffer.count <= WorkbookLimits.cellBytes, "it has a text of more than 64 KiB")
        let text = value.decoded
        total += text.count
        try WorkbookLimits.require(
            total <= WorkbookLimits.sharedStringBytes, "it has more than 256 MiB of different texts")
        slices.append(blocks[blocks.count - 1].keep(text))
    }

    /// The text with a number, valid as long as the strings; `nil` for an unknown number.
    subscript(index: Int) -> UnsafeRawBufferPointer? {
        slices.indices.contains(index) ? blocks[index / Self.blockStrings].bytes[slices[index]] : nil
    }
}

/// The text of a cell (`v`), or of `si` or `is`: that of its `t` and of the `t` of its runs, but not of phonetic runs
/// (`rPh`).
final class ExcelText: XMLHandler {
    let plain = XMLText()

    /// Forgets the last text, and returns the handler of the next one.
    func begun() -> ExcelText {
        plain.buffer.removeAll()
        return self
    }

    func begin(_ element: XMLName, _ attributes: XMLAttributes) -> (any XMLHandler)? {
        switch element {
        case "t": plain
        case "rPh": IgnoredXML.shared
        default: nil
        }
    }

    /// The text, valid until the next one begins. `_x000D_` stands for a character that XML cannot hold.
    var decoded: UnsafeRawBufferPointer {
        let bytes = plain.buffer.bytes
        guard bytes.count >= 7, bytes.offset(of: "_x") != nil else { return bytes }
        var text: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if let scalar = Self.escaped(bytes, at: index) {
                text += Array(String(scalar).utf8)
                index += 7
            } else {
                text.append(bytes[index])
                index += 1
            }
        }
        plain.buffer.removeAll()
        plain.buffer.append(text)
        return plain.buffer.bytes
    }

    private static func escaped(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Unicode.Scalar? {
        guard index + 7 <= bytes.count, bytes[index] == 0x5F, bytes[index + 1] == 0x78, bytes[index + 6] == 0x5F else {
            return nil
        }
        let digits = String(decoding: bytes[(index + 2)..<(index + 6)], as: UTF8.self)
        return digits.allSatisfy(\.isHexDigit) ? UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) : nil
    }
}
