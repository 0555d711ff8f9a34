import Base
import People
import TestSupport
import Testing

@testable import Site

@Suite("The style sheet of a directory")
struct BrandTests {
    @Test func theAccentGetsAReadableColourForEachScheme() throws {
        let response = try Staff.client { $0.accent = "#00f" }.get("/brand.css")
        #expect(response.fields["Content-Type"] == "text/css; charset=utf-8")
        let dark = try #require(BrandColours(accent: Colour("#00f"), paper: nil).dark.accent?.hexadecimal)
        #expect(
            response.text == """
                :root{--accent:#0000ff;--on-accent:#ffffff;\
                --wash:color-mix(in oklab,var(--accent) 12%,var(--paper))}\
                @media(prefers-color-scheme:dark){:root{--accent:\(dark);--on-accent:#131217}}\
                @supports(color:light-dark(red,red))\
                {:root{--accent:light-dark(#0000ff,\(dark));--on-accent:light-dark(#ffffff,#131217)}}
                """)
    }

    @Test func aDirectoryWithoutLooksHasNoSheet() throws {
        let client = try Staff.client { $0.logo = "logo.svg" }
        #expect(client.get("/brand.css").status == .notFound)
        #expect(!client.get("/").text.contains("brand.css"))
    }

    @Test func cornersAndFontStandInTheSheet() throws {
        let client = try Staff.client {
            $0.radius = ".25rem"
            $0.font = #"Georgia, "Noto Serif", serif"#
        }
        #expect(client.get("/").text.contains(#"<link rel="stylesheet" href="/brand.css">"#))
        #expect(client.get("/brand.css").text == #":root{--radius:.25rem;--font:Georgia, "Noto Serif", serif}"#)
    }

    /// Only `--icon` gives one: a role has none by itself. A hidden field is not named.
    @Test func theIconOfAFieldStandsInTheSheet() throws {
        let client = try Staff.client { settings in
            // The title and the department.
            (settings.fields[1].icon, settings.fields[1].show) = ("star", .private)
            settings.fields[2].icon = "trophy"
        }
        #expect(client.get("/").text.contains(#"<link rel="stylesheet" href="/brand.css">"#))
        #expect(client.get("/").text.contains(#"<bdi data-field="department""#))
        #expect(
            client.get("/brand.css").text
                == #":root{}#users :is(bdi[data-field="department"],p[class="figure department"]>b)::before"#
                + #"{content:"🏆\#u{a0}";content:"🏆\#u{a0}"/""}"#)
    }

    @Test func aPaperOfOnesOwnHasATintAndADarkPage() throws {
        let sheet = try Staff.client { $0.paper = "#fffdf8" }.get("/brand.css").text
        #expect(sheet.hasPrefix(":root{--paper:#fffdf8;--tint:#"))
        #expect(sheet.contains("--paper:light-dark(#fffdf8,#"))
    }

    /// Another program may write into the database.
    @Test func storedValuesThatAreNoValuesAreLeftOut() throws {
        let client = try Staff.client {
            $0.accent = "red;} * {display:none"
            $0.radius = "1px}"
            $0.font = "x;}"
            ($0.fields[2].key, $0.fields[2].icon) = ("\"]{} *", "star")
        }
        #expect(client.get("/brand.css").status == .notFound)
    }

    @Test func theSheetIsSmall() throws {
        let sheet = try Staff.client { $0.accent = "#9b2c1f" }.get("/brand.css").text
        #expect(Gzip.compressed(Array(sheet.utf8), level: 6).count <= 200)
    }
}
