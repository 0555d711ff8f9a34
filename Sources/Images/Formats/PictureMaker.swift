import Base
import People

/// Makes pictures in all sizes from the bytes of a file.
///
/// The bytes come from strangers. The libraries that decode them run inside the worker process only
/// (`Worker/Sandbox.swift`); everything that is parsed here is parsed through arrays whose bounds are checked.
public enum PictureMaker {
    /// Returns the centre square of the first image in `file`, in all sizes.
    ///
    /// Pages, embeds and the APIs show squares only. No size is larger than the original, and nothing of the original's
    /// metadata is kept.
    public static func make(_ file: [UInt8]) throws(RollcallError) -> MadePicture {
        try expect(
            file.count <= PictureLimits.maxInputBytes,
            "expected at most \(PictureLimits.maxInputBytes) bytes, found \(file.count)")
        let original = try Original(file, side: PictureSize.large.pixels)
        let large = original.image.centreSquare(side: PictureSize.large.pixels).turned(by: original.orientation)
        // From the next larger size, not from the original: each pixel of that is read once only.
        let medium = large.centreSquare(side: PictureSize.medium.pixels)
        let small = medium.centreSquare(side: PictureSize.small.pixels)
        return try MadePicture(
            small: small.webP(), medium: medium.jpeg(.medium), large: large.jpeg(.large), hue: small.groundHue)
    }
}

extension PixelImage {
    /// The hue of the average colour along the upper edges, where a portrait shows what is behind the person.
    var groundHue: PictureHue {
        let edge = max(1, width / 8)
        var (sum, count) = (SIMD4<Int>(repeating: 0), 0)
        for (index, pixel) in flattened().enumerated() {
            let (x, y) = (index % width, index / width)
            guard y < edge || y < height / 2 && (x < edge || x >= width - edge) else { continue }
            sum &+= SIMD4<Int>(truncatingIfNeeded: pixel)
            count += 1
        }
        return PictureHue(red: sum.x / count, green: sum.y / count, blue: sum.z / count)
    }
}
