import Base
import Foundation

/// A colour in sRGB.
public struct Colour: Equatable, Sendable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// Reads `#rgb` or `#rrggbb`.
    public init?(_ text: String) {
        guard text.first == "#" else { return nil }
        let digits = text.dropFirst().utf8.compactMap(\.hexadecimalValue)
        guard digits.count == text.utf8.count - 1 else { return nil }
        switch digits.count {
        case 3: self.init(red: digits[0] * 17, green: digits[1] * 17, blue: digits[2] * 17)
        case 6:
            self.init(
                red: digits[0] << 4 | digits[1], green: digits[2] << 4 | digits[3], blue: digits[4] << 4 | digits[5])
        default: return nil
        }
    }

    public static let white = Colour(red: 255, green: 255, blue: 255)

    /// Returns the contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio").
    public func contrast(with other: Colour) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// `#rrggbb`.
    public var hexadecimal: String { "#" + [red, green, blue].map(\.hexadecimal).joined() }

    /// The relative luminance (WCAG 2.2).
    private var luminance: Double {
        let (red, green, blue) = linear
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// The channels without their gamma, from 0 to 1 (IEC 61966-2-1).
    var linear: (red: Double, green: Double, blue: Double) {
        func linear(_ channel: UInt8) -> Double {
            let value = Double(channel) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return (linear(red), linear(green), linear(blue))
    }

    /// Makes a colour of channels without gamma. Those outside of 0 to 1 are clipped.
    init(linear channels: (red: Double, green: Double, blue: Double)) {
        func byte(_ channel: Double) -> UInt8 {
            let value = channel <= 0.0031308 ? 12.92 * channel : 1.055 * pow(channel, 1 / 2.4) - 0.055
            return UInt8((255 * min(1, max(0, value))).rounded(.toNearestOrEven))
        }
        self.init(red: byte(channels.red), green: byte(channels.green), blue: byte(channels.blue))
    }
}
