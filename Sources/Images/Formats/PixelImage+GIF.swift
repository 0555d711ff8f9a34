import Base
import CGIF

extension PixelImage {
    /// Reads the first frame of a GIF with giflib, line by line: the library itself allocates no pixels, and opens no
    /// file.
    init(gif file: [UInt8]) throws(RollcallError) {
        let source = GIFSource(file)
        var code: CInt = 0
        let opened = DGifOpen(Unmanaged.passUnretained(source).toOpaque(), readGIF, &code)
        let gif = try required(opened, Self.refusal(code))
        defer { withExtendedLifetime(source) { _ = DGifCloseFile(gif, nil) } }
        try RollcallError.checkSize(Int(gif.pointee.SWidth), Int(gif.pointee.SHeight))
        let transparent = try Self.readUpToFrame(gif)
        try RollcallError.checkSize(Int(gif.pointee.Image.Width), Int(gif.pointee.Image.Height))
        var colours = Self.colours(of: gif.pointee)
        if colours.indices.contains(transparent) { colours[transparent] = .zero }
        self = try Self.draw(gif, colours)
    }

    /// Reads the description of the first frame, and returns the index of the transparent colour, or -1.
    private static func readUpToFrame(_ gif: UnsafeMutablePointer<GifFileType>) throws(RollcallError) -> Int {
        var control = GraphicsControlBlock()
        control.TransparentColor = NO_TRANSPARENT_COLOR
        var kind = UNDEFINED_RECORD_TYPE
        while true {
            try check(DGifGetRecordType(gif, &kind), gif)
            try expect(kind != TERMINATE_RECORD_TYPE, "expected an image in a GIF, found none")
            if kind == IMAGE_DESC_RECORD_TYPE {
                try check(DGifGetImageDesc(gif), gif)
                return Int(control.TransparentColor)
            }
            var (function, block): (CInt, UnsafeMutablePointer<GifByteType>?) = (0, nil)
            try check(DGifGetExtension(gif, &function, &block), gif)
            while let bytes = block {
                // The first byte is the number of those behind it.
                if function == GRAPHICS_EXT_FUNC_CODE { _ = DGifExtensionToGCB(Int(bytes[0]), bytes + 1, &control) }
                try check(DGifGetExtensionNext(gif, &block), gif)
            }
        }
    }

    /// Returns 256 colours: those of the frame, or of all frames. A file may have fewer than its pixels name.
    private static func colours(of gif: GifFileType) -> [Pixel] {
        let table = (gif.Image.ColorMap ?? gif.SColorMap)?.pointee
        let named = UnsafeBufferPointer(start: table?.Colors, count: Int(table?.ColorCount ?? 0))
        let colours = named.map { Pixel($0.Red, $0.Green, $0.Blue, 255) }
        return colours + Array(repeating: Pixel(0, 0, 0, 255), count: 256 - colours.count)
    }

    /// Draws the frame where it belongs on a transparent screen. Parts outside the screen are not seen.
    private static func draw(
        _ gif: UnsafeMutablePointer<GifFileType>, _ colours: [Pixel]
    ) throws(RollcallError) -> PixelImage {
        let (screen, frame) = ((width: Int(gif.pointee.SWidth), height: Int(gif.pointee.SHeight)), gif.pointee.Image)
        var pixels = [Pixel](repeating: .zero, count: screen.width * screen.height)
        var line = [GifPixelType](repeating: 0, count: Int(frame.Width))
        // The order of the rows in an interlaced image (GIF89a, appendix E).
        let passes = frame.Interlace ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
        for row in passes.flatMap({ stride(from: $0.0, to: Int(frame.Height), by: $0.1) }) {
            try check(DGifGetLine(gif, &line, frame.Width), gif)
            guard Int(frame.Top) + row < screen.height else { continue }
            let start = (Int(frame.Top) + row) * screen.width
            for (x, index) in zip(Int(frame.Left)..<max(Int(frame.Left), screen.width), line) {
                pixels[start + x] = colours[Int(index)]
            }
        }
        return PixelImage(width: screen.width, height: screen.height, pixels: pixels)
    }

    private static func check(
        _ result: CInt, _ gif: UnsafeMutablePointer<GifFileType>
    ) throws(RollcallError) {
        try expect(result != GIF_ERROR, refusal(gif.pointee.Error))
    }

    private static func refusal(_ code: CInt) -> String {
        "expected a whole GIF, found: \(GifErrorString(code).map { String(cString: $0) } ?? "?")"
    }
}

/// The bytes of a GIF that giflib has not read yet.
private final class GIFSource {
    var rest: ArraySlice<UInt8>

    init(_ file: [UInt8]) { rest = file[...] }
}

/// Gives giflib the next `count` bytes, or those that are left.
private func readGIF(
    _ gif: UnsafeMutablePointer<GifFileType>?, _ target: UnsafeMutablePointer<GifByteType>?, _ count: CInt
) -> CInt {
    guard let target, let source = gif?.pointee.UserData else { return 0 }
    let bytes = Unmanaged<GIFSource>.fromOpaque(source).takeUnretainedValue()
    let taken = bytes.rest.prefix(Int(count))
    bytes.rest = bytes.rest[taken.endIndex...]
    return CInt(UnsafeMutableBufferPointer(start: target, count: Int(count)).update(fromContentsOf: taken))
}
