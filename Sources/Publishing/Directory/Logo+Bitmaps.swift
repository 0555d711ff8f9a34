import People

// A bitmap is whole by the structure of its file. The pixels are not decoded.

extension Logo {
    static let pngMark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Whether a PNG begins with its dimensions (`IHDR`), has data (`IDAT`) and ends with `IEND` (W3C PNG §5).
    static func isWholePNG(_ bytes: [UInt8]) -> Bool {
        var index = pngMark.count
        var hasData = false
        let hasHeader = bytes.dropFirst(index).starts(with: [0, 0, 0, 13] + Array("IHDR".utf8))
        let (width, height) = (number(bytes, at: index + 8, size: 4), number(bytes, at: index + 12, size: 4))
        guard hasHeader, width ?? 0 > 0, height ?? 0 > 0 else { return false }
        while let length = number(bytes, at: index, size: 4), index + 12 + length <= bytes.count {
            let type = bytes[(index + 4)..<(index + 8)]
            if type.elementsEqual("IEND".utf8) { return hasData }
            hasData = hasData || type.elementsEqual("IDAT".utf8)
            index += 12 + length
        }
        return false
    }

    /// Whether a JPEG has a frame with dimensions before its first scan, and an end (ITU-T T.81 §B.1.1 and §B.2).
    static func isWholeJPEG(_ bytes: [UInt8]) -> Bool {
        var index = 2
        var hasFrame = false
        while index + 4 <= bytes.count, bytes[index] == 0xFF {
            let marker = bytes[index + 1]
            // A marker may be preceded by any number of fill bytes.
            if marker == 0xFF {
                index += 1
                continue
            }
            guard let length = number(bytes, at: index + 2, size: 2), length >= 2, index + 2 + length <= bytes.count
            else {
                return false
            }
            // The frames are C0 to CF, without the tables C4 and CC and the extension C8.
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                let (height, width) = (number(bytes, at: index + 5, size: 2), number(bytes, at: index + 7, size: 2))
                guard length >= 8, height ?? 0 > 0, width ?? 0 > 0 else { return false }
                hasFrame = true
            }
            index += 2 + length
            if marker == 0xDA { return hasFrame && hasEnd(bytes[index...]) }
        }
        return false
    }

    private static func hasEnd(_ scan: ArraySlice<UInt8>) -> Bool {
        zip(scan, scan.dropFirst()).contains { $0 == 0xFF && $1 == 0xD9 }
    }

    /// Returns the number in `size` bytes, the most significant one first.
    private static func number(_ bytes: [UInt8], at index: Int, size: Int) -> Int? {
        guard index + size <= bytes.count else { return nil }
        return bytes[index..<(index + size)].reduce(0) { $0 << 8 | Int($1) }
    }
}
