import Template
import TestSupport
import Testing

@Suite("Template errors")
struct TemplateErrorTests {
    @Test(arguments: [
        ("{{#list}}", "t.mustache:1:1: section \"list\" is never closed"),
        ("a\n\nab {{#list}}x\n", "t.mustache:3:4: section \"list\" is never closed"),
        ("{{#bool}}{{#list}}{{/list}}", "t.mustache:1:1: section \"bool\" is never closed"),
        ("{{^bool}}", "t.mustache:1:1: section \"bool\" is never closed"),
        ("x{{/list}}", "t.mustache:1:2: {{/list}} closes a section that is not open"),
        (
            "{{#bool}}\n{{#list}}{{/bool}}",
            "t.mustache:2:10: {{/bool}} comes before the end of section \"list\" from 2:1"
        ),
    ])
    func sectionsOpenAndCloseInPairs(_ template: String, _ expected: String) { expect(template, expected) }

    @Test(arguments: [
        ("a {{text", "t.mustache:1:3: tag \"{{\" is never closed"),
        ("a {{text}", "t.mustache:1:3: tag \"{{\" is never closed"),
        ("a {{", "t.mustache:1:3: tag \"{{\" is never closed"),
        ("{{text <p>\n{{value}}", "t.mustache:1:1: tag \"{{\" is never closed"),
        ("{{text <p>\n}}", "t.mustache:1:1: unknown name \"text <p>\"."),
        ("{{text\n<p>}}", "t.mustache:1:1: tag \"{{\" is never closed"),
        ("{{{string}}", "t.mustache:1:1: tag \"{{\" is never closed"),
        ("{{! a comment", "t.mustache:1:1: tag \"{{\" is never closed"),
        ("{{=<% %>=}}<%text}}", "t.mustache:1:12: tag \"<%\" is never closed"),
        ("{{}}", "t.mustache:1:1: the tag names nothing"), ("{{# }}", "t.mustache:1:1: the tag names nothing"),
    ])
    func tagsAreClosedAndHaveAName(_ template: String, _ expected: String) { expect(template, expected) }

    @Test(arguments: [
        ("{{=<% %>}}", "t.mustache:1:1: tag \"{{\" is never closed"),
        ("{{=<%=}}", "t.mustache:1:1: delimiters are two words without \"=\", as in {{=<% %>=}}; found \"<%\""),
        ("{{==}}", "t.mustache:1:1: delimiters are two words without \"=\", as in {{=<% %>=}}; found \"\""),
        ("{{=a b c=}}", "t.mustache:1:1: delimiters are two words without \"=\", as in {{=<% %>=}}; found \"a b c\""),
        ("{{=a= b=}}", "t.mustache:1:1: delimiters are two words without \"=\", as in {{=<% %>=}}; found \"a= b\""),
    ])
    func delimitersConsistOfTwoWords(_ template: String, _ expected: String) { expect(template, expected) }

    @Test func anUnknownNameIsReportedWithTheNearestOrAllNames() {
        expect("<p>{{#list}}{{#inner}}{{leef}}", "t.mustache:1:23: unknown name \"leef\"; did you mean \"leaf\"?")
        expect(
            "<p>{{#list}}{{#inner}}{{elsewhere}}",
            """
            t.mustache:1:23: unknown name "elsewhere". Names here: leaf, n; \
            and from outside: name, item, n, b, inner; and from outside: subject, template
            """)
    }

    @Test(arguments: [
        ("{{Subject}}", "t.mustache:1:1: unknown name \"Subject\"; did you mean \"subject\"?"),
        ("{{sbject}}", "t.mustache:1:1: unknown name \"sbject\"; did you mean \"subject\"?"),
        ("{{#lists}}", "t.mustache:1:1: unknown name \"lists\"; did you mean \"list\"?"),
        ("{{^completelyElse}}", "t.mustache:1:1: unknown name \"completelyElse\". Names here: subject, "),
        ("{{#list}}{{/list}}{{item}}", "t.mustache:1:19: unknown name \"item\". Names here: subject"),
        // Dotted names, lambdas and inheritance are not supported on purpose.
        ("{{context.name}}", "t.mustache:1:1: unknown name \"context.name\""),
        ("{{$block}}", "t.mustache:1:1: blocks and parents (\"$\") are not supported"),
        ("{{<parent}}", "t.mustache:1:1: blocks and parents (\"<\") are not supported"),
    ])
    func unknownNamesAreErrors(_ template: String, _ expected: String) { expect(template, expected) }

    @Test(arguments: [
        (
            "{{bool}}",
            "t.mustache:1:1: \"bool\" is a flag, which shows nothing itself: use it as a section, {{#bool}}…{{/bool}}"
        ),
        ("{{{bool}}}", "t.mustache:1:1: \"bool\" is a flag"),
        ("{{list}}", "t.mustache:1:1: \"list\" is a list: use it as a section, {{#list}}…{{/list}}"),
        ("{{.}}", "t.mustache:1:1: \".\" has a meaning only inside the section of a text"),
        ("{{^text}}{{.}}{{/text}}", "t.mustache:1:10: \".\" has a meaning only inside the section of a text"),
        ("{{#list}}{{.}}{{/list}}", "t.mustache:1:10: \".\" is not a text here: name one of its fields"),
        ("{{#list}}{{#bool}}{{#list}}{{/list}}", "t.mustache:1:19: list \"list\" is inside of itself"),
        ("{{#bool}}{{.}}{{/bool}}", "t.mustache:1:10: \".\" is not a text here: name one of its fields"),
    ])
    func namesAreUsedAccordingToTheirType(_ template: String, _ expected: String) { expect(template, expected) }

    @Test(arguments: ["{{{text}}}", "{{&text}}", "{{& text }}", "{{=<% %>=}}<%{text}%>", "{{#text}}{{{.}}}{{/text}}"])
    func textCannotBeInsertedUnescaped(_ template: String) {
        #expect(message { _ = try compile(template) }.contains("is text, which is always escaped: write {{"))
    }

    @Test(arguments: [
        ("한글 👩‍👩‍👧é\r\n한 {{x}}", 2, 3), ("\u{FEFF}{{x}}", 1, 1), ("\u{FEFF}\n {{x}}", 2, 2), ("\r{{x}}", 1, 2),
        ("\t\t{{x}}", 1, 3), ("\n\n\n{{x}}", 4, 1),
    ])
    func positionsAreCountedAsInEditors(_ template: String, _ line: Int, _ column: Int) {
        let error = #expect(throws: TemplateError.self) { try compile(template) }
        #expect(error?.line == line && error?.column == column)
    }

    @Test(
        arguments: [
            ([0x61, 0x0A, 0x62, 0xFF], "t.mustache:2:2: "), ([0xC3], "t.mustache:1:1: "),
            ([0x61, 0xED, 0xA0, 0x80], "t.mustache:1:2: "), ([0xC3, 0xA9, 0xC0, 0x80], "t.mustache:1:2: "),
        ] as [([UInt8], String)])
    func theFileMustBeUTF8(_ bytes: [UInt8], _ place: String) {
        let said = message { _ = try Template("t", schema: Schema(SpecField.self)) { _ in bytes } }
        #expect(said == place + "the file is not valid UTF-8")
    }

    @Test func aMissingTemplateIsAnError() {
        let said = message { _ = try Template("page", schema: Schema(SpecField.self)) { _ in nil } }
        #expect(said == "page.mustache:1:1: there is no such template")
    }
}

@Suite("Errors in partials")
struct PartialErrorTests {
    @Test func aMissingPartialIsReportedAtItsTag() {
        expect("a\n  {{> _b }}", "t.mustache:2:3: there is no partial \"_b.mustache\"")
    }

    @Test func aPartialHasItsOwnPositions() {
        expect(
            "\n{{>_a}}", partials: ["_a": "\n\n {{>_b}}", "_b": "x {{wrong}}"],
            "_b.mustache:1:3: unknown name \"wrong\". Names here:")
        expect(
            "\n{{>_a}}", partials: ["_a": "\n\n {{>_b}}", "_b": "x {{#bool}}"],
            """
            _b.mustache:1:3: section "bool" is never closed (included from _a.mustache:3:2, from t.mustache:2:1)
            """)
    }

    @Test func aPartialClosesOnlyItsOwnSections() {
        expect(
            "{{#bool}}{{>_a}}{{/bool}}", partials: ["_a": "{{/bool}}"],
            "_a.mustache:1:1: {{/bool}} closes a section that is not open (included from t.mustache:1:10)")
    }

    @Test func aPartialUsesTheNamesOfItsContext() {
        #expect(throws: Never.self) {
            try compile("{{#list}}{{>_a}}{{/list}}", partials: ["_a": "{{item}}{{subject}}"])
        }
        expect("{{>_a}}", partials: ["_a": "{{item}}"], "_a.mustache:1:1: unknown name \"item\"")
    }

    @Test func aPartialDoesNotContainItself() {
        expect(
            "{{>_a}}", partials: ["_a": "{{>_b}}", "_b": "\n{{>_a}}"],
            "_b.mustache:2:1: partial \"_a\" contains itself: _a → _b → _a")
        expect("{{>t}}", "t.mustache:1:1: partial \"t\" contains itself: t → t")
        #expect(throws: Never.self) { try compile("{{>_a}}{{>_a}}", partials: ["_a": "twice is fine"]) }
    }
}

/// Checks that the error of `template` begins with `expected`.
private func expect(
    _ template: String, partials: [String: String] = [:], _ expected: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let found = message { _ = try compile(template, partials: partials) }
    #expect(found.hasPrefix(expected), sourceLocation: sourceLocation)
}
