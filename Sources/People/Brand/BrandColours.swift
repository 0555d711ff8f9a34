/// The colours of a directory's pages on a light and on a dark background, derived from those that its publisher chose.
///
/// Text in the accent reaches ``leastContrast`` on the page, and so does text on buttons, which has the page's colour.
/// To get there, the accent is darkened for light pages and lightened for dark ones, in steps of a hundredth of the
/// lightness of ``OKLCH``. Its hue stays; its chroma shrinks only where sRGB has less.
public struct BrandColours: Equatable, Sendable {
    /// The colours of pages in one scheme. Those that the publisher did not choose are `nil`: the style sheet has them.
    public struct Scheme: Equatable, Sendable {
        public var accent: Colour?
        public var paper: Colour?
        /// The background of parts of the page, a little darker or lighter than the paper.
        public var tint: Colour?
        /// The background of what is chosen, on the tint.
        public var raised: Colour?

        /// The colours behind text: the paper and the tint, or those of `standard`.
        fileprivate func backgrounds(or standard: Scheme) -> [Colour] {
            [paper ?? standard.paper, tint ?? standard.tint].compactMap(\.self)
        }
    }

    public private(set) var light: Scheme
    public private(set) var dark: Scheme

    /// The minimum contrast of text (WCAG 2.2, level AA).
    public static let leastContrast = 4.5

    /// The backgrounds and the ink of second lines in style.css.
    public static let lightPaper = Colour(red: 0xFF, green: 0xFF, blue: 0xFF)
    public static let darkPaper = Colour(red: 0x13, green: 0x12, blue: 0x17)
    private static let lightStandard = Scheme(paper: lightPaper, tint: Colour(red: 0xF5, green: 0xF4, blue: 0xF8))
    private static let darkStandard = Scheme(paper: darkPaper, tint: Colour(red: 0x1E, green: 0x1D, blue: 0x23))
    private static let lightSoft = Colour(red: 0x5D, green: 0x5B, blue: 0x68)

    public init(accent: Colour?, paper: Colour?) {
        (light, dark) = paper.map { Self.schemes(of: OKLCH($0)) } ?? (Scheme(), Scheme())
        guard let accent else { return }
        light.accent = Self.readable(accent, on: light.backgrounds(or: Self.lightStandard), step: -0.01)
        dark.accent = Self.readable(accent, on: dark.backgrounds(or: Self.darkStandard), step: 0.01)
    }

    /// Returns `accent` itself, or the nearest colour in the direction of `step` that is readable on all `backgrounds`.
    private static func readable(_ accent: Colour, on backgrounds: [Colour], step: Double) -> Colour {
        var (colour, shade) = (accent, OKLCH(accent))
        while backgrounds.contains(where: { colour.contrast(with: $0) < leastContrast }),
            (0...1).contains(shade.lightness + step)
        {
            shade.lightness += step
            colour = shade.colour
        }
        return colour
    }

    /// Returns the backgrounds that a publisher's light paper leads to. A paper on which second lines would be hard to
    /// read is lightened.
    private static func schemes(of paper: OKLCH) -> (light: Scheme, dark: Scheme) {
        var light = paper
        func tint() -> OKLCH {
            OKLCH(lightness: light.lightness - 0.03, chroma: light.chroma * 2, hue: light.hue)
        }
        while lightSoft.contrast(with: tint().colour) < leastContrast, light.lightness < 1 {
            light.lightness = min(1, light.lightness + 0.01)
        }
        let chroma = min(light.chroma * 1.5, 0.02)
        let isAsChosen = light.lightness == paper.lightness
        let dark = [0.19, 0.235, 0.32].map { OKLCH(lightness: $0, chroma: chroma, hue: light.hue).colour }
        return (
            Scheme(paper: isAsChosen ? paper.clipped : light.colour, tint: tint().colour, raised: .white),
            Scheme(paper: dark[0], tint: dark[1], raised: dark[2])
        )
    }

    /// Lines that say which colours pages show instead of the chosen ones, and why. Pages of both schemes need one
    /// that is readable, so most accents change in one of them.
    public static func notices(accent: Colour?, paper: Colour?) -> [String] {
        let colours = BrandColours(accent: accent, paper: paper)
        var notices: [String] = []
        if let paper, let light = colours.light.paper, light != paper {
            notices.append(
                "the paper \(paper.hexadecimal) is too dark for the text on it: light pages show \(light.hexadecimal)")
        }
        guard let accent else { return notices }
        for (name, scheme, standard) in [("light", colours.light, lightStandard), ("dark", colours.dark, darkStandard)]
        {
            guard let shown = scheme.accent, shown != accent else { continue }
            // The paper's, or else the tint's, which has made the accent another.
            let contrasts = scheme.backgrounds(or: standard).map(accent.contrast)
            guard let least = contrasts.first(where: { $0 < leastContrast }) else { continue }
            let contrast = (least * 10).rounded(.down) / 10
            notices.append(
                """
                the accent \(accent.hexadecimal) has a contrast of \(contrast):1 to \(name) pages, and text needs \
                \(leastContrast):1: they show \(shown.hexadecimal)
                """)
        }
        return notices
    }
}
