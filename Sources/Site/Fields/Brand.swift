import People

extension ShownSettings.Looks {
    /// The style sheet with a publisher's colours, corners and font, as custom properties that `style.css` uses, and
    /// with the icons of fields.
    ///
    /// The colours stand there three times: for browsers that follow the system's scheme only, and, with
    /// `light-dark()`, for a scheme that the reader or the frame chose. The bytes of a first visit are limited, so the
    /// sheet has no white space.
    var styleSheet: String {
        let colours = BrandColours(accent: accent, paper: paper)
        let light = Self.properties(colours.light, standard: BrandColours.lightPaper)
        let dark = Self.properties(colours.dark, standard: BrandColours.darkPaper)
        let both = zip(light, dark).map { ($0.name, "light-dark(\($0.value),\($1.value))") }
        var plain = light
        if !light.isEmpty { plain.append(("--wash", "color-mix(in oklab,var(--accent) 12%,var(--paper))")) }
        if let radius { plain.append(("--radius", radius)) }
        if let font { plain.append(("--font", font)) }
        let rules = Self.rule(plain) + icons.map(Self.rule).joined()
        if light.isEmpty { return rules }
        return rules + "@media(prefers-color-scheme:dark){\(Self.rule(dark))}"
            + "@supports(color:light-dark(red,red)){\(Self.rule(both))}"
    }

    private typealias Property = (name: String, value: String)

    /// Text on buttons has the colour of the page, to which the accent has enough contrast.
    private static func properties(_ scheme: BrandColours.Scheme, standard: Colour) -> [Property] {
        let colours = [
            ("--accent", scheme.accent), ("--on-accent", scheme.accent.map { _ in scheme.paper ?? standard }),
            ("--paper", scheme.paper), ("--tint", scheme.tint), ("--raised", scheme.raised),
        ]
        return colours.compactMap { name, colour in colour.map { (name, $0.hexadecimal) } }
    }

    /// Returns the rule that puts an icon before the values of its field in rows and on cards. A figure beside a name
    /// has the key of its field as a class. No line ends between icon and value.
    ///
    /// The second `content` keeps screen readers from saying the icon. Older browsers know only the first.
    private static func rule(_ icon: ShownSettings.Icon) -> String {
        "#users :is(bdi[data-field=\"\(icon.key)\"],p[class=\"figure \(icon.key)\"]>b)::before"
            + "{content:\"\(icon.symbol)\u{a0}\";content:\"\(icon.symbol)\u{a0}\"/\"\"}"
    }

    private static func rule(_ properties: [Property]) -> String {
        ":root{" + properties.map { "\($0.name):\($0.value)" }.joined(separator: ";") + "}"
    }
}
