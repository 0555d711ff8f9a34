import Base
import People
@testable import Images

extension FuzzTarget {
    /// Files that become pictures: JPEG, PNG, WebP and GIF.
    static let picture = FuzzTarget(
        name: "picture",
        words: [
            "IHDR", "IDAT", "PLTE", "tRNS", "gAMA", "iCCP", "acTL", "IEND", "RIFF", "WEBPVP8 ",
            "VP8L", "VP8X", "ALPH", "ANIM", "GIF89a", "JFIF\0", "Exif\0\0", "Adobe",
        ]
    ) { bytes in
        switch Result(catching: { () throws(RollcallError) in try PictureMaker.make(Array(bytes)) }) {
        case .failure(let refusal): try hold(!refusal.description.isEmpty, "refused without a reason")
        case .success(let picture):
            for size in PictureSize.allCases {
                try hold(picture[size].count <= size.maxBytes, "\(picture[size].count) bytes at \(size.pixels) px")
                // The result is a picture itself.
                _ = try PictureMaker.make(picture[size])
            }
        }
    }

    /// The TIFF structure of an EXIF block, and the segments of a JPEG.
    static let exif = FuzzTarget(
        name: "exif",
        words: [
            "II*\0", "MM\0*", "Exif\0\0", "Adobe", "\u{1}\u{12}", "\u{12}\u{1}", "\0\u{3}", "\0\0\0\u{1}", "\0\u{6}",
        ]
    ) { bytes in
        let block = Array(bytes)
        let orientation = Orientation(exif: block[...])
        for cut in cuts(of: block.count) {
            let found = Orientation(exif: block[..<cut])
            try hold(
                found == .upright || found == orientation, "\(found) in the first \(cut) bytes, \(orientation) in all")
            // A slice that does not begin at 0.
            let moved = Array(repeating: 0xFF, count: 3) + block[..<cut]
            try hold(Orientation(exif: moved[3...]) == found, "the offset in memory matters")
        }
        let markers = JPEGMarkers(block)
        try hold(markers.scans * 2 <= block.count, "\(markers.scans) scans in \(block.count) bytes")
        if let exif = markers.exif {
            try hold(exif.startIndex >= 0 && exif.endIndex <= block.count, "a block outside of the file")
        }
    }

    /// GIF files.
    static let gif = FuzzTarget(
        name: "gif", words: ["GIF89a", "GIF87a", "!\u{F9}\u{4}", ",\0\0\0\0", "\0;", "\u{8}", "\u{2}"]
    ) { bytes in
        let file = Array(bytes)
        // Larger screens are as right, and take long to clear.
        let screen = file.dropFirst(6).prefix(4).map { Int($0) }
        guard screen.count < 4 || (screen[0] + screen[1] << 8) * (screen[2] + screen[3] << 8) < 1 << 20 else { return }
        guard let bitmap = try? PixelImage(gif: file) else { return }
        try hold(bitmap.pixels.count == bitmap.width * bitmap.height, "\(bitmap.pixels.count) pixels")
        try hold(bitmap.pixels.allSatisfy { $0.w == 255 || $0 == .zero }, "a pixel is neither opaque nor transparent")
    }

    /// Replies of the process that makes pictures.
    static let worker = FuzzTarget(
        name: "worker",
        words: ["\0", "\u{1}", "\u{2}", "RIFF\0\0\0\0WEBPVP8 ", "\0\0\0\0", "\u{10}\0\0\0", "\u{4}\0\0\0", "\u{1B}[m"]
    ) { bytes in
        let bytes = Array(bytes)
        let whole = Result { () throws(RollcallError) in try WorkerReply.parse(bytes) }
        for cut in cuts(of: bytes.count) {
            let part = Result { () throws(RollcallError) in try WorkerReply.parse(Array(bytes[..<cut])) }
            switch (part, whole) {
            case (.success(nil), _): break
            case (.success(let part?), .success(let whole?)):
                try hold(part.reply == whole.reply && part.count == whole.count, "another reply in \(cut) bytes")
            case (.failure, .failure): break
            default: throw BrokenRule(description: "\(part) in \(cut) bytes, \(whole) in all")
            }
        }
        guard case .success(let (reply, count)?) = whole else { return }
        try hold(count <= bytes.count, "took \(count) bytes of \(bytes.count)")
        if case .made = reply { try hold(reply.bytes == Array(bytes[..<count]), "written again, it differs") }
    }
}
