import Glibc

/// A range of bytes: offset and length.
///
/// It takes eight bytes and holds no reference: rows of text can be kept as one array of bytes and a slice for each
/// field.
public struct ByteSlice: Sendable, Equatable {
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
    @inlinable public subscript(slice: ByteSlice) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[slice.range])
    }

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
            return (0..<count).allSatisfy { index in
                let byte = self[index]
                return (byte &- 65 < 26 ? byte | 0x20 : byte) == text.utf8Start[index]
            }
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
}

extension UInt64 {
    /// Eight bytes with the letters of ASCII in lower case.
    fileprivate var lowercaseASCII: UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        // Sums of seven bits: no byte carries into the next one.
        let low = self & ~highs
        let capitals = (low &+ ones &* (0x80 - 0x41)) & ~(low &+ ones &* (0x80 - 0x5B)) & ~self & highs
        return self | capitals >> 2
    }
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
        guard var text, !text.isEmpty else { return .empty }
        return text.withUTF8 { keep(UnsafeRawBufferPointer($0)) }
    }
}
