import Testing

@testable import People

@Suite("Colours of a brand")
struct BrandColoursTests {
    /// Colours from the whole cube.
    static let accents: [Colour] = stride(from: 0, through: 255, by: 51).flatMap { red in
        stride(from: 0, through: 255, by: 51).flatMap { green in
            stride(from: 0, through: 255, by: 51).map { blue in
                Colour(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
            }
        }
    }

    @Test(arguments: [nil, "#fffdf8", "#888888", "#000", "#e0f0ff"])
    func everyAccentIsReadableInBothSchemes(_ paper: String?) {
        let paper = paper.flatMap { Colour($0) }
        for accent in Self.accents {
            let colours = BrandColours(accent: accent, paper: paper)
            for (scheme, standard) in [
                (colours.light, BrandColours.lightPaper), (colours.dark, BrandColours.darkPaper),
            ] {
                let backgrounds = [scheme.paper ?? standard, scheme.tint ?? standard]
                for background in backgrounds {
                    let contrast = scheme.accent?.contrast(with: background) ?? 0
                    #expect(contrast >= 4.5, "\(accent.hexadecimal) on \(background.hexadecimal)")
                }
            }
        }
    }

    @Test func aReadableAccentStaysAsItIs() {
        #expect(BrandColours(accent: Colour("#4338ca"), paper: nil).light.accent == Colour("#4338ca"))
        #expect(BrandColours(accent: Colour("#b4b0ff"), paper: nil).dark.accent == Colour("#b4b0ff"))
    }

    @Test func theHueStays() throws {
        let accent = try #require(Colour("#0a7d5a"))
        let dark = try #require(BrandColours(accent: accent, paper: nil).dark.accent)
        #expect(abs(OKLCH(accent).hue - OKLCH(dark).hue) < 3)
    }

    @Test(arguments: accents)
    func coloursSurviveTheWayToOKLCHAndBack(_ colour: Colour) {
        #expect(OKLCH(colour).clipped == colour)
    }

    @Test func noticesNameTheColoursThatPagesShow() {
        let yellow = BrandColours.notices(accent: Colour("#ffee00"), paper: nil)
        #expect(yellow.count == 1 && yellow[0].hasPrefix("the accent #ffee00 has a contrast of 1.2:1 to light pages"))
        let green = BrandColours.notices(accent: Colour("#0a7d5a"), paper: nil)
        #expect(green.count == 1 && green[0].contains("to dark pages, and text needs 4.5:1: they show #"))
        #expect(BrandColours.notices(accent: nil, paper: Colour("#fffdf8")).isEmpty)
        let grey = BrandColours.notices(accent: nil, paper: Colour("#888"))
        #expect(grey.count == 1 && grey[0].hasPrefix("the paper #888888 is too dark for the text on it"))
    }
}
