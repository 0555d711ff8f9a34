import CTurboJPEG
import People

/// Reads JPEG with TurboJPEG, which returns errors instead of calling `longjmp` past Swift.
enum JPEGDecoder {
    /// Returns the image, at least twice as large as `side` if the file is. Shrinking while decoding costs a fraction
    /// of shrinking afterwards.
    static func decode(_ file: [UInt8], side: Int) throws(PictureRefusal) -> Original {
        let markers = JPEGMarkers(file)
        guard markers.scans <= PictureLimits.maxScans else {
            throw PictureRefusal("expected at most \(PictureLimits.maxScans) scans, found \(markers.scans)")
        }
        guard let decoder = tjInitDecompress() else { throw PictureRefusal("expected memory for JPEG, found none") }
        defer { tjDestroy(decoder) }
        var (width, height, subsampling, colours) = (CInt(0), CInt(0), CInt(0), CInt(0))
        guard tjDecompressHeader3(decoder, file, UInt(file.count), &width, &height, &subsampling, &colours) == 0 else {
            throw refusal(decoder)
        }
        try PictureRefusal.checkSize(Int(width), Int(height))
        let eighths = (1..<8).first { scaled(min(width, height), $0) >= 2 * side } ?? 8
        let (newWidth, newHeight) = (scaled(width, eighths), scaled(height, eighths))
        let isCMYK = [TJCS_CMYK, TJCS_YCCK].contains { $0.rawValue == UInt32(colours) }
        let format = isCMYK ? TJPF_CMYK : TJPF_RGBA
        let bitmap = Bitmap(width: newWidth, height: newHeight) { pixels in
            // The library reports a truncated file as a warning; the rest of the image would be grey.
            tjDecompress2(
                decoder, file, UInt(file.count), pixels, CInt(newWidth), 0, CInt(newHeight), format.rawValue,
                TJFLAG_STOPONWARNING) == 0 ? () : nil
        }
        guard var bitmap else { throw refusal(decoder) }
        if isCMYK { bitmap.convertFromCMYK(isInverted: markers.hasAdobeMarker) }
        return Original(bitmap: bitmap, orientation: markers.exif.map { Orientation(exif: $0) } ?? .upright)
    }

    /// As TJSCALED computes it.
    private static func scaled(_ length: CInt, _ eighths: Int) -> Int { (Int(length) * eighths + 7) / 8 }

    private static func refusal(_ decoder: tjhandle) -> PictureRefusal {
        PictureRefusal("expected a whole JPEG, found: \(tjGetErrorStr2(decoder).map { String(cString: $0) } ?? "?")")
    }
}

extension Bitmap {
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
