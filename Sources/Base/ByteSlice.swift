import Glibc

/// A range of bytes: offset and length.
///
/// It takes eight bytes and holds no reference: rows of text can be kept as one array of bytes and a slice for each
/// field.
public struct ByteSlice: Sendable, Equatable, BitwiseCopyable {
    public var offset: UInt32
    public var count: UInt32

    @inlinable public init(offset: Int, count: Int) {
        self.offset = UInt32(offset)
        self.count = UInt32(count)
    }

    public static let empty = ByteSlice(offset: 0, count: 0)

    @inlinable public var isEmpty: Bool { count == 0 }
    @inlinable public var range: Range<Int> { Int(offset)..<(Int(offset) + Int(count)) }
}

extension UnsafeRawBufferPointer {
    @inlinable @inline(__always) public static var empty: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: nil, count: 0)
    }

    @inlinable public subscript(slice: ByteSlice) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[slice.range])
    }

    /// Returns the text of a slice, which is UTF-8.
    public func text(_ slice: ByteSlice) -> String { String(decoding: self[slice], as: UTF8.self) }

    /// Returns whether these bytes are exactly `text`.
    @inlinable public func equals(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount && equals(UnsafeRawBufferPointer(start: text.utf8Start, count: count))
    }

    /// Returns whether both buffers hold the same bytes. (`elementsEqual` takes a dozen instructions per byte.)
    public func equals(_ other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let one = baseAddress, let two = other.baseAddress, count > 0 else { return true }
        return memcmp(one, two, count) == 0
    }

    /// Returns whether these bytes equal `text` in any case; `text` must be in lower case.
    @inlinable @inline(__always) public func equals(ignoringCase text: StaticString) -> Bool {
        // Most names differ in length.
        count == text.utf8CodeUnitCount && has(ignoringCase: text)
    }

    /// Compares as many bytes as `text` has, eight at a time; the last eight may overlap others.
    @usableFromInline func has(ignoringCase text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard count >= 8 else {
            return (0..<count).allSatisfy { self[$0].lowercased == text.utf8Start[$0] }
        }
        var index = 0
        while true {
            let eight = loadUnaligned(fromByteOffset: index, as: UInt64.self).lowercaseASCII
            let expected = UnsafeRawPointer(text.utf8Start).loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if eight != expected { return false }
            if index == count - 8 { return true }
            index = Swift.min(index + 8, count - 8)
        }
    }

    public func starts(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount
            && UnsafeRawBufferPointer(rebasing: self[..<text.utf8CodeUnitCount]).equals(text)
    }

    /// Returns whether these bytes start with `text`, which is in lower case, in any case.
    public func starts(ignoringCase text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && has(ignoringCase: text)
    }
}

extension UInt8 {
    /// Whether it is a digit, or a letter, of ASCII.
    @inlinable @inline(__always) public var isDigit: Bool { self &- 48 < 10 }
    @inlinable @inline(__always) public var isLetter: Bool { (self | 0x20) &- 97 < 26 }
    @inlinable @inline(__always) public var isLetterOrDigit: Bool { isLetter || isDigit }
    /// Whether it is neither a space nor a control character of ASCII.
    @inlinable @inline(__always) public var isVisible: Bool { self > 0x20 && self != 0x7F }

    /// The lower-case form of an ASCII letter, or the byte itself.
    @inlinable @inline(__always) public var lowercased: UInt8 { self &- 65 < 26 ? self | 0x20 : self }
}

extension UInt64 {
    /// The highest bit of each of eight bytes that is from `low` to `high`, which are ASCII.
    @inlinable @inline(__always) public func bytes(from low: Unicode.Scalar, to high: Unicode.Scalar) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        // Sums of seven bits: no byte carries into the next one.
        let bits = self & ~highs
        let isFromLow = bits &+ ones &* UInt64(0x80 - low.value)
        let isBeyondHigh = bits &+ ones &* UInt64(0x7F - high.value)
        return isFromLow & ~isBeyondHigh & ~self & highs
    }

    /// Eight bytes with the letters of ASCII in lower case.
    fileprivate var lowercaseASCII: UInt64 { self | bytes(from: "A", to: "Z") >> 2 }
}

extension ByteBuffer {
    /// Appends a copy of `bytes` and returns its slice.
    public func keep(_ bytes: UnsafeRawBufferPointer) -> ByteSlice {
        let slice = ByteSlice(offset: count, count: bytes.count)
        append(bytes)
        return slice
    }

    /// Appends `text` and returns its slice, which is empty for `nil`.
    public func keep(_ text: String?) -> ByteSlice {
        guard let text, !text.isEmpty else { return .empty }
        return text.withBytes(keep)
    }
}

extension String {
    /// Calls `body` with the text as UTF-8.
    @inlinable public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        var text = self
        return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the bytes after `prefix`, or `nil` if these bytes do not start with it.
    public func removingPrefix(_ prefix: StaticString) -> UnsafeRawBufferPointer? {
        starts(with: prefix) ? UnsafeRawBufferPointer(rebasing: self[prefix.utf8CodeUnitCount...]) : nil
    }

    /// Returns the bytes before `suffix`, or `nil` if these bytes do not end with it.
    public func removingSuffix(_ suffix: StaticString) -> UnsafeRawBufferPointer? {
        let rest = count - suffix.utf8CodeUnitCount
        guard rest >= 0, UnsafeRawBufferPointer(rebasing: self[rest...]).equals(suffix) else { return nil }
        return UnsafeRawBufferPointer(rebasing: self[..<rest])
    }
}

extension UnsafeRawBufferPointer {
    /// Whether these bytes are well-formed UTF-8 (Unicode 16, table 3-7). Eight bytes of ASCII take one step.
    public var isUTF8: Bool {
        var index = 0
        while index < count {
            // The last eight bytes may overlap others.
            let start = Swift.min(index, count - 8)
            if start >= 0, loadUnaligned(fromByteOffset: start, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 {
                index = start + 8
            } else if self[index] < 0x80 {
                index += 1
            } else {
                let length = utf8SequenceLength(at: index)
                if length == 0 { return false }
                index += length
            }
        }
        return true
    }

    /// Returns the length of the UTF-8 sequence at `index`, which does not begin with ASCII; 0 if it is ill-formed.
    func utf8SequenceLength(at index: Int) -> Int {
        let (length, second): (Int, ClosedRange<UInt8>) =
            switch self[index] {
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xE1...0xEF: (3, 0x80...0xBF)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: (0, 0x80...0xBF)
            }
        guard length > 0, count - index >= length, second.contains(self[index + 1]) else { return 0 }
        for next in (index + 2)..<(index + length) where self[next] & 0xC0 != 0x80 { return 0 }
        return length
    }

    /// The scalar at `index`, which moves behind it; `nil` if it is ill-formed.
    func utf8Scalar(at index: inout Int) -> Unicode.Scalar? {
        let first = self[index]
        if first < 0x80 {
            index += 1
            return Unicode.Scalar(first)
        }
        let length = utf8SequenceLength(at: index)
        if length == 0 { return nil }
        var scalar = UInt32(first) & (0x7F >> UInt32(length))
        for next in (index + 1)..<(index + length) { scalar = scalar << 6 | UInt32(self[next] & 0x3F) }
        index += length
        return Unicode.Scalar(scalar)
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the offset of the first `byte` at `start` or later. The C library compares 32 bytes at a time.
    public func offset(of byte: UInt8, from start: Int = 0) -> Int? {
        guard start < count, let base = baseAddress,
            let found = memchr(base + start, Int32(byte), count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// Returns the offset of the first `text`, which is not empty, at `start` or later.
    ///
    /// Eight places are compared with its first two bytes at a time: searches look through thousands of texts.
    public func offset(of text: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
        guard text.count > 1 else { return text.first.flatMap { offset(of: $0, from: start) } }
        let ones: UInt64 = 0x0101_0101_0101_0101
        let (firsts, seconds) = (ones &* UInt64(text[0]), ones &* UInt64(text[1]))
        let last = count - text.count
        var index = start
        while index <= last, index + 9 <= count {
            let here = UInt64(littleEndian: loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let next = UInt64(littleEndian: loadUnaligned(fromByteOffset: index + 1, as: UInt64.self))
            let difference = (here ^ firsts) | (next ^ seconds)
            // The highest bit of each byte that is zero; of bytes above the first one, maybe of others, too.
            var places = (difference &- ones) & ~difference & (ones << 7)
            while places != 0 {
                let place = index + places.trailingZeroBitCount / 8
                if has(text, at: place) { return place }
                places &= places - 1
            }
            index += 8
        }
        while index <= last {
            if has(text, at: index) { return index }
            index += 1
        }
        return nil
    }

    public func offset(of text: StaticString, from start: Int = 0) -> Int? {
        offset(of: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), from: start)
    }

    /// Returns the offset of the first byte below `limit`, which is at most 128. Eight bytes are compared at a time.
    public func offset(ofByteBelow limit: UInt8) -> Int? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = 0
        while index + 8 <= count {
            let eight = UInt64(littleEndian: loadUnaligned(fromByteOffset: index, as: UInt64.self))
            // The highest bit of each byte that is less; of bytes above the first one, maybe of others, too.
            let places = (eight &- ones &* UInt64(limit)) & ~eight & (ones << 7)
            if places != 0 { return index + places.trailingZeroBitCount / 8 }
            index += 8
        }
        return (index..<count).first { self[$0] < limit }
    }

    /// Whether `text` is at `index`.
    @inlinable public func has(_ text: UnsafeRawBufferPointer, at index: Int) -> Bool {
        guard index + text.count <= count else { return false }
        for offset in 0..<text.count where self[index + offset] != text[offset] { return false }
        return true
    }
}
