/// A reusable buffer of bytes in raw memory, to which bytes are appended.
///
/// Every page is written into one of these, and each event loop keeps its own for the life of the process: it grows to
/// the size of the largest page and is then reused. Appending costs about a sixth of an append to `[UInt8]`, which
/// always checks for uniqueness and capacity through a generic path.
///
/// A class, so that it can be passed without copies; confined to one queue at a time.
public final class ByteBuffer {
    // Unchecked exclusivity: each access is a single load or store, and none lasts while other code runs. The checks
    // took two thirds of the time of a page.

    /// The memory; valid until the next append.
    @exclusivity(unchecked) public private(set) var base: UnsafeMutableRawPointer
    @exclusivity(unchecked) public private(set) var capacity: Int
    @exclusivity(unchecked) @usableFromInline var length = 0

    public init(capacity: Int = 4096) {
        self.capacity = max(capacity, 16)
        base = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit { base.deallocate() }

    @inlinable public var count: Int { length }
    @inlinable public var isEmpty: Bool { length == 0 }

    /// The bytes so far; valid until the next append.
    @inlinable public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: length) }

    /// Removes all bytes and keeps the memory.
    @inlinable public func removeAll() { length = 0 }

    /// Removes all bytes from offset `count` on.
    @inlinable public func truncate(to count: Int) {
        precondition(count <= length)
        length = count
    }

    /// Makes room for `count` more bytes.
    @inlinable public func reserve(_ count: Int) {
        if capacity - length < count { grow(count) }
    }

    @usableFromInline @inline(never) func grow(_ count: Int) {
        let larger = max(capacity * 2, length + count)
        let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        moved.copyMemory(from: base, byteCount: length)
        base.deallocate()
        base = moved
        capacity = larger
    }

    /// Lets `body` write up to `count` bytes at the end; `body` returns the number of bytes it wrote.
    @inlinable public func append(upTo count: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Int) rethrows {
        reserve(count)
        let room = UnsafeMutableRawBufferPointer(start: base + length, count: count)
        let written = try body(room)
        precondition((0...count).contains(written))
        length += written
    }
}

extension ByteBuffer {
    @inlinable public func append(_ byte: UInt8) {
        reserve(1)
        base.storeBytes(of: byte, toByteOffset: length, as: UInt8.self)
        length += 1
    }

    @inlinable public func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, bytes.count > 0 else { return }
        reserve(bytes.count)
        (base + length).copyMemory(from: start, byteCount: bytes.count)
        length += bytes.count
    }

    @inlinable public func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    @inlinable public func append(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { append($0) }
    }

    @inlinable public func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inlinable public func append(utf8 text: some StringProtocol) {
        // Native strings give access to their storage; only bridged ones need the loop.
        if text.utf8.withContiguousStorageIfAvailable({ append(UnsafeRawBufferPointer($0)) }) == nil {
            for byte in text.utf8 { append(byte) }
        }
    }

    /// Appends `number` in decimal.
    @inlinable public func append(decimal number: some FixedWidthInteger) {
        var rest = UInt64(number.magnitude)
        if number < 0 { append(UInt8(ascii: "-")) }
        reserve(20)
        var digits = 1
        var bound: UInt64 = 10
        while digits < 20, rest >= bound {
            digits += 1
            let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
            if overflow { break }
            bound = next
        }
        var position = length + digits
        length = position
        for _ in 0..<digits {
            position -= 1
            base.storeBytes(of: UInt8(truncatingIfNeeded: rest % 10) &+ 48, toByteOffset: position, as: UInt8.self)
            rest /= 10
        }
    }
}

extension [UInt8] {
    /// Copies the bytes of `buffer`.
    public init(_ buffer: ByteBuffer) { self.init(buffer.bytes) }
}

extension String {
    /// Decodes the bytes of `buffer`; invalid UTF-8 becomes U+FFFD.
    public init(_ buffer: ByteBuffer) { self.init(decoding: buffer.bytes, as: UTF8.self) }
}
