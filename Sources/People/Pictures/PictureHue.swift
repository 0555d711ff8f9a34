/// The colour of what stands behind the person in a picture: one of the twelve hues of pages, or grey.
///
/// The page of a person takes it over. The hue is found once, when the picture is made, and is a part of the picture's
/// key, so that a page neither decodes pictures nor reads anything more.
public struct PictureHue: Hashable, Sendable {
    /// `0` to `11`, in steps of 30 degrees; `nil` for grey.
    public let number: Int?

    public static let grey = PictureHue(number: nil)

    private init(number: Int?) { self.number = number }

    /// The hue of a colour, each channel from 0 to 255.
    public init(red: Int, green: Int, blue: Int) {
        // On the hexagon of sRGB; √3 is 1.73.
        let (x, y) = (Double(2 * red - green - blue), 1.73 * Double(green - blue))
        // A chroma below 10 of 255 reads as grey.
        guard x * x + y * y >= 20 * 20 else {
            self = .grey
            return
        }
        let directions = Self.directions
        number = directions.indices.max { first, second in
            x * directions[first].x + y * directions[first].y < x * directions[second].x + y * directions[second].y
        }
    }

    /// Where the hues of pages, 0°, 30° … of OKLCH, lie on the hexagon, as unit vectors: at 344°, 8°, 26°, 45°, 75°,
    /// 130°, 169°, 188°, 205°, 226°, 259° and 306°.
    private static let directions: [(x: Double, y: Double)] = [
        (0.961, -0.276), (0.990, 0.139), (0.899, 0.438), (0.707, 0.707), (0.259, 0.966), (-0.643, 0.766),
        (-0.982, 0.191), (-0.990, -0.139), (-0.906, -0.423), (-0.695, -0.719), (-0.191, -0.982), (0.588, -0.809),
    ]

    /// The hue as one byte of a message, and as four bits of a key.
    public var byte: UInt8 { UInt8(number ?? 12) }

    /// Returns `nil` for other bytes.
    public init?(byte: UInt8) {
        guard byte <= 12 else { return nil }
        number = byte < 12 ? Int(byte) : nil
    }
}
