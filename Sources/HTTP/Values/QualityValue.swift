import Bytes

extension UnsafeRawBufferPointer {
    /// An element of a list such as `gzip;q=0.5`: what it names, and its weight in thousandths, which is 1000 without
    /// one (RFC 9110 §12.4.2). `nil` if it is not well-formed.
    var weighted: (name: UnsafeRawBufferPointer, weight: Int)? {
        let split = firstIndex(of: UInt8(ascii: ";")) ?? count
        let name = UnsafeRawBufferPointer(rebasing: self[..<split]).trimmed
        if split == count { return (name, 1000) }
        return UnsafeRawBufferPointer(rebasing: self[(split + 1)...]).trimmed.weight.map { (name, $0) }
    }

    /// Parses `q=` and a number from 0 to 1 with at most three decimals. Returns thousandths.
    private var weight: Int? {
        guard count >= 3, count <= 7, self[0].lowercased == UInt8(ascii: "q"), self[1] == UInt8(ascii: "="),
            self[2].isDigit, count == 3 || self[3] == UInt8(ascii: ".")
        else { return nil }
        var weight = Int(self[2] &- 48) * 1000
        var place = 100
        for byte in dropFirst(4) {
            guard byte.isDigit else { return nil }
            weight += Int(byte &- 48) * place
            place /= 10
        }
        return weight <= 1000 ? weight : nil
    }
}
