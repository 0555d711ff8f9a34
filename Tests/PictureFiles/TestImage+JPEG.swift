import CTurboJPEG

extension TestImage {
    public enum JPEGColours: Sendable { case rgb420, rgb444, grey, cmyk }

    /// Returns a JPEG file.
    public func jpeg(quality: Int = 90, _ colours: JPEGColours = .rgb420, isProgressive: Bool = false) -> [UInt8] {
        let (samples, format, subsampling): ([UInt8], TJPF, TJSAMP) =
            switch colours {
            case .rgb420: (bytes, TJPF_RGBX, TJSAMP_420)
            case .rgb444: (bytes, TJPF_RGBX, TJSAMP_444)
            case .grey: (grey, TJPF_GRAY, TJSAMP_GRAY)
            // As Adobe's programs write it: 255 stands for no ink.
            case .cmyk: (pixels.flatMap { [$0.x, $0.y, $0.z, 255] }, TJPF_CMYK, TJSAMP_444)
            }
        let encoder = tjInitCompress()
        defer { tjDestroy(encoder) }
        var (file, count) = (UnsafeMutablePointer<UInt8>?.none, UInt(0))
        let result = tjCompress2(
            encoder, samples, Int32(width), 0, Int32(height), format.rawValue, &file, &count,
            Int32(subsampling.rawValue), Int32(quality), isProgressive ? TJFLAG_PROGRESSIVE : 0)
        precondition(result == 0)
        defer { tjFree(file) }
        return Array(UnsafeBufferPointer(start: file, count: Int(count)))
    }

    /// Reads a JPEG file, without turning it.
    public init?(jpeg file: [UInt8]) {
        let decoder = tjInitDecompress()
        defer { tjDestroy(decoder) }
        var (width, height, subsampling, colours) = (Int32(0), Int32(0), Int32(0), Int32(0))
        guard tjDecompressHeader3(decoder, file, UInt(file.count), &width, &height, &subsampling, &colours) == 0 else {
            return nil
        }
        var pixels = [Pixel](repeating: .zero, count: Int(width * height))
        let result = pixels.withUnsafeMutableBytes {
            tjDecompress2(
                decoder, file, UInt(file.count), $0.bindMemory(to: UInt8.self).baseAddress, width, 0, height,
                TJPF_RGBA.rawValue, TJFLAG_STOPONWARNING)
        }
        guard result == 0 else { return nil }
        self.init(width: Int(width), height: Int(height), pixels: pixels)
    }

    var bytes: [UInt8] { pixels.flatMap { [$0.x, $0.y, $0.z, $0.w] } }
}

/// Parts of JPEG files.
public enum JPEGParts {
    /// Returns `file` with a segment after its first marker.
    public static func insert(_ marker: UInt8, _ body: [UInt8], into file: [UInt8]) -> [UInt8] {
        let length = body.count + 2
        return file.prefix(2) + [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + body + file.dropFirst(2)
    }

    /// Returns an EXIF block that says how to turn the image.
    public static func exif(orientation: UInt16, isBigEndian: Bool = true) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(value >> ($0 * 8) & 0xFF) }
            return isBigEndian ? bytes.reversed() : bytes
        }
        // Two entries: the maker, four characters, comes before the orientation.
        return Array((isBigEndian ? "Exif\0\0MM\0*" : "Exif\0\0II*\0").utf8) + number(8, 4) + number(2, 2)
            + number(0x010F, 2) + number(2, 2) + number(4, 4) + Array("abc\0".utf8)
            + number(0x0112, 2) + number(3, 2) + number(1, 4) + number(Int(orientation), 2) + [0, 0] + number(0, 4)
    }

    /// Returns a progressive JPEG with its last scan repeated until there are `count`.
    public static func repeatLastScan(of file: [UInt8], until count: Int) -> [UInt8] {
        let starts = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
        guard let last = starts.last, file.suffix(2) == [0xFF, 0xD9] else { return file }
        let scan = file[last..<(file.count - 2)]
        let more = max(0, count - starts.count)
        return Array(file.dropLast(2)) + Array(repeatElement(scan, count: more).joined()) + [0xFF, 0xD9]
    }

    /// Returns `file` with another size in its frame header.
    public static func resize(_ file: [UInt8], width: Int, height: Int) -> [UInt8] {
        var file = file
        let frames = file.indices.dropLast(9).first { file[$0] == 0xFF && (0xC0...0xC2).contains(file[$0 + 1]) }
        guard let frame = frames else { return file }
        file.replaceSubrange(
            (frame + 5)..<(frame + 9),
            with: [UInt8(height >> 8), UInt8(height & 0xFF), UInt8(width >> 8), UInt8(width & 0xFF)])
        return file
    }
}
