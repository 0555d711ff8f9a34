import Base
import People
import Publishing
import TestSupport
import Testing

@Suite("Logos")
struct LogoTests {
    private func problem(_ svg: String) -> String {
        message {
            let logo = try Logo(name: "logo.svg", bytes: Array(svg.utf8))
            #expect(logo.type == "image/svg+xml")
        }
    }

    private func svg(_ content: String) -> String {
        #"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9">\#(content)</svg>"#
    }

    @Test(arguments: [
        "", "<path d='M0 0'/>", "<!-- a <script> in a comment --><g><title>Our team</title></g>",
        "<style>.a { fill: url(#b) }</style>", ##"<use href="#a"/><use xlink:href="#a"/>"##,
        #"<image href="data:image/png;base64,AAAA"/>"#, "<text>on time</text>", "<text><![CDATA[<script>]]></text>",
        #"<linearGradient id="b"><stop offset="0"/></linearGradient><rect fill="url(#b)"/>"#,
    ])
    func harmlessPictures(_ content: String) {
        #expect(problem(svg(content)) == "")
        #expect(problem("\u{FEFF}<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n" + svg(content)) == "")
    }

    @Test(arguments: [
        ("<script>alert(1)</script>", "script"), ("<SCRIPT/>", "script"), ("<svg:script/>", "script"),
        (#"<g onclick="a()"/>"#, "onclick"), ("<g ONLOAD = 'a()'/>", "onload"), ("<foreignObject/>", "foreignobject"),
        (#"<image href="https://a.example/x.png"/>"#, "https://a.example/x.png"),
        (#"<a xlink:href="javascript:alert(1)"/>"#, "javascript:alert(1)"),
        (#"<use href="other.svg#a"/>"#, "other.svg"), ("<style>@import 'a.css';</style>", "import"),
        ("<rect style=\"fill: url( 'https://a.example/' )\"/>", "https://"),
        (#"<style>a { fill: \75rl(https://a.example/) }</style>"#, "escape"),
        (#"<rect style="fill: &#117;rl(https://a.example/)"/>"#, "encoded"),
        (#"<set attributeName="href" to="javascript:alert(1)"/>"#, "animation"),
        (#"<image href="data:image/svg+xml;base64,AAAA"/>"#, "data:image/svg"), ("<iframe/>", "iframe"),
    ])
    func harmfulPictures(_ content: String, _ found: String) {
        #expect(problem(svg(content)).contains(found), "\(problem(svg(content)))")
    }

    @Test func otherDocuments() {
        #expect(problem("<!DOCTYPE svg [<!ENTITY a 'b'>]>" + svg("")) != "")
        #expect(problem("<?xml-stylesheet href='a.css'?>" + svg("")) != "")
        for text in [
            "", "GIF89a", "hello", "<html><svg/></html>", "<svg", "<svg a>", "<svg a=b>", "<p/>\0", "<svg><!-- </svg>",
            "<svg><?xml version='1'/><script/></svg>", "<svg a='<script>'/>",
        ] { #expect(problem(text) != "", "\(text)") }
    }

    @Test func bitmapsAreKnownByTheirContent() throws {
        #expect(try Logo(name: "a.svg", bytes: Self.png).type == "image/png")
        #expect(try Logo(name: "a", bytes: Self.jpeg).type == "image/jpeg")
        let large = Self.png + Array(repeating: 0, count: 256 << 10)
        #expect(throws: RollcallError.self) { try Logo(name: "a.png", bytes: large) }
    }

    /// One pixel each; the checksums are left out, which no check needs.
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        + [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0]
        + [0, 0, 0, 1] + Array("IDAT".utf8) + [9, 0, 0, 0, 0] + [0, 0, 0, 0] + Array("IEND".utf8) + [0, 0, 0, 0]
    private static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0] + [0xFF, 0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]
        + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0] + [1, 2, 0xFF, 0, 3, 0xFF, 0xD9]

    @Test func damagedBitmapsAreRefused() {
        // Without an end, without data, without dimensions.
        for cut in [12, 20, 30, 40, 50] {
            let end = Self.png.count - cut
            #expect(throws: RollcallError.self, "\(cut)") { try Logo(name: "a", bytes: Array(Self.png[..<end])) }
        }
        var flat = Self.png
        flat[19] = 0
        #expect(throws: RollcallError.self) { try Logo(name: "a", bytes: flat) }
        for end in 3..<Self.jpeg.count {
            #expect(throws: RollcallError.self, "\(end)") { try Logo(name: "a", bytes: Array(Self.jpeg[..<end])) }
        }
        #expect(throws: RollcallError.self) { try Logo(name: "a", bytes: [0xFF, 0xD8, 0xFF] + Array("<html>".utf8)) }
    }

    @Test func anSVGIsInUTF8() {
        let declared = { (encoding: String) in "<?xml version='1.0' encoding='\(encoding)'?>" + svg("") }
        #expect(problem(declared("UTF-8")) == "" && problem(declared("us-ascii")) == "")
        #expect(problem(declared("UTF-7")).contains("found the encoding UTF-7"))
        #expect(problem(declared("iso-8859-1")).contains("iso-8859-1"))
    }
}
