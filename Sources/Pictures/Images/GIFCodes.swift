/// LZW with codes of variable size, as GIF has it (GIF89a, appendix F).
enum GIFCodes {
    private static let maxCodes = 4096

    /// Returns `count` indices of colours, or `nil` if `data` is damaged or has fewer.
    static func decode(_ data: [UInt8], codeSize: Int, count: Int) -> [UInt8]? {
        let clear = 1 << codeSize
        // An entry is the entry `prefixes` with one more index; `lengths` are in indices.
        var prefixes = [UInt16](repeating: 0, count: maxCodes)
        var suffixes = [UInt8](repeating: 0, count: maxCodes)
        var firsts = suffixes
        var lengths = [Int](repeating: 1, count: maxCodes)
        for code in 0..<clear { (suffixes[code], firsts[code]) = (UInt8(code), UInt8(code)) }
        var bits = BitReader(data)
        var (next, size) = (clear + 2, codeSize + 1)
        var previous: Int?
        var indices = [UInt8](repeating: 0, count: count)
        var end = 0
        while end < count, let code = bits.read(size), code != clear + 1 {
            if code == clear {
                (next, size, previous) = (clear + 2, codeSize + 1, nil)
                continue
            }
            guard code < next || (code == next && previous != nil && next < maxCodes) else { return nil }
            if let previous, next < maxCodes {
                (prefixes[next], lengths[next]) = (UInt16(previous), lengths[previous] + 1)
                firsts[next] = firsts[previous]
                // The entry may be the one that is being written: it then begins and ends with the same index.
                suffixes[next] = firsts[code]
                next += 1
                if next == 1 << size, size < 12 { size += 1 }
            }
            // Indices come last first. Those beyond the image are left out.
            var (entry, position) = (code, end + lengths[code])
            end = position
            while position > end - lengths[code] {
                position -= 1
                if position < count { indices[position] = suffixes[entry] }
                entry = Int(prefixes[entry])
            }
            previous = code
        }
        return end >= count ? indices : nil
    }

    /// Reads numbers of up to 12 bits, lowest bits first.
    private struct BitReader {
        private let data: [UInt8]
        private var position = 0
        private var bits: UInt32 = 0
        private var count = 0

        init(_ data: [UInt8]) { self.data = data }

        mutating func read(_ size: Int) -> Int? {
            while count < size {
                guard position < data.count else { return nil }
                bits |= UInt32(data[position]) << UInt32(count)
                position += 1
                count += 8
            }
            defer {
                bits >>= UInt32(size)
                count -= size
            }
            return Int(bits & (1 << UInt32(size) - 1))
        }
    }
}
