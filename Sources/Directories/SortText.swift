import Bytes

extension ByteBuffer {
    /// Appends the form of `text` that is compared, searched and sorted by: folded, and in one line.
    public func append(folding text: String) -> Slice {
        let start = count
        if text.utf8.withContiguousStorageIfAvailable(appendLowercasedASCII) != true {
            truncate(to: start)
            append(utf8: text.folded)
        }
        for index in start..<count where base.load(fromByteOffset: index, as: UInt8.self) == UInt8(ascii: "\n") {
            base.storeBytes(of: UInt8(ascii: " "), toByteOffset: index, as: UInt8.self)
        }
        return Slice(offset: start, count: count - start)
    }

    /// Whether all of `bytes` was ASCII; if not, only a part is appended.
    private func appendLowercasedASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var isASCII = true
        append(upTo: bytes.count) { room in
            for index in 0..<bytes.count {
                let byte = bytes[index]
                if byte >= 0x80 { isASCII = false }
                room[index] = byte &- 65 < 26 ? byte | 0x20 : byte
            }
            return bytes.count
        }
        return isASCII
    }
}

extension UnsafeRawBufferPointer {
    /// As much of this folded text as orders compare: ``Cursor/maxTextScalars``.
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
