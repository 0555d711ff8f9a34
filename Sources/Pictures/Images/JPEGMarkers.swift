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
        var reader = ByteReader(file, isBigEndian: true)
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
