/// How a stored image is turned before it is shown: the values of EXIF's tag 0x0112 (EXIF 2.32 §4.6.4).
enum Orientation: UInt16, CaseIterable {
    case upright = 1
    case mirrored, upsideDown, flipped, transposed, quarterRight, transverse, quarterLeft

    /// Reads the tag from the TIFF structure of an EXIF block; whatever cannot be read counts as upright.
    init(exif: ArraySlice<UInt8>) {
        self = Self.read(exif) ?? .upright
    }

    private static func read(_ exif: ArraySlice<UInt8>) -> Orientation? {
        var reader = ByteReader(exif)
        guard let mark = reader.bytes(4) else { return nil }
        switch Array(mark) {
        case Array("II*\0".utf8): reader.isBigEndian = false
        case Array("MM\0*".utf8): reader.isBigEndian = true
        default: return nil
        }
        guard let offset = reader.uint32(), reader.move(to: Int(offset)), let count = reader.uint16() else {
            return nil
        }
        for _ in 0..<count {
            guard let tag = reader.uint16(), let type = reader.uint16(), let number = reader.uint32() else {
                return nil
            }
            guard let value = reader.uint16(), reader.bytes(2) != nil else { return nil }
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
        let (right, bottom) = (width - 1, height - 1)
        let isSideways = orientation.rawValue > 4
        let (newWidth, newHeight) = isSideways ? (height, width) : (width, height)
        var turned: [Pixel] = []
        turned.reserveCapacity(pixels.count)
        for y in 0..<newHeight {
            for x in 0..<newWidth {
                let (column, row) =
                    switch orientation {
                    case .upright: (x, y)
                    case .mirrored: (right - x, y)
                    case .upsideDown: (right - x, bottom - y)
                    case .flipped: (x, bottom - y)
                    case .transposed: (y, x)
                    case .quarterRight: (y, bottom - x)
                    case .transverse: (right - y, bottom - x)
                    case .quarterLeft: (right - y, x)
                    }
                turned.append(pixels[row * width + column])
            }
        }
        return PixelImage(width: newWidth, height: newHeight, pixels: turned)
    }
}
