import Directories

/// A few users with names that break careless pages: not on the first screen, but on the next ones.
enum DemoOddities {
    private static let names: [Int: (login: String, name: String)] = [
        64: ("tables", "Robert'); DROP TABLE user;--"),
        69: ("markup", "<b>Bold</b> & \"Quoted\" <script>alert(1)</script>"),
        73: ("entity", "Amp &amp; Ersand"),
        77: (
            "long",
            "Wolfeschlegelsteinhausenbergerdorff Bartholomäus Maximilian Ferdinand von und zu Hohenlohe-Langenburg-Schillingsfürst der Ältere"
        ),
        81: ("unbroken", String(repeating: "Donaudampfschifffahrt", count: 6)),
        86: ("sparkles", "✨ Zoë 👩🏽‍🚀 🏳️‍🌈 ✨"),
        91: ("both-ways", "Dana דנה دانة Даная"),
        95: ("marks", "Z̷̢a̸̧l̵g̶o̴ C̈ọ̈m̃b̂ìn̄ḯñg̊"),
        102: ("decomposed", "E\u{301}lise Bjo\u{308}rk A\u{30A}gren"),
        108: ("quote-s", "Niamh “Nín” O’Súilleabháin-d'Estaing"),
        113: ("initials", "J. R. R. T."),
        117: ("digits", "12345"),
        122: ("single", "X"),
        126: ("mathematical", "𝓕𝓪𝓷𝓬𝔂 𝕃𝕖𝕥𝕥𝕖𝕣𝕤"),
        131: ("UPPER-Case", "MIXED case NAME"),
        137: ("percent-20", "100% %20 ?a=b&c=d #e /f"),
    ]

    static func user(_ index: Int, id: Int64) -> User? {
        guard let (login, name) = names[index] else { return nil }
        let more = index % 2 == 0 ? nil : "{\"note\":\"made up, and awkward on purpose\"}"
        return User(
            id: id, login: login, name: name, htmlURL: nil,
            reputation: index == 69 ? 1_234_567_890_123 : index == 73 ? -7 : nil, more: more, generated: .id)
    }
}
