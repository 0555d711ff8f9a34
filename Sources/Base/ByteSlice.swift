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
    @inlinable public func equals(ignoringCase text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for index in 0..<count {
            var byte = self[index]
            if byte &- 65 < 26 { byte |= 0x20 }
            if byte != text.utf8Start[index] { return false }
        }
        return true
    }

    public func starts(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount
            && UnsafeRawBufferPointer(rebasing: self[..<text.utf8CodeUnitCount]).equals(text)
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
