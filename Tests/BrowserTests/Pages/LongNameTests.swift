import TestSupport
import Testing

extension BrowserTests {
    /// A joined emoji is one character: no line breaks inside it.
    @Suite("Names that cannot be broken")
    struct LongNameTests {
        @Test(arguments: [1280, 500])
        func theyMakeNoPageWiderThanTheWindow(_ width: Int) throws {
            let name = Array(repeating: "👨", count: 40).joined(separator: "\u{200D}")
            let lines = (1...5).map {
                #"{"id": \#($0), "login": "user\#($0)", "name": "\#(name)", "bio": "\#(name)", "reputation": 7}"#
            }
            let stage = try BrowserFixture.open(directories: [("people", lines)], width: width)
            for path in ["/users/user3", "/", "/?view=grid", "/?embed=1", "/?q=user"] {
                try stage.visit(path)
                #expect(
                    try stage.value("document.documentElement.scrollWidth - innerWidth", as: Int.self) <= 0,
                    "\(path)")
                let rows = """
                    Math.max(0, ...$$('.user').map(row => row.scrollWidth - row.clientWidth))
                    """
                #expect(try stage.value(rows) == 0, "\(path)")
            }
            // In other fonts, each sign may be far wider.
            try stage.visit("/users/user3")
            let isWider = """
                (() => {
                  for (const text of $$('main :is(h1, p, dd, strong)')) text.style.fontSize = '4rem';
                  return document.documentElement.scrollWidth > innerWidth;
                })()
                """
            #expect(try !stage.value(isWider))
        }
    }
}
