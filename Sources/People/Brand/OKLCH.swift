import Foundation

/// A colour as lightness, chroma and hue of the Oklab space (Ottosson, 2020; CSS Color 4), in which equal steps look
/// equal: a lighter colour keeps its hue.
public struct OKLCH: Sendable {
    /// From 0, black, to 1, white.
    public var lightness: Double
    /// From 0, grey.
    public var chroma: Double
    /// In degrees.
    public var hue: Double

    public init(lightness: Double, chroma: Double, hue: Double) {
        (self.lightness, self.chroma, self.hue) = (lightness, chroma, hue)
    }

    public init(_ colour: Colour) {
        let (red, green, blue) = colour.linear
        let l = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
        let m = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
        let s = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
        let a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s
        let b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
        lightness = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s
        chroma = hypot(a, b)
        hue = atan2(b, a) * 180 / .pi
    }

    /// The nearest colour of sRGB, clipped by channel. Hues shift a little where the chroma is too large.
    public var clipped: Colour { Colour(linear: linear) }

    /// The colour of sRGB with this lightness and hue, and as much of the chroma as sRGB has.
    public var colour: Colour {
        var fitting = self
        while fitting.chroma > 0.001, !fitting.isInGamut { fitting.chroma *= 0.97 }
        return fitting.clipped
    }

    private var isInGamut: Bool {
        let (red, green, blue) = linear
        return [red, green, blue].allSatisfy { (-0.0005...1.0005).contains($0) }
    }

    private var linear: (red: Double, green: Double, blue: Double) {
        let a = chroma * cos(hue * .pi / 180)
        let b = chroma * sin(hue * .pi / 180)
        func cube(_ value: Double) -> Double { value * value * value }
        let l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b)
        let m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b)
        let s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b)
        return (
            4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s
        )
    }
}
