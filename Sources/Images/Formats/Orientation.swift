/// How a stored image is turned before it is shown: the values of EXIF's tag 0x0112 (EXIF 2.32 §4.6.4).
enum Orientation: UInt16, CaseIterable {
    case upright = 1
    case mirrored, upsideDown, flipped, transposed, quarterRight, transverse, quarterLeft

    /// Reads the tag from the TIFF structure of an EXIF block; whatever cannot be read counts as upright.
    init(exif: ArraySlice<UInt8>) {
        self = Self.read(exif) ?? .upright
    }

    /// Whether numbers begin with the highest byte, by the first four bytes.
    private static let byteOrders = ["II*\0": false, "MM\0*": true]

    private static func read(_ exif: ArraySlice<UInt8>) -> Orientation? {
        guard let isBigEndian = byteOrders[String(decoding: exif.prefix(4), as: UTF8.self)] else { return nil }
        var reader = ByteReader(exif, isBigEndian: isBigEndian)
        guard reader.move(to: 4), let offset = reader.uint32(), reader.move(to: Int(offset)),
            let count = reader.uint16()
        else { return nil }
        for _ in 0..<count {
            guard let tag = reader.uint16(), let type = reader.uint16(), let number = reader.uint32(),
                let value = reader.uint16(), reader.bytes(2) != nil
            else { return nil }
            // One value of type SHORT stands in the entry itself.
            if tag == 0x0112 { return type == 3 && number == 1 ? Orientation(rawValue: value) : nil }
        }
        return nil
    }
}

extension PixelImage {
    /// Returns the image as it is to be seen.
    func turned(by orientation: Orientation) -> PixelImage {
        if orientation == .upright { return self }
        // The steps to the next pixel of a row and of a column, from the first pixel that is seen.
        var (start, right, down) = (0, 1, width)
        if [.mirrored, .upsideDown, .transverse, .quarterLeft].contains(orientation) {
            start += width - 1
            right = -right
        }
        if [.upsideDown, .flipped, .quarterRight, .transverse].contains(orientation) {
            start += (height - 1) * width
            down = -down
        }
        let isSideways = orientation.rawValue > 4
        let (newWidth, newHeight) = isSideways ? (height, width) : (width, height)
        if isSideways { swap(&right, &down) }
        var turned: [Pixel] = []
        turned.reserveCapacity(pixels.count)
        for y in 0..<newHeight {
            for x in 0..<newWidth { turned.append(pixels[start + x * right + y * down]) }
        }
        return PixelImage(width: newWidth, height: newHeight, pixels: turned)
    }
}
