import CZlib

/// A PNG file, built by hand so that it can be wrong.
public struct PNGFile {
    public enum Colours: UInt8, Sendable {
        case grey = 0
        case rgb = 2
        case palette = 3
        case rgba = 6
    }

    public var width: Int
    public var height: Int
    public var depth: UInt8 = 8
    public var colours = Colours.rgb
    public var isInterlaced = false
    /// Chunks between the header and the data.
    public var chunks: [(name: String, data: [UInt8])] = []
    /// Rows, each after its filter byte.
    public var data: [UInt8] = []

    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    public var bytes: [UInt8] {
        let header = Self.number(width) + Self.number(height) + [depth, colours.rawValue, 0, 0, isInterlaced ? 1 : 0]
        let all = [("IHDR", header)] + chunks + [("IDAT", Self.deflated(data)), ("IEND", [])]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + all.flatMap { Self.chunk($0.0, $0.1) }
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return number(data.count) + body + number(Int(crc32(0, body, UInt32(body.count))))
    }

    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { shift in UInt8(truncatingIfNeeded: value >> shift) }
    }

    /// Returns `data` as a zlib stream.
    public static func deflated(_ data: [UInt8]) -> [UInt8] {
        var count = compressBound(UInt(data.count))
        var stream = [UInt8](repeating: 0, count: Int(count))
        precondition(compress2(&stream, &count, data, UInt(data.count), 6) == Z_OK)
        return Array(stream.prefix(Int(count)))
    }
}

extension TestImage {
    public enum PNGKind: CaseIterable, Sendable { case grey, rgb, rgba, palette, rgb16, interlaced }

    /// Returns a PNG file.
    public func png(_ kind: PNGKind = .rgb) -> [UInt8] {
        var file = PNGFile(width: width, height: height)
        let palette = Array(Set(pixels)).prefix(256)
        var row: ([Pixel]) -> [UInt8] = { $0.flatMap { [$0.x, $0.y, $0.z] } }
        switch kind {
        case .rgb: break
        case .grey:
            file.colours = .grey
            row = { TestImage(width: $0.count, height: 1, pixels: $0).grey }
        case .rgba:
            file.colours = .rgba
            row = { $0.flatMap { [$0.x, $0.y, $0.z, $0.w] } }
        case .palette:
            file.colours = .palette
            file.chunks = [("PLTE", palette.flatMap { [$0.x, $0.y, $0.z] }), ("tRNS", palette.map(\.w))]
            row = { $0.map { pixel in UInt8(palette.firstIndex(of: pixel) ?? 0) } }
        case .rgb16:
            file.depth = 16
            row = { $0.flatMap { [$0.x, $0.x, $0.y, $0.y, $0.z, $0.z] } }
        case .interlaced: file.isInterlaced = true
        }
        // Adam7: each pass has every so many columns and rows.
        let passes =
            kind == .interlaced
            ? [(0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2), (0, 1, 1, 2)]
            : [(0, 1, 0, 1)]
        for (left, columns, top, rows) in passes where left < width {
            for y in stride(from: top, to: height, by: rows) {
                file.data += [0] + row(stride(from: left, to: width, by: columns).map { self[$0, y] })
            }
        }
        return file.bytes
    }
}
