/// A GIF file with one frame, built by hand so that it can be wrong.
public struct GIFFile {
    public var screen: (width: Int, height: Int)
    public var left = 0
    public var top = 0
    public var width: Int
    public var height: Int
    public var isInterlaced = false
    public var transparent: UInt8?
    public var hasOwnColours = false
    public var colours: [TestImage.Pixel]
    public var indices: [UInt8]
    /// Bits of the smallest codes.
    public var codeSize = 8
    /// Whether more frames follow.
    public var isAnimated = false

    /// A frame that fills the screen.
    public init(_ image: TestImage) {
        let colours = Array(Set(image.pixels)).sorted { ($0.x, $0.y, $0.z, $0.w) < ($1.x, $1.y, $1.z, $1.w) }
        (screen, width, height) = ((image.width, image.height), image.width, image.height)
        self.colours = colours
        indices = image.pixels.map { UInt8(colours.firstIndex(of: $0) ?? 0) }
        transparent = colours.firstIndex { $0.w == 0 }.map { UInt8($0) }
    }

    public var bytes: [UInt8] {
        let table = (colours + Array(repeating: .zero, count: 256 - colours.count)).flatMap { [$0.x, $0.y, $0.z] }
        var file = Array("GIF89a".utf8) + number(screen.width) + number(screen.height)
        file += [hasOwnColours ? 0 : 0xF7, 0, 0] + (hasOwnColours ? [] : table)
        for _ in 0..<(isAnimated ? 2 : 1) {
            file += [0x21, 0xF9, 4, transparent == nil ? 0 : 1, 10, 0, transparent ?? 0, 0]
            file += [0x2C] + number(left) + number(top) + number(width) + number(height)
            file += [(hasOwnColours ? 0x87 : 0) | (isInterlaced ? 0x40 : 0)] + (hasOwnColours ? table : [])
            file += [UInt8(codeSize)] + blocks(codes(rows))
        }
        return file + [0x3B]
    }

    private var rows: [UInt8] {
        guard isInterlaced else { return indices }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { start, step in
            stride(from: start, to: height, by: step).flatMap { row in indices[(row * width)...].prefix(width) }
        }
    }

    private func number(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }

    private func blocks(_ data: [UInt8]) -> [UInt8] {
        stride(from: 0, to: data.count, by: 255).flatMap { start in
            let block = data[start..<min(start + 255, data.count)]
            return [UInt8(block.count)] + block
        } + [0]
    }

    /// LZW with a table that grows to 4,096 entries and then starts again.
    private func codes(_ indices: [UInt8]) -> [UInt8] {
        let clear = 1 << codeSize
        var (bytes, bits, count) = ([UInt8](), 0, 0)
        var (table, size, next) = ([[UInt8]: Int](), codeSize + 1, clear + 2)
        func append(_ code: Int) {
            bits |= code << count
            count += size
            while count >= 8 {
                bytes.append(UInt8(bits & 0xFF))
                bits >>= 8
                count -= 8
            }
        }
        func start() {
            append(clear)
            table = Dictionary(uniqueKeysWithValues: (0..<clear).map { ([UInt8($0)], $0) })
            (size, next) = (codeSize + 1, clear + 2)
        }
        start()
        var known: [UInt8] = []
        for index in indices {
            if table[known + [index]] != nil {
                known.append(index)
                continue
            }
            append(table[known] ?? 0)
            table[known + [index]] = next
            if next == 1 << size { size += 1 }
            next += 1
            if next == 4096 { start() }
            known = [index]
        }
        append(table[known] ?? 0)
        append(clear + 1)
        if count > 0 { bytes.append(UInt8(bits & 0xFF)) }
        return bytes
    }
}
