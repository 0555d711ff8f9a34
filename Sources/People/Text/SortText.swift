import Base

extension ByteBuffer {
    /// Appends the form of `text` that is compared, searched and sorted by: folded, and on one line.
    public func append(folding text: String) -> ByteSlice {
        var text = text
        return text.withUTF8 { append(folding: UnsafeRawBufferPointer($0)) }
    }

    /// Appends the same form of UTF-8 text, which must not be in this buffer unless there is room for the result.
    public func append(folding text: UnsafeRawBufferPointer) -> ByteSlice {
        let start = count
        if !append(foldingScalars: text) {
            truncate(to: start)
            append(utf8: String(decoding: text, as: UTF8.self).folded)
        }
        for index in start..<count where base.load(fromByteOffset: index, as: UInt8.self) == UInt8(ascii: "\n") {
            base.storeBytes(of: UInt8(ascii: " "), toByteOffset: index, as: UInt8.self)
        }
        return ByteSlice(offset: start, count: count - start)
    }
}

extension UnsafeRawBufferPointer {
    /// The prefix of this folded text that orders compare, of at most ``Cursor/maxTextScalars``.
    public var sortText: UnsafeRawBufferPointer {
        guard count > Cursor.maxTextScalars else { return self }
        var scalars = 0
        for index in 0..<count where self[index] & 0xC0 != 0x80 {
            if scalars == Cursor.maxTextScalars { return UnsafeRawBufferPointer(rebasing: self[..<index]) }
            scalars += 1
        }
        return self
    }
}
