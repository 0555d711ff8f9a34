extension Int {
    /// The number with commas between groups of three digits: `1,234,567`.
    public var grouped: String {
        var digits = String(magnitude)
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return (self < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
    }
}

/// Returns `1 page`, `1,234 pages`.
public func counted(_ number: Int, _ noun: String) -> String { counted(number, noun, noun + "s") }

/// Returns `1 person`, `1,234 people`.
public func counted(_ number: Int, _ noun: String, _ plural: String) -> String {
    "\(number.grouped) \(number == 1 ? noun : plural)"
}

/// Returns `Name, Team and Room`.
public func listed(_ words: [String]) -> String {
    [words.dropLast().joined(separator: ", "), words.last ?? ""].filter { !$0.isEmpty }.joined(separator: " and ")
}

extension FixedWidthInteger {
    /// Reads a number written in decimal digits alone: no sign, no space. Returns `nil` for anything else, and for a
    /// number that does not fit.
    @inlinable public init?(decimalDigits bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return nil }
        var number: Self = 0
        for byte in bytes {
            guard byte.isDigit else { return nil }
            let (tenfold, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tenfold.addingReportingOverflow(Self(truncatingIfNeeded: byte &- 48))
            if overflow || carry { return nil }
            number = sum
        }
        self = number
    }
}

extension Range<Int> {
    /// Returns the first number for which not `isBefore`, which holds for a first part of the numbers; the upper bound
    /// if it holds for all (binary search).
    @inlinable @inline(__always) public func end(where isBefore: (Int) throws -> Bool) rethrows -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = (low + high) / 2
            if try isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

// Varints (LEB128): an unsigned number in groups of seven bits, the lowest group first. The eighth bit of a byte says
// that another group follows. Numbers below 128 take one byte, 64-bit numbers at most ten.

extension UnsafeRawBufferPointer {
    /// Returns the varint at `index` and moves `index` past it, or returns `nil` if the bytes end first or hold more
    /// than ten groups.
    @inlinable @inline(__always) public func varint(at index: inout Int) -> UInt64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while index < count, shift < 64 {
            let byte = self[index]
            index += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        return nil
    }

    /// Returns the bytes at `index` that follow their number, a varint, and moves `index` past them. Returns `nil` if
    /// there are fewer.
    @inlinable @inline(__always) public func counted(at index: inout Int) -> UnsafeRawBufferPointer? {
        guard let number = varint(at: &index), number <= UInt64(count - index) else { return nil }
        let start = index
        index += Int(number)
        return UnsafeRawBufferPointer(rebasing: self[start..<index])
    }
}

extension Int64 {
    /// 0, -1, 1, -2 and so on become 0, 1, 2, 3, so that small numbers take few bytes.
    @inlinable public var zigzag: UInt64 { UInt64(bitPattern: self << 1 ^ self >> 63) }

    @inlinable public init(zigzag: UInt64) { self = Int64(bitPattern: zigzag >> 1) ^ -Int64(zigzag & 1) }
}

extension UnsafeMutableRawPointer {
    /// Writes `number` as a varint and moves past it. There must be room for ten bytes.
    @inlinable @inline(__always) public mutating func write(varint number: UInt64) {
        var number = number
        while number >= 0x80 {
            storeBytes(of: UInt8(truncatingIfNeeded: number) | 0x80, as: UInt8.self)
            self += 1
            number >>= 7
        }
        storeBytes(of: UInt8(truncatingIfNeeded: number), as: UInt8.self)
        self += 1
    }
}

extension ByteBuffer {
    /// Appends `number` as a varint.
    @inlinable public func append(varint number: UInt64) {
        var number = number
        while number >= 0x80 {
            append(UInt8(truncatingIfNeeded: number) | 0x80)
            number >>= 7
        }
        append(UInt8(truncatingIfNeeded: number))
    }

    /// Appends the ``Swift/Int64/zigzag`` form of `number` as a varint.
    @inlinable public func append(signedVarint number: Int64) { append(varint: number.zigzag) }

    /// Appends the number of `bytes` as a varint, and a copy of them. They must not be in this buffer.
    @inlinable public func append(counted bytes: UnsafeRawBufferPointer) {
        append(varint: UInt64(bytes.count))
        append(bytes)
    }
}
