import Foundation
import TestSupport
import Testing

extension BrowserTests {
    @Suite("Reader preferences")
    struct ReaderPreferenceTests {
        /// Text of twice the size in a narrow window, and very long names, in left-to-right and right-to-left scripts.
        @Test func largeTextAndLongNamesNeedNoHorizontalScrolling() throws {
            let long = String(repeating: "Lopadotemachoselachogaleokranioleipsano", count: 6)
            let names = [long, "עֲבוּדִי " + String(repeating: "ארוךמאודבליהפסקה", count: 12), "مُحَمَّد", "x (שלום) y"]
            let stage = try BrowserFixture.open(names: names)
            for (width, size) in [(640, "200%"), (320, "100%"), (320, "200%")] {
                try stage.browser.resize(width: width, height: 900)
                for view in ["list", "grid"] {
                    try stage.visit("/?q=user&view=\(view)")
                    try stage.run("document.documentElement.style.setProperty('font-size', '\(size)')")
                    let widest = try stage.value("document.documentElement.scrollWidth", as: Int.self)
                    #expect(widest <= width, "\(view), \(width) px, \(size)")
                }
            }
        }

        /// Each name is written in its own direction; its neighbours stay in place.
        @Test func namesKeepTheirDirection() throws {
            let stage = try BrowserFixture.open(names: ["مُحَمَّد (a)", "Anna"]).visit()
            let directions = "$$('h2 a').map(name => getComputedStyle(name).direction)"
            #expect(try stage.value(directions, as: [String].self) == ["rtl", "ltr"])
            #expect(try stage.value("new Set($$('.avatar').map(face => face.getBoundingClientRect().left)).size") == 1)
        }

        @Test func reducedMotionSlowsTheSpinner() throws {
            let stage = try BrowserFixture.open().visit()
            let turn = "getComputedStyle($('#spinner'), '::before').animationDuration"
            for (preference, duration) in [("no-preference", "1s"), ("reduce", "4s")] {
                try stage.browser.devTools(
                    "Emulation.setEmulatedMedia",
                    ["features": [["name": "prefers-reduced-motion", "value": preference]]])
                #expect(try stage.value(turn, as: String.self) == duration)
            }
        }

        /// Without backgrounds, borders show which elements are forms, buttons and avatars.
        @Test func inForcedColoursEverythingHasABorder() throws {
            let stage = try BrowserFixture.open()
            try stage.browser.devTools(
                "Emulation.setEmulatedMedia", ["features": [["name": "forced-colors", "value": "active"]]])
            try stage.visit()
            #expect(
                try stage.value(
                    "['.search', '.filters button', '.filters summary', '.avatar'].filter(item => getComputedStyle($(item)).borderTopWidth == '0px')",
                    as: [String].self) == [])
        }

        /// Except those of the first page, which need no labels then.
        @Test func rowsOutOfViewAreNotDrawn() throws {
            let stage = try BrowserFixture.open().visit()
            try stage.scroll(untilUsers: 40)
            let style = try stage.value(
                "(style => style.contentVisibility + ' ' + style.containIntrinsicHeight)(getComputedStyle($$('.user')[39]))",
                as: String.self)
            #expect(style == "auto auto 52px")
        }

        /// Reads the tree that Chromium gives to screen readers, also after the list has changed.
        @Test func theAccessibilityTreeNamesSearchHeadingListAndStatus() throws {
            let stage = try BrowserFixture.open().visit()
            try stage.type("ann", untilAddress: "/?q=ann")
            let nodes = try stage.accessibilityTree().filter { !$0.ignored }
            func names(_ role: String) -> [String] {
                nodes.filter { $0.role?.text == role }.map { $0.name?.text ?? "" }
            }
            #expect(names("search").count == 1 && names("main").count == 1 && names("feed") == ["People"])
            #expect(names("searchbox") == ["Search people"])
            #expect(names("combobox") == ["Sort by"])
            #expect(names("radiogroup") == [] && names("radio") == ["List", "Grid", "Photos"])
            #expect(names("DisclosureTriangle") == ["Menu", "Filters"])
            // Scripts apply what is chosen at once.
            #expect(names("button") == [])
            #expect(names("status").count == 1)
            #expect(try names("heading").count == stage.count + 1)
            #expect(try names("article").count == stage.count)
        }
    }
}
