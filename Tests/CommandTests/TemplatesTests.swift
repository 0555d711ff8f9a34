import Foundation
import TestSupport
import Testing

@testable import rollcall

@Suite("Templates on the command line")
final class TemplatesTests: TestFolder {
    @Test func templatesAreCopiedAndCompared() throws {
        func templates(_ words: String...) -> Output { said { Rollcall.status(of: ["templates"] + words) } }
        let names = templates().output.split(separator: "\n")
        #expect(names.contains("page") && names.contains("_article"))
        #expect(templates("copy", "page", "_next", "--to", path("mine")).status == 0)
        let page = try text("mine/page.mustache")
        #expect(page.contains(/^\{\{! rollcall \d+\.\d+\.\d+ page [0-9a-f]{8} \}\}\n/))
        #expect(templates("diff", "--templates", path("mine")).output == "")
        try write("mine/page.mustache", page + "<p>mine</p>\n")
        let difference = templates("diff", "page", "--templates", path("mine")).output
        #expect(difference.contains("\n+<p>mine</p>\n") && !difference.contains("\n-"))
        let last = page.split(separator: "\n", omittingEmptySubsequences: false).count - 2
        #expect(difference.contains("\n@@ -\(last - 2),3 +\(last - 2),4 @@\n"))
        // A combining mark at the beginning of a line does not change the mark before it.
        try write("mine/page.mustache", page + "\u{301}<p>mine</p>\n")
        let combined = templates("diff", "page", "--templates", path("mine")).output
        #expect(combined.contains("\n@@ -\(last - 2),3 +\(last - 2),4 @@\n"))
        let again = templates("copy", "page", "--to", path("mine"))
        #expect(again.status == 1 && again.error.contains("page.mustache exists; --force replaces it"))
    }
}
