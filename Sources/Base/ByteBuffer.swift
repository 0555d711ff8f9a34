/// A reusable buffer of bytes in raw memory, to which bytes are appended.
///
/// Every page is written into one of these, and each event loop keeps its own for the life of the process: it grows to
/// the size of the largest page and is then reused. Appending costs about a sixth of an append to `[UInt8]`, which
/// always checks for uniqueness and capacity through a generic path.
///
/// A class, so that it can be passed without copies; confined to one queue at a time.
///
/// ```swift
/// buffer.append("<b>")
/// buffer.append(decimal: 42)
/// String(buffer)  // "<b>42"
/// ```
public final class ByteBuffer {
    // Unchecked exclusivity: each access is a single load or store, and none lasts while other code runs. A buffer
    // belongs to one thread at a time. (The checks took two thirds of the time of a page.)

    /// The memory; valid until the next append.
    @exclusivity(unchecked) public private(set) var base: UnsafeMutableRawPointer
    @exclusivity(unchecked) public private(set) var capacity: Int
    @exclusivity(unchecked) @usableFromInline var length = 0
    /// How many calls have the bytes as a span now; the memory stays meanwhile.
    @exclusivity(unchecked) @usableFromInline var lentCount = 0

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

    /// Removes the first `count` bytes; the others move to the beginning.
    public func removeFirst(_ count: Int) {
        precondition(count <= length && lentCount == 0)
        length -= count
        base.copyMemory(from: base + count, byteCount: length)
    }

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
        precondition(lentCount == 0)
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

    /// How many bytes must follow those that ``append(padded:_:)`` appends.
    @inlinable public static var padding: Int { 16 }

    /// Appends a part of `bytes` that ends at least ``padding`` bytes before their end. A short part is copied in steps
    /// of 16 bytes, which costs less than a call of `memcpy`.
    @inlinable public func append(padded bytes: UnsafeRawBufferPointer, _ slice: ByteSlice) {
        let (start, count) = (Int(slice.offset), Int(slice.count))
        precondition(start &+ count &+ Self.padding <= bytes.count)
        guard let source = bytes.baseAddress else { return }
        if count > 8 * Self.padding { return append(bytes[slice]) }
        reserve(count &+ Self.padding)
        let target = base + length
        var offset = 0
        while offset < count {
            let step = (source + (start &+ offset)).loadUnaligned(as: SIMD2<UInt64>.self)
            (target + offset).storeBytes(of: step, as: SIMD2<UInt64>.self)
            offset &+= Self.padding
        }
        length &+= count
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

    /// Creates the text that `write` appends to a buffer.
    public init(writing write: (ByteBuffer) -> Void) {
        let buffer = ByteBuffer(capacity: 128)
        write(buffer)
        self.init(buffer)
    }
}

// Base64 with the alphabet for URLs and without padding (RFC 4648 §5). Not Foundation's, which goes through `Data` and
// needs a pass of its own for the alphabet: a cursor of 25 bytes took more than five times as long (Swift 6.3,
// November 2026).

extension ByteBuffer {
    /// Appends the base64url encoding of the eight bytes of `number`, most significant first, followed by `bytes`.
    public func append(base64URL bytes: UnsafeRawBufferPointer, after number: Int64) {
        // The bits that have not been written yet are the lowest ones.
        var (bits, bitCount): (UInt32, Int) = (0, 0)
        for index in -8..<bytes.count {
            let byte = index < 0 ? UInt8(truncatingIfNeeded: number >> (-8 * (index + 1))) : bytes[index]
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                append(base64URLDigits[Int(bits >> bitCount & 63)])
            }
        }
        if bitCount > 0 { append(base64URLDigits[Int(bits << (6 - bitCount) & 63)]) }
    }
}

private var base64URLDigits: UnsafeRawBufferPointer {
    let digits: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return UnsafeRawBufferPointer(start: digits.utf8Start, count: 64)
}

extension [UInt8] {
    /// Decodes `text`, or returns `nil` unless it is exactly the output of an encoder.
    public init?(base64URL text: UnsafeRawBufferPointer) {
        self = []
        reserveCapacity(text.count * 3 / 4)
        var (bits, bitCount): (UInt32, Int) = (0, 0)
        for byte in text {
            guard let six = base64URLDigits.offset(of: byte) else { return nil }
            bits = bits << 6 | UInt32(six)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                append(UInt8(truncatingIfNeeded: bits >> bitCount))
                bits &= (1 << bitCount) - 1
            }
        }
        // Six remaining bits are a superfluous digit; the unused bits of the last digit must be zero.
        guard bitCount < 6, bits == 0 else { return nil }
    }
}

extension ByteBuffer {
    /// Appends the low `digits` hexadecimal digits of `number`, in lower case.
    public func append(hexadecimal number: UInt64, digits: Int = 16) {
        for position in stride(from: digits - 1, through: 0, by: -1) {
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(4 * position)) & 15
            append(digit < 10 ? digit + 48 : digit + 87)
        }
    }

    /// Appends `text` with all but the unreserved characters (RFC 3986 §2.3) percent-encoded: safe in paths and
    /// queries.
    public func append(percentEncoding text: some StringProtocol) {
        String(text).withBytes { append(percentEncoding: $0) }
    }

    public func append(percentEncoding bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count * 3)
        func put(_ byte: UInt8) {
            base.storeBytes(of: byte, toByteOffset: length, as: UInt8.self)
            length &+= 1
        }
        for byte in bytes {
            if byte.isUnreserved {
                put(byte)
            } else {
                put(UInt8(ascii: "%"))
                // RFC 3986 §2.1: capital letters.
                for digit in [byte >> 4, byte & 15] { put(digit < 10 ? digit + 48 : digit + 55) }
            }
        }
    }
}

extension UInt8 {
    /// Whether it is a letter, a digit or one of `-._~`, which mean themselves in URLs (RFC 3986 §2.3).
    @inline(__always) public var isUnreserved: Bool {
        switch self {
        case 65...90, 97...122, 48...57, 45, 46, 95, 126: true
        default: false
        }
    }
}
