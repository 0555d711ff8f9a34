import People

/// Reads the first frame of a GIF (version 89a). All accesses are checked.
struct GIFReader {
    static func firstFrame(of file: [UInt8]) throws(PictureRefusal) -> PixelImage {
        var reader = GIFReader(file)
        guard let frame = try reader.frame() else { throw PictureRefusal("expected a whole GIF, found its end") }
        return frame
    }

    private var reader: ByteReader
    /// The index of the colour that is not drawn.
    private var transparent: UInt8?

    private init(_ file: [UInt8]) { reader = ByteReader(file) }

    /// Returns the first frame on the GIF's screen, or `nil` if the file ends before it does.
    private mutating func frame() throws(PictureRefusal) -> PixelImage? {
        guard reader.bytes(6) != nil, let width = reader.uint16(), let height = reader.uint16() else { return nil }
        guard let flags = reader.byte(), reader.bytes(2) != nil else { return nil }
        try PictureRefusal.checkSize(Int(width), Int(height))
        guard let colours = colourTable(flags) else { return nil }
        while let kind = reader.byte() {
            switch kind {
            case 0x21: guard skipExtension() else { return nil }
            case 0x2C: return try image(Int(width), Int(height), colours)
            case 0x3B: throw PictureRefusal("expected an image in a GIF, found none")
            default: throw PictureRefusal("expected a block of a GIF, found byte \(kind)")
            }
        }
        return nil
    }

    /// Reads a colour table if `flags` announces one; else the table is empty.
    private mutating func colourTable(_ flags: UInt8) -> [PixelImage.Pixel]? {
        guard flags & 0x80 != 0 else { return [] }
        guard let bytes = reader.bytes(3 << (Int(flags & 7) + 1)) else { return nil }
        return stride(from: bytes.startIndex, to: bytes.endIndex, by: 3).map {
            PixelImage.Pixel(bytes[$0], bytes[$0 + 1], bytes[$0 + 2], 255)
        }
    }

    /// Skips an extension, and keeps what a graphic control extension says about transparency.
    private mutating func skipExtension() -> Bool {
        let isGraphicControl = reader.byte() == 0xF9
        while let length = reader.byte(), let block = reader.bytes(Int(length)) {
            if length == 0 { return true }
            if isGraphicControl, length == 4, let flags = block.first, let index = block.last {
                transparent = flags & 1 != 0 ? index : nil
            }
        }
        return false
    }

    private mutating func image(
        _ screenWidth: Int, _ screenHeight: Int, _ common: [PixelImage.Pixel]
    ) throws(PictureRefusal) -> PixelImage? {
        guard let left = reader.uint16(), let top = reader.uint16() else { return nil }
        guard let width = reader.uint16(), let height = reader.uint16(), let flags = reader.byte() else { return nil }
        try PictureRefusal.checkSize(Int(width), Int(height))
        guard let own = colourTable(flags), let codeSize = reader.byte(), let data = blocks() else { return nil }
        guard (1...8).contains(codeSize) else {
            throw PictureRefusal("expected codes of 1 to 8 bits in a GIF, found \(codeSize)")
        }
        let count = Int(width) * Int(height)
        guard let indices = GIFCodes.decode(data, codeSize: Int(codeSize), count: count) else {
            throw PictureRefusal("expected \(count) pixels in a GIF, found fewer or damaged ones")
        }
        var colours = own.isEmpty ? common : own
        colours += Array(repeating: PixelImage.Pixel(0, 0, 0, 255), count: 256 - colours.count)
        if let transparent { colours[Int(transparent)] = .zero }
        return Self.draw(
            indices, colours, (Int(left), Int(top), Int(width), Int(height)), isInterlaced: flags & 0x40 != 0,
            on: (screenWidth, screenHeight))
    }

    /// Returns the data of the blocks up to the empty one.
    private mutating func blocks() -> [UInt8]? {
        var data: [UInt8] = []
        while let length = reader.byte(), let block = reader.bytes(Int(length)) {
            if length == 0 { return data }
            data += block
        }
        return nil
    }

    /// Draws the frame where it belongs on a transparent screen. Parts outside the screen are not seen.
    private static func draw(
        _ indices: [UInt8], _ colours: [PixelImage.Pixel], _ frame: (left: Int, top: Int, width: Int, height: Int),
        isInterlaced: Bool, on screen: (width: Int, height: Int)
    ) -> PixelImage {
        var pixels = [PixelImage.Pixel](repeating: .zero, count: screen.width * screen.height)
        let rows = isInterlaced ? interlaced(frame.height) : Array(0..<frame.height)
        let visible = min(frame.width, max(0, screen.width - frame.left))
        for (position, row) in rows.enumerated() where frame.top + row < screen.height {
            let start = (frame.top + row) * screen.width + frame.left
            for x in 0..<visible { pixels[start + x] = colours[Int(indices[position * frame.width + x])] }
        }
        return PixelImage(width: screen.width, height: screen.height, pixels: pixels)
    }

    /// The order of the rows in an interlaced image (GIF89a, appendix E).
    private static func interlaced(_ height: Int) -> [Int] {
        [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
    }
}
