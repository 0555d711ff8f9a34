/// The parts and colours of a face: paths in a box of 80 by 80. Letters in braces stand for colours: `{h}` hair,
/// `{s}` skin, `{d}` its shade, `{c}` clothes, `{k}` the cloth of a head covering, `{e}` its shade, `{b}` brows, `{g}`
/// glasses.
extension Face {
    static let ears = #"<circle cx="24.5" cy="38" r="3.4" fill="{d}"/><circle cx="55.5" cy="38" r="3.4" fill="{d}"/>"#
    static let head =
        #"<path fill="{d}" d="M33 44h14v16q-7 7-14 0z"/><path fill="{s}" d="M25 32c0-20 30-20 30 0v6c0"#
        + #" 11-7 18-15 18s-15-7-15-18z"/>"#

    /// Hair behind the head, by its name in ``styles``.
    static let back = [
        "long": #"<path fill="{h}" d="M19 66c2-10 2-18 2-31 0-26 38-26 38 0 0 13 0 21 2 31q-21 7-42 0z"/>"#,
        "bob": #"<path fill="{h}" d="M20 52c-1-6 0-10 0-18 0-25 40-25 40 0 0 8 1 12 0 18q-20 6-40 0z"/>"#,
        "afro": #"<circle cx="40" cy="31" r="24" fill="{h}"/>"#,
        "curls":
            #"<path fill="{h}" d="M40 9c7-4 14 1 15 6 6 2 8 8 6 13 4 5 2 11-1 14 1 6-3 10-8 10H28c-5"#
            + #" 0-9-4-8-10-3-3-5-9-1-14-2-5 0-11 6-13 1-5 8-10 15-6z"/>"#,
        "bun": #"<circle cx="40" cy="10" r="8" fill="{h}"/>"#,
        "tail": #"<path fill="{h}" d="M50 16c14 0 17 12 15 26-1 7-3 12-7 15 1-14 0-28-8-41z"/>"#,
        "braids":
            #"<path stroke="{h}" stroke-width="6" stroke-linecap="round" stroke-dasharray="5 4.6""#
            + #" fill="none" d="M25 30c-4 10-3 22-4 36m34-36c4 10 3 22 4 36"/>"#,
    ]

    /// Hair over the forehead, by its name in ``styles``.
    static let top = [
        "short":
            #"<path fill="{h}" d="M23 36c-4-18 4-26 17-26s21 8 17 26c-1-7-3-11-6-14-7 2-15 2-22 0-3 3-5"#
            + #" 7-6 14z"/>"#,
        "side":
            #"<path fill="{h}" d="M23 36c-3-17 3-27 18-27 12 0 19 9 16 27-1-6-3-10-5-12-8 1-15-1-20-5-2"#
            + #" 6-7 8-9 17z"/>"#,
        "quiff":
            #"<path fill="{h}" d="M23 35c-3-12 0-18 4-20 2-7 12-9 20-7 9 1 13 9 10 27-1-6-3-11-6-14-8"#
            + #" 2-14 1-21-1-4 4-6 8-7 15z"/>"#,
        "buzz":
            #"<path fill="{h}" opacity=".75" d="M24 33c-2-14 6-20 16-20s18 6 16"#
            + #" 20c-2-6-4-9-7-11-6-2-12-2-18 0-3 2-5 5-7 11z"/>"#,
        "parted": #"<path fill="{h}" d="M22 42c-3-20 5-31 18-31s21 11 18 31c-3-8-9-14-17-22-7 8-15 13-19 22z"/>"#,
        "fringe":
            #"<path fill="{h}" d="M22 40c-2-19 5-29 18-29s20 10 18 29c-1-4-2-7-4-10q-14 3-28 0c-2 3-3 6-4"#
            + #" 10z"/>"#,
        "back": #"<path fill="{h}" d="M24 34c-2-15 5-22 16-22s18 7 16 22c-2-8-6-13-16-13s-14 5-16 13z"/>"#,
        "coils":
            #"<path fill="{h}" d="M24 33c-5-3-3-9 0-11 0-6 5-9 9-8 4-4 11-4 14 0 5-1 9 3 9 8 3 2 5 8 0"#
            + #" 11-1-5-3-8-5-9-7 2-15 2-22 0-3 1-4 4-5 9z"/>"#,
        "crown": #"<path fill="{h}" d="M23 40c-2-7 0-14 3-16 0 6-2 10-3 16zm34 0c2-7 0-14-3-16 0 6 2 10 3 16z"/>"#,
        "none": "",
    ]

    static let scarfBehind = #"<path fill="{e}" d="M18 72c1-14 1-22 2-37 1-29 39-29 40 0 1 15 1 23 2 37z"/>"#
    static let scarf =
        #"<path fill="{k}" fill-rule="evenodd" d="M20 37C18 2 62 2 60 37c0 9 1 14 5 22-8 10-42 10-50 0"#
        + #" 4-8 5-13 5-22zm6 0c0 11 6 18 14 18s14-7 14-18c0-21-28-21-28 0z"/><path fill="{e}" d="M21 57c12"#
        + #" 6 26 6 38 0l3 4c-14 7-30 7-44 0z"/>"#
    static let turban =
        #"<path fill="{k}" d="M20 30C16 2 64 2 60 30c-6-5-12-9-20-15-8 6-14 10-20 15z"/><path fill="{e}""#
        + #" d="M20 30c1-9 9-14 20-19l3 4c-11 5-18 9-23 15z"/>"#
    static let beanie =
        #"<path fill="{k}" d="M22 27C21 2 59 2 58 27z"/><rect x="20.5" y="22" width="39" height="8""#
        + #" rx="3.5" fill="{e}"/>"#

    /// Hair behind and over the head. The last three cover the hair.
    static let styles: [(back: String, top: String)] = [
        ("", "short"), ("", "side"), ("", "quiff"), ("", "buzz"), ("", "coils"), ("", "crown"), ("", "none"),
        ("long", "parted"), ("long", "fringe"), ("bob", "parted"), ("bob", "fringe"), ("afro", "back"),
        ("curls", "back"), ("bun", "back"), ("tail", "side"), ("braids", "back"), ("scarf", ""), ("turban", ""),
        ("beanie", "none"),
    ]
    /// The first of ``styles`` with long hair.
    static let firstLongStyle = 7

    static let beard =
        #"<path fill="{h}" d="M24.5 37c2 5 4 7 8 7 4-1.5 11-1.5 15 0 4 0 6-2 8-7 1 13-5 21-15.5"#
        + #" 21s-16.5-8-15.5-21zm11 11.5q4.5 3 9 0-4.5-1.5-9 0z" fill-rule="evenodd"/>"#
    static let stubble =
        #"<path fill="{h}" opacity=".22" d="M25 38c2 5 4 7 8 7 4-1 10-1 14 0 4 0 6-2 8-7 0 11-6 18-15"#
        + #" 18s-15-7-15-18z"/>"#
    static let moustache = #"<path fill="{h}" d="M32 46.5c3-4 6-3 8-2 2-1 5-2 8 2-3 1-6 1-8-.5-2 1.5-5 1.5-8 .5z"/>"#

    /// Lines: a mouth, and a pair of brows.
    static let mouths = ["M35 48q5 4.5 10 0", "M34 47.5q6 6 12 0", "M36 48.5q4 2.5 8-.5"]
    static let brows = [
        "M30.5 32q3.3-2 6.5-.3m6 0q3.2-1.7 6.5.3",
        "M30.5 31.5h6.3m6.4 0h6.3",
        "M30.5 32.5q3-3 6.5-1.5m6 0q3.5-1.5 6.5 1.5",
    ]
    static let openMouth = ##"<path fill="#fff" d="M34.5 47h11c-1 6.5-10 6.5-11 0z"/>"##
    static let eyes =
        ##"<g fill="#241f26"><ellipse cx="33.8" cy="37" rx="1.9" ry="2.3"/><ellipse cx="46.2" cy="37""##
        + ##" rx="1.9" ry="2.3"/></g><path stroke="#fff" stroke-width="1.3" stroke-linecap="round" d="M34.5"##
        + #" 36h0m12.4 0h0"/>"#
    static let nose =
        #"<path fill="none" stroke="{d}" stroke-width="1.8" stroke-linecap="round" d="M40.5 38.5q1.5"#
        + #" 4-1.5 4.2"/>"#

    static let glasses = [
        ##"<g fill="#fff" fill-opacity=".22" stroke="{g}" stroke-width="1.6"><circle cx="33.5" cy="37""##
            + #" r="5.6"/><circle cx="46.5" cy="37" r="5.6"/><path d="M39 36.5q1-1 2 0M28 36l-3-1m27 1"#
            + #" 3-1"/></g>"#,
        ##"<g fill="#fff" fill-opacity=".22" stroke="{g}" stroke-width="1.7"><rect x="27.5" y="32.5""##
            + #" width="11" height="8.6" rx="2.6"/><rect x="41.5" y="32.5" width="11" height="8.6""#
            + #" rx="2.6"/><path d="M38.5 35.5h3M27.5 35.5l-2.5-1m27.5 1 2.5-1"/></g>"#,
    ]
    static let body = #"<path fill="{c}" d="M8 82c1-15 12-20 25-23q7 5 14 0c13 3 24 8 25 23z"/>"#
    static let collars = [
        #"<path fill="{s}" d="M33 58.5 40 70l7-11.5q-7 5-14 0z"/>"#,
        ##"<path fill="none" stroke="#000" stroke-opacity=".18" stroke-width="3" d="M31.5 59.5q8.5 9"##
            + #" 17 0"/>"#,
        ##"<path fill="#fff" d="m32 58 8 8-6 7-6-13zm16 0-8 8 6 7 6-13z"/>"##,
        ##"<path fill="#fff" d="M33 58.5 40 72l7-13.5q-7 5-14 0z"/><path fill="#000""##
            + #" fill-opacity=".18" d="m29.5 60 9.5 22h-4L25 62zm21 0L41 82h4l10-20z"/>"#,
        ##"<path fill="{c}" d="M31 54h18v9q-9 9-18 0z"/><path fill="#000" fill-opacity=".12" d="M31"##
            + #" 54h18v7q-9 4-18 0z"/>"#,
    ]
    static let earrings = ##"<g fill="#e8b93f"><circle cx="24" cy="43" r="1.7"/><circle cx="56" cy="43" r="1.7"/></g>"##
    static let hearingAid =
        ##"<path fill="none" stroke="#4f8fd0" stroke-width="2" stroke-linecap="round" d="M56.5 33q4 4 0 8"/>"##
    static let freckles =
        #"<g fill="{d}"><circle cx="29.5" cy="42" r=".8"/><circle cx="32" cy="43.5" r=".8"/><circle"#
        + #" cx="50.5" cy="42" r=".8"/><circle cx="48" cy="43.5" r=".8"/></g>"#

    // MARK: Colours

    /// From light to deep, each with its shade under the chin and the nose.
    static let skins: [(colour: String, shade: String)] = [
        ("#fbe3d4", "#eec5ae"), ("#f6d2b4", "#e3b18c"), ("#ecbd94", "#d49c6f"), ("#d8a273", "#bb8253"),
        ("#bd8256", "#9d6640"), ("#9a633f", "#7c4b2d"), ("#774a2f", "#5b3620"), ("#573524", "#3f2418"),
    ]
    /// Six that go with any skin, the last two of them grey, then three for the lightest skins.
    static let hair = [
        "#1f1b20", "#2b1e19", "#463026", "#6a4530", "#93929a", "#d9d8dc", "#a05a2c", "#c99445", "#e3c176",
    ]
    static let clothes = [
        "#2f4b7c", "#3d6b5c", "#8a3f4d", "#5b4b8a", "#b5603a", "#2d6f86", "#44484f", "#c2963b",
        "#7a5c45", "#e9e4da",
    ]
}
