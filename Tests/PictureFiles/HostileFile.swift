/// A file that tries to harm whoever reads it.
public struct HostileFile: Sendable, CustomStringConvertible {
    public enum Expectation: Sendable { case refused, made }

    public let description: String
    public let expectation: Expectation
    private let make: @Sendable () -> [UInt8]

    init(_ description: String, _ expectation: Expectation, _ make: @escaping @Sendable () -> [UInt8]) {
        (self.description, self.expectation, self.make) = (description, expectation, make)
    }

    public var bytes: [UInt8] { make() }

    public static let all = bombs + wrongTypes + damaged + strange

    /// Little files that become large, or take long.
    static let bombs: [HostileFile] = [
        HostileFile("PNG of 30,000 × 30,000 pixels", .refused) { png(30_000, 30_000, rows: 10, bytes: 90_000) },
        HostileFile("PNG of 30,000 × 30,000 bits", .refused) {
            png(30_000, 30_000, depth: 1, .grey, rows: 30_000, bytes: 3750)
        },
        HostileFile("PNG of 2,147,483,647 × 2,147,483,647 pixels", .refused) {
            png(Int(Int32.max), Int(Int32.max), rows: 0, bytes: 0)
        },
        HostileFile("PNG of one pixel more than allowed", .refused) { png(4096, 4097, rows: 0, bytes: 0) },
        HostileFile("PNG of as many pixels as allowed", .made) { png(4096, 4096, .rgba, rows: 4096, bytes: 16_384) },
        HostileFile("PNG with a colour profile of 50 MB", .made) {
            png(64, 64, rows: 64, bytes: 192, chunk: ("iCCP", Array("a\0\0".utf8) + zeros(50_000_000)))
        },
        HostileFile("PNG with a comment of 50 MB", .made) {
            png(64, 64, rows: 64, bytes: 192, chunk: ("zTXt", Array("a\0\0".utf8) + zeros(50_000_000)))
        },
        HostileFile("JPEG of 64,250 × 64,250 pixels", .refused) {
            JPEGParts.resize(TestImage.chequer().jpeg(), width: 64_250, height: 64_250)
        },
        HostileFile("JPEG with 33 scans", .refused) { scans(33) },
        HostileFile("JPEG with 100 scans", .refused) { scans(100) },
        HostileFile("JPEG with 490 scans", .refused) { scans(490) },
        HostileFile("JPEG with 2,000 scans", .refused) { scans(2000) },
        HostileFile("GIF of 65,535 × 65,535 pixels", .refused) {
            var file = GIFFile(.chequer())
            (file.screen, file.width, file.height) = ((65_535, 65_535), 65_535, 65_535)
            return file.bytes
        },
        HostileFile("GIF with a frame of 65,535 × 65,535 pixels", .refused) {
            var file = GIFFile(.chequer())
            (file.width, file.height) = (65_535, 65_535)
            return file.bytes
        },
        HostileFile("GIF of 4,096 × 4,096 pixels in 8 KB", .made) { GIFBomb.bytes },
        HostileFile("a file of 32 MiB and a byte", .refused) {
            TestImage.chequer().jpeg() + [UInt8](repeating: 0, count: 32 << 20)
        },
    ]

    /// Files whose first bytes are not those of a format that is read.
    static let wrongTypes: [HostileFile] = [
        HostileFile("an empty file", .refused) { [] }, HostileFile("one byte", .refused) { [0xFF] },
        HostileFile("SVG", .refused) { Array("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".utf8) },
        HostileFile("XML with an entity", .refused) {
            Array("<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><svg>&b;</svg>".utf8)
        },
        HostileFile("HTML", .refused) { Array("<!doctype html><script>alert(1)</script>".utf8) },
        HostileFile("BMP", .refused) { Array("BM".utf8) + [UInt8](repeating: 0, count: 60) },
        HostileFile("ICO", .refused) { [0, 0, 1, 0, 1, 0] + [UInt8](repeating: 0, count: 60) },
        HostileFile("AVIF", .refused) { [0, 0, 0, 28] + Array("ftypavif".utf8) + [UInt8](repeating: 0, count: 60) },
        HostileFile("animated WebP", .refused) { WebPParts.animation() },
    ]

    static let damaged: [HostileFile] = [
        HostileFile("half a JPEG", .refused) { half(TestImage.portrait(side: 200).jpeg()) },
        HostileFile("half a progressive JPEG", .refused) {
            half(TestImage.portrait(side: 200).jpeg(isProgressive: true))
        },
        HostileFile("half a PNG", .refused) { half(TestImage.portrait(side: 200).png()) },
        HostileFile("half a WebP", .refused) { half(TestImage.portrait(side: 200).webp()) },
        HostileFile("half a GIF", .refused) { half(GIFFile(.chequer()).bytes) },
        HostileFile("the first bytes of a JPEG", .refused) { [0xFF, 0xD8, 0xFF] },
        HostileFile("the first bytes of a PNG", .refused) { Array(TestImage.chequer().png().prefix(8)) },
        HostileFile("the first bytes of a WebP", .refused) { Array(TestImage.chequer().webp().prefix(12)) },
        HostileFile("the first bytes of a GIF", .refused) { Array("GIF89a".utf8) },
        HostileFile("a GIF without an image", .refused) { Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x3B] },
        HostileFile("a GIF whose frame is empty", .refused) {
            var file = GIFFile(.chequer())
            (file.width, file.height, file.indices) = (0, 0, [])
            return file.bytes
        },
        HostileFile("a GIF with codes of 15 bits", .refused) {
            var bytes = GIFFile(.chequer()).bytes
            bytes[6 + 7 + 768 + 8 + 10] = 15
            return bytes
        },
    ]

    /// Files that are right, but not what they seem.
    static let strange: [HostileFile] = [
        HostileFile("JPEG with HTML in it and after it", .made) {
            let html = Array("<!doctype html><script>alert(1)</script>".utf8)
            return JPEGParts.insert(0xFE, html, into: TestImage.chequer().jpeg()) + html
        },
        HostileFile("JPEG whose EXIF block points behind its end", .made) {
            exif(Array("Exif\0\0MM\0*".utf8) + [0xFF, 0xFF, 0xFF, 0xFF])
        },
        HostileFile("JPEG whose EXIF block has 65,535 entries", .made) {
            exif(Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 60_000))
        },
        HostileFile("JPEG with an orientation of 9", .made) { exif(JPEGParts.exif(orientation: 9)) },
        HostileFile("PNG of one pixel", .made) { TestImage.plain([1, 2, 3, 255], width: 1, height: 1).png() },
        HostileFile("PNG of 20 × 10,000 pixels", .made) { png(20, 10_000, rows: 10_000, bytes: 60) },
        HostileFile("JPEG of 10,000 × 20 pixels", .made) {
            TestImage.plain([1, 2, 3, 255], width: 10_000, height: 20).jpeg()
        },
        HostileFile("a JPEG of noise", .made) { TestImage.noise(width: 600, height: 600).jpeg() },
        HostileFile("a GIF whose frame lies outside its screen", .made) {
            var file = GIFFile(.chequer())
            (file.left, file.top) = (60_000, 60_000)
            return file.bytes
        },
        HostileFile("a GIF whose frame is larger than its screen", .made) {
            var file = GIFFile(.chequer())
            file.screen = (10, 10)
            return file.bytes
        },
    ]

    private static func png(
        _ width: Int, _ height: Int, depth: UInt8 = 8, _ colours: PNGFile.Colours = .rgb, rows: Int, bytes: Int,
        chunk: (String, [UInt8])? = nil
    ) -> [UInt8] {
        var file = PNGFile(width: width, height: height)
        (file.depth, file.colours) = (depth, colours)
        file.data = [UInt8](repeating: 0, count: rows * (bytes + 1))
        if let chunk { file.chunks = [(name: chunk.0, data: chunk.1)] }
        return file.bytes
    }

    private static func zeros(_ count: Int) -> [UInt8] { PNGFile.deflated([UInt8](repeating: 0, count: count)) }

    private static func scans(_ count: Int) -> [UInt8] {
        JPEGParts.repeatLastScan(of: TestImage.chequer(side: 1000).jpeg(isProgressive: true), until: count)
    }

    private static func half(_ file: [UInt8]) -> [UInt8] { Array(file.prefix(file.count / 2)) }

    private static func exif(_ block: [UInt8]) -> [UInt8] {
        JPEGParts.insert(0xE1, block, into: TestImage.chequer().jpeg())
    }
}

/// A GIF of 4,096 × 4,096 pixels whose codes stand for ever longer rows of one index.
private enum GIFBomb {
    static var bytes: [UInt8] {
        var (data, bits, count) = ([UInt8](), 0, 0)
        func append(_ code: Int, _ size: Int) {
            bits |= code << count
            count += size
            while count >= 8 {
                data.append(UInt8(bits & 0xFF))
                bits >>= 8
                count -= 8
            }
        }
        append(4, 3)
        append(0, 3)
        var (next, size, pixels, length) = (6, 3, 1, 1)
        while pixels < 4096 * 4096 {
            // The code that is only just being made: one index more than the last.
            if next < 4096 {
                length += 1
                append(next, size)
                next += 1
                if next == 1 << size, size < 12 { size += 1 }
            } else {
                append(4095, 12)
            }
            pixels += length
        }
        append(5, 12)
        if count > 0 { data.append(UInt8(bits & 0xFF)) }
        let blocks = stride(from: 0, to: data.count, by: 255).flatMap { start in
            let block = data[start..<min(start + 255, data.count)]
            return [UInt8(block.count)] + block
        }
        return Array("GIF89a".utf8) + [0, 16, 0, 16, 0x80, 0, 0, 200, 30, 30, 0, 0, 0, 0x2C, 0, 0, 0, 0, 0, 16, 0, 16]
            + [0, 2] + blocks + [0, 0x3B]
    }
}
