import Base
import CTurboJPEG
import People

extension Original {
    /// Reads JPEG with TurboJPEG, which returns errors instead of calling `longjmp` past Swift. The image is at least
    /// twice as large as `side` if the file is: shrinking while decoding costs a fraction of shrinking afterwards.
    init(jpeg file: [UInt8], side: Int) throws(RollcallError) {
        let markers = JPEGMarkers(file)
        try expect(
            markers.scans <= PictureLimits.maxScans,
            "expected at most \(PictureLimits.maxScans) scans, found \(markers.scans)")
        let decoder = try required(tjInitDecompress(), "expected memory for JPEG, found none")
        defer { tjDestroy(decoder) }
        var (width, height, subsampling, colours) = (CInt(0), CInt(0), CInt(0), CInt(0))
        let code = tjDecompressHeader3(decoder, file, UInt(file.count), &width, &height, &subsampling, &colours)
        try expect(code == 0, Self.refusal(decoder))
        try RollcallError.checkSize(Int(width), Int(height), limit: PictureLimits.maxJPEGPixels)
        let eighths = (1..<8).first { Self.scaled(min(width, height), $0) >= 2 * side } ?? 8
        let (newWidth, newHeight) = (Self.scaled(width, eighths), Self.scaled(height, eighths))
        let isCMYK = [TJCS_CMYK, TJCS_YCCK].contains { $0.rawValue == UInt32(colours) }
        let format = isCMYK ? TJPF_CMYK : TJPF_RGBA
        let image = PixelImage(width: newWidth, height: newHeight) { pixels in
            // The library reports a truncated file as a warning; the rest of the image would be grey.
            tjDecompress2(
                decoder, file, UInt(file.count), pixels, CInt(newWidth), 0, CInt(newHeight), format.rawValue,
                TJFLAG_STOPONWARNING) == 0
        }
        self.init(
            image: try required(image, Self.refusal(decoder)),
            orientation: markers.exif.map { Orientation(exif: $0) } ?? .upright)
        if isCMYK { self.image.convertFromCMYK(isInverted: markers.hasAdobeMarker) }
    }

    /// As TJSCALED computes it.
    private static func scaled(_ length: CInt, _ eighths: Int) -> Int { (Int(length) * eighths + 7) / 8 }

    private static func refusal(_ decoder: tjhandle) -> String {
        "expected a whole JPEG, found: \(tjGetErrorStr2(decoder).map { String(cString: $0) } ?? "?")"
    }
}

extension PixelImage {
    /// Converts pixels of cyan, magenta, yellow and black. Programs of Adobe write them inverted, and mark the file.
    fileprivate mutating func convertFromCMYK(isInverted: Bool) {
        for index in pixels.indices {
            let inks = isInverted ? pixels[index] : ~pixels[index]
            var colour = SIMD4<UInt32>(truncatingIfNeeded: inks)
            colour = (colour &* colour.w &+ 127) / 255
            colour.w = 255
            pixels[index] = Pixel(truncatingIfNeeded: colour)
        }
    }
}

/// The parts of a JPEG file that the library does not report (ITU-T T.81, annex B).
struct JPEGMarkers {
    /// The TIFF structure of the EXIF block.
    private(set) var exif: ArraySlice<UInt8>?
    /// Whether Adobe's APP14 marker is there.
    private(set) var hasAdobeMarker = false
    /// At least the number of scans: the occurrences of the SOS marker's bytes.
    ///
    /// A progressive JPEG of 66 KB can cost seconds, a pass over all pixels for each scan, and TurboJPEG's own limit is
    /// 500. Other segments may contain the bytes by chance, or for the thumbnail; that is far from the limit.
    let scans: Int

    init(_ file: [UInt8]) {
        scans = zip(file, file.dropFirst()).lazy.filter { $0 == 0xFF && $1 == 0xDA }.count
        var reader = ByteReader(file[...], isBigEndian: true)
        guard reader.bytes(2) != nil else { return }
        while let marker = Self.marker(&reader), let length = reader.uint16(), length >= 2 {
            guard let segment = reader.bytes(Int(length) - 2) else { return }
            if marker == 0xE1, exif == nil, segment.starts(with: Array("Exif\0\0".utf8)) {
                exif = segment.dropFirst(6)
            } else if marker == 0xEE, segment.starts(with: Array("Adobe".utf8)) {
                hasAdobeMarker = true
            }
        }
    }

    /// Returns the next marker before the image's data. Any number of bytes 0xFF may stand before it.
    private static func marker(_ reader: inout ByteReader) -> UInt8? {
        guard reader.byte() == 0xFF else { return nil }
        while let byte = reader.byte() {
            if byte != 0xFF { return byte == 0xDA || byte == 0xD9 ? nil : byte }
        }
        return nil
    }
}
