import Foundation
import TestSupport
import Testing

extension BrowserTests {
    /// Takes screenshots of every kind of page into `.build/screenshots`. Checks their colours, and that no page is
    /// wider than its window. `ROLLCALL_SCREENSHOTS=1` takes all that people view (`Tests/screenshots`).
    @Suite("Screenshots", .tags(.long))
    struct ScreenshotTests {
        /// Widths, and the colour schemes in which each page is seen at that width.
        private static let looks =
            ProcessInfo.processInfo.environment["ROLLCALL_SCREENSHOTS"] == nil
            ? [(320, ["dark"]), (1_440, ["light"])]
            : [(320, ["light", "dark"]), (768, ["light"]), (1_440, ["light", "dark"])]

        @Test(arguments: looks)
        func everyKindOfList(width: Int, schemes: [String]) throws {
            let stage = try BrowserFixture.open(users: 1_000, width: width)
            let pictures = Pictures(browser: stage.browser, width: width, schemes: schemes)
            for (path, name) in [
                ("/?view=grid", "grid"), ("/?q=nobody-has-this-name", "nobody"), ("/?q=an", "found"),
                ("/?since=99999999", "past-the-end"), ("/nowhere", "error"), ("/?embed=1", "framed"),
            ] {
                try stage.visit(path)
                try pictures.take(name)
            }
            try stage.visit("/?since=\(stage.everyone[969])")
            try stage.scrollToEnd()
            try pictures.take("end")
            try takeWaiting(stage, pictures)
        }

        /// Takes screenshots while users are loading and when loading fails.
        private func takeWaiting(_ stage: BrowserFixture, _ pictures: Pictures) throws {
            try stage.visit()
            try pictures.take("list")
            stage.proxy.set(then: .hold)
            try stage.scrollToEnd(untilState: "loading")
            try pictures.take("spinner")
            try stage.visit("/?since=\(stage.everyone[99])")
            try stage.click("a.prev", until: "users.dataset.state == 'loading'")
            try pictures.take("earlier")
            stage.proxy.set()
            stage.proxy.release()
            try stage.visit("/?per_page=100")
            try stage.run("addEventListener('sentinel:append', () => scrollTo(0, 1e6))")
            try stage.scrollToEnd(until: "$('.gap:not([hidden])') && users.dataset.state == 'end'")
            stage.proxy.set(then: .hold)
            try stage.run("window.scrollTo(0, 0)", until: "users.dataset.state == 'loading'")
            try pictures.take("gap")
            stage.proxy.set(then: .busy)
            stage.proxy.release()
            try stage.visit("/?since=30")
            try stage.scrollToEnd(untilState: "error")
            try stage.scrollToEnd()
            try pictures.take("failure")
        }

        /// Users from three sources, each in its own directory.
        @Test(arguments: looks)
        func everyKindOfPageBesideTheList(width: Int, schemes: [String]) throws {
            let directories = [
                ("team", (1...40).map(Self.account)), ("crew", (1...40).map(Self.character)),
                ("site", (1...40).map(Self.expert)),
            ]
            let stage = try BrowserFixture.open(directories: directories, width: width)
            let pictures = Pictures(browser: stage.browser, width: width, schemes: schemes)
            for (path, name) in [
                ("/?directory=crew", "characters"), ("/?directory=crew&view=grid", "characters-grid"),
                ("/?directory=crew&status=Alive&species=Human", "chosen"),
                ("/?directory=crew&status=Dead&species=Alien&gender=Female", "nobody-chosen"),
                ("/?directory=site&sort=reputation&order=desc", "experts"),
            ] {
                try stage.visit(path)
                try pictures.take(name)
            }
            for (path, name) in [
                ("/users/person1", "person"), ("/users/person2", "organization"), ("/users/person5", "little-known"),
                ("/users/character-3-3?directory=crew", "character"), ("/users/expert-7-7?directory=site", "expert"),
                ("/directories", "directories"), ("/embed", "embed"),
            ] {
                try stage.visit(path)
                try pictures.takeWhole(name)
            }
            try stage.browser.devTools("Emulation.setScriptExecutionDisabled", ["value": true])
            try stage.visit("/?directory=crew&q=1&status=Alive")
            try pictures.takeWhole("without-script", frames: 0)
        }

        private static func account(_ id: Int) -> String {
            let type = id % 5 == 2 ? "Organization" : id % 5 == 4 ? "Bot" : "User"
            let known =
                #""location": "Zürich", "company": "@analytical-engines", "blog": "https://example.org/\#(id)", "#
                + #""bio": "Writes about engines, and what they may weave one day: algebraic patterns, as looms weave leaves.", "#
                + #""twitter_username": "person\#(id)", "followers": \#(id * 1_234), "public_repos": \#(id * 7), "#
                + #""created_at": "2012-03-04T05:06:07Z", "hireable": true, "#
            return
                #"{"id": \#(id * 3), "login": "person\#(id)", "name": "Person Number \#(id)", \#(id % 5 == 0 ? "" : known)"#
                + #""html_url": "https://github.com/person\#(id)", "type": "\#(type)"}"#
        }

        private static func character(_ id: Int) -> String {
            let status = ["Alive", "Dead", "unknown"][id % 3], species = id % 2 == 0 ? "Human" : "Alien"
            return
                #"{"id": \#(id), "name": "Character \#(id)", "status": "\#(status)", "species": "\#(species)", "type": "", "#
                + #""gender": "\#(species == "Human" ? "Female" : "Male")", "origin": {"name": "Earth (C-137)", "url": ""}, "#
                + #""location": {"name": "Citadel", "url": ""}, "image": "https://rickandmortyapi.com/api/character/avatar/\#(id).jpeg", "#
                + #""episode": ["https://rickandmortyapi.com/api/episode/1"], "url": "https://rickandmortyapi.com/api/character/\#(id)", "#
                + #""created": "2017-11-04T18:48:46.250Z"}"#
        }

        private static func expert(_ id: Int) -> String {
            #"{"user_id": \#(id), "account_id": \#(id), "display_name": "Expert \#(id)", "reputation": \#(id * 4_321), "#
                + #""user_type": "\#(id % 10 == 0 ? "moderator" : "registered")", "location": "Corvallis, OR, United States", "#
                + #""badge_counts": {"bronze": \#(id * 9), "silver": \#(id * 3), "gold": \#(id / 2)}, "creation_date": 1217532931, "#
                + #""last_access_date": 1484244143, "link": "https://stackoverflow.com/users/\#(id)/expert-\#(id)"}"#
        }
    }
}

/// Screenshots in one width and in several colour schemes.
private struct Pictures {
    private static let folder = RollcallProcess.packageFolder.appending(path: ".build/screenshots")
    let browser: Browser
    let width: Int
    let schemes: [String]

    /// Takes a screenshot of the viewport in each colour scheme after `frames` frames, which a page without scripts
    /// does not count.
    func take(_ name: String, frames: Int = 5) throws {
        for scheme in schemes {
            try browser.devTools(
                "Emulation.setEmulatedMedia", ["features": [["name": "prefers-color-scheme", "value": scheme]]])
            if frames > 0 { try browser.drawFrames(frames) }
            try take("\(name)-\(width)-\(scheme)", in: scheme, hasScripts: frames > 0)
        }
    }

    /// Takes a screenshot, which must show more than a background, and have the background of the colour scheme; and
    /// the page must not be wider than the viewport.
    private func take(_ name: String, in scheme: String, hasScripts: Bool) throws {
        let file = Self.folder.appendingPathComponent("\(name).png")
        try browser.saveScreenshot(to: file)
        // A page without scripts cannot be asked.
        guard hasScripts else { return }
        #expect(try browser.value("document.documentElement.scrollWidth", as: Int.self) <= width, "\(name)")
        let look = try browser.value(Self.look(of: Data(contentsOf: file)), as: [Int].self)
        #expect(look[0] > 10, "\(name) has \(look[0]) colours")
        #expect((look[1] > 127) == (scheme == "light"), "\(name): the background has brightness \(look[1]) of 255")
    }

    /// Returns a JavaScript expression for the number of colours of a PNG image and the brightness of the commonest.
    private static func look(of image: Data) -> String {
        """
        (async () => {
          const bytes = Uint8Array.from(atob('\(image.base64EncodedString())'), letter => letter.charCodeAt(0));
          const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
          const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
          context.drawImage(image, 0, 0);
          const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
          const counts = new Map;
          // Every seventh pixel, because all of them take a while.
          for (let i = 0; i < pixels.length; i += 7) counts.set(pixels[i], (counts.get(pixels[i]) ?? 0) + 1);
          const [commonest] = [...counts].reduce((most, next) => next[1] > most[1] ? next : most);
          const brightness = ((commonest & 255) + (commonest >> 8 & 255) + (commonest >> 16 & 255)) / 3;
          return [counts.size, Math.round(brightness)];
        })()
        """
    }

    /// Takes a screenshot of as much of the page as fits into a tall window.
    func takeWhole(_ name: String, frames: Int = 5) throws {
        try browser.resize(width: width, height: browser.value("Math.min(document.documentElement.scrollHeight, 4000)"))
        try take(name, frames: frames)
        try browser.resize(width: width, height: 900)
    }
}
