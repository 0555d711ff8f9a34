import CWebP

extension TestImage {
    public enum WebPKind: CaseIterable, Sendable { case lossy, lossless, alpha }

    /// Returns a WebP file.
    public func webp(_ kind: WebPKind = .lossy) -> [UInt8] {
        var file: UnsafeMutablePointer<UInt8>?
        let (width, height) = (Int32(width), Int32(height))
        let rgb = pixels.flatMap { [$0.x, $0.y, $0.z] }
        let count =
            switch kind {
            case .lossy: WebPEncodeRGB(rgb, width, height, width * 3, 90, &file)
            case .lossless: WebPEncodeLosslessRGB(rgb, width, height, width * 3, &file)
            case .alpha: WebPEncodeRGBA(bytes, width, height, width * 4, 90, &file)
            }
        precondition(count > 0)
        defer { WebPFree(file) }
        return Array(UnsafeBufferPointer(start: file, count: count))
    }

    public init?(webp file: [UInt8]) {
        var (width, height) = (Int32(0), Int32(0))
        guard let start = WebPDecodeRGBA(file, file.count, &width, &height) else { return nil }
        defer { WebPFree(start) }
        let bytes = UnsafeBufferPointer(start: start, count: Int(width * height) * 4)
        self.init(
            width: Int(width), height: Int(height),
            pixels: stride(from: 0, to: bytes.count, by: 4).map {
                Pixel(bytes[$0], bytes[$0 + 1], bytes[$0 + 2], bytes[$0 + 3])
            })
    }
}

/// Parts of WebP files.
public enum WebPParts {
    /// The head of an animation: an extended header with the flag, and one frame's start.
    public static func animation() -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> ($0 * 8) & 0xFF) } }
        func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] { Array(name.utf8) + number(data.count, 4) + data }
        let body =
            Array("WEBP".utf8) + chunk("VP8X", [2, 0, 0, 0] + number(63, 3) + number(63, 3))
            + chunk("ANIM", [0, 0, 0, 0, 0, 0]) + chunk("ANMF", [UInt8](repeating: 0, count: 64))
        return Array("RIFF".utf8) + number(body.count, 4) + body
    }
}
