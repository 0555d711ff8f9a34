import Base
import People

/// A made-up person's portrait: the same number always gives the same face. Nothing is drawn from a name.
///
/// A face is a stack of parts (`Face+Parts.swift`) in one drawing, which serves a circle, a square and a card. Draws
/// from one stream of random numbers, always in the same order, decide which parts and colours it has.
struct Face {
    private let tone, style: Int
    /// The colour of the ground, `0` to `11`.
    let hue: Int
    private let hair, clothes, cover: String
    private let collar, mouth, brow, beard, glasses, extra: Int

    init(_ number: Int) {
        let number = UInt64(number)
        var random = SplitMix64(state: number &* 0x2545_F491_4F6C_DD1D &+ 11)
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        // In turn, with a small draw, so that sixty in a row have every skin and every style about equally often.
        tone = (Int(number) * 3 + below(3)) % Self.skins.count
        style = (Int(number) * 7 + below(2)) % Self.styles.count
        hue = (Int(number) * 5 + below(2)) % 12
        let colours = Self.hair.prefix(tone < 2 ? 9 : tone < 4 ? 7 : 6)
        hair = colours[below(colours.count)]
        let clothes = Self.clothes[below(Self.clothes.count)]
        let covers = Self.clothes.filter { $0 != clothes }
        self.clothes = clothes
        cover = covers[below(covers.count)]
        collar = below(Self.collars.count)
        mouth = below(5)
        brow = below(Self.brows.count)
        beard = below(10)
        glasses = below(6)
        extra = below(12)
    }

    func append(to buffer: ByteBuffer, side: Int? = nil) {
        buffer.append(startOfDrawing: "5 1 70 70", side: side)
        buffer.append(#"<path fill=""#)
        let ground = OKLCH(lightness: hue % 2 == 0 ? 0.9 : 0.87, chroma: 0.075, hue: Double(hue * 30))
        buffer.append(utf8: ground.clipped.hexadecimal)
        buffer.append(#"" d="M5 1h70v70H5z"/>"#)
        let colours = self.colours
        for part in parts { buffer.append(part, colours) }
        buffer.append("</svg>")
    }

    // MARK: Parts

    private var back: String { Self.styles[style].back }
    private var top: String { Self.styles[style].top }
    /// Whether no hair hangs down, so that there may be a beard.
    private var isBare: Bool { style < Self.firstLongStyle || top == "none" }
    private var isBearded: Bool { back == "turban" ? beard < 6 : isBare && beard < 2 }

    /// The parts from back to front.
    private var parts: [String] {
        let behind = back == "scarf" ? Self.scarfBehind : Self.back[back] ?? ""
        var parts = [behind, Self.body, ["long", "bob", "scarf"].contains(back) ? "" : Self.ears]
        parts.append(Self.head)
        if back != "scarf" { parts.append(Self.collars[collar]) }
        if extra == 0, tone < 4 { parts.append(Self.freckles) }
        if isBearded {
            parts.append(Self.beard)
        } else if isBare, beard == 2 {
            parts.append(Self.stubble)
        }
        parts += [Self.eyes, Self.line("{b}", width: "1.7", Self.brows[brow]), Self.nose, mouthPart]
        if isBare, beard == 3 { parts.append(Self.moustache) }
        parts.append(Self.top[top] ?? "")
        parts.append(["scarf": Self.scarf, "turban": Self.turban, "beanie": Self.beanie][back] ?? "")
        if glasses < 2 { parts.append(Self.glasses[glasses]) }
        let hasVisibleEars = !["scarf", "long", "bob", "curls"].contains(back)
        if [1, 2].contains(extra), !isBare, hasVisibleEars, back != "turban" { parts.append(Self.earrings) }
        if extra == 3, hasVisibleEars, back != "afro" { parts.append(Self.hearingAid) }
        return parts
    }

    private var mouthPart: String {
        if isBearded {
            return
                ##"<path fill="none" stroke="#fff" stroke-opacity=".9" stroke-width="1.8" stroke-linecap="round" d=""##
                + Self.mouths[0] + "\"/>"
        }
        if mouth > 2 { return Self.openMouth }
        return Self.line(tone < 5 ? "#5d2b2b" : "#2b1512", width: "1.8", Self.mouths[mouth])
    }

    private static func line(_ colour: String, width: String, _ path: String) -> String {
        #"<path fill="none" stroke="\#(colour)" stroke-width="\#(width)" stroke-linecap="round" d="\#(path)"/>"#
    }

    // MARK: Colours

    /// The colours that the letters in parts stand for.
    private var colours: [UInt8: String] {
        let skin = Self.skins[tone]
        return [
            UInt8(ascii: "h"): hair, UInt8(ascii: "s"): skin.colour, UInt8(ascii: "d"): skin.shade,
            UInt8(ascii: "c"): clothes, UInt8(ascii: "k"): cover, UInt8(ascii: "e"): Self.darker(cover),
            UInt8(ascii: "b"): brows, UInt8(ascii: "g"): tone < 6 ? "#2a2730" : "#15121a",
        ]
    }

    /// Brows are darker than the hair, except grey ones, and brown under fair hair.
    private var brows: String {
        if tone < 3, hair.hasPrefix("#d") || hair.hasPrefix("#e") { return "#3a2a24" }
        if Self.hair[4..<6].contains(hair) { return hair }
        let isBlack = Self.hair[..<2].contains(hair)
        return tone > 5 && isBlack ? "#1a0f0b" : Self.darker(hair)
    }

    private static func darker(_ colour: String) -> String {
        guard let colour = Colour(colour) else { return colour }
        let shade = { (channel: UInt8) in UInt8((Double(channel) * 0.8).rounded(.toNearestOrEven)) }
        return Colour(red: shade(colour.red), green: shade(colour.green), blue: shade(colour.blue)).hexadecimal
    }
}

extension ByteBuffer {
    /// Appends a part, with colours in place of letters in braces.
    fileprivate func append(_ part: String, _ colours: [UInt8: String]) {
        part.withUTF8Bytes { bytes in
            var rest = bytes
            while let brace = rest.firstIndex(of: UInt8(ascii: "{")) {
                append(rest[..<brace])
                append(utf8: colours[rest[brace + 1]] ?? "")
                rest = rest[(brace + 3)...]
            }
            append(rest)
        }
    }
}
