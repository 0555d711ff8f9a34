import Testing

/// The cases of https://github.com/mustache/spec (version 1.4.3), word for word. `TemplateErrorTests` covers the cases
/// that Rollcall omits on purpose or rejects.
@Suite("The Mustache specification")
struct SpecificationTests {
    @Test(arguments: SpecCase.interpolation) func interpolationMatchesTheSpec(_ it: SpecCase) throws { try it.check() }
    @Test(arguments: SpecCase.sections) func sectionsMatchTheSpec(_ it: SpecCase) throws { try it.check() }
    @Test(arguments: SpecCase.inverted) func invertedSectionsMatchTheSpec(_ it: SpecCase) throws { try it.check() }
    @Test(arguments: SpecCase.comments) func commentsMatchTheSpec(_ it: SpecCase) throws { try it.check() }
    @Test(arguments: SpecCase.delimiters) func delimitersMatchTheSpec(_ it: SpecCase) throws { try it.check() }
    @Test(arguments: SpecCase.partials) func partialsMatchTheSpec(_ it: SpecCase) throws { try it.check() }
}

struct SpecCase: Sendable, CustomTestStringConvertible {
    let name: String
    let data: [SpecField: SpecValue]
    let template: String
    let expected: String
    let partials: [String: String]

    init(
        _ name: String, _ data: [SpecField: SpecValue], _ template: String, _ expected: String,
        partials: [String: String] = [:]
    ) {
        (self.name, self.data, self.template, self.expected) = (name, data, template, expected)
        self.partials = partials
    }

    var testDescription: String { name }

    func check() throws { #expect(try render(template, data, partials: partials) == expected) }
}

extension SpecCase {
    static let interpolation: [SpecCase] = [
        SpecCase("No Interpolation", [:], "Hello from {Mustache}!\n", "Hello from {Mustache}!\n"),
        SpecCase("Basic Interpolation", [.subject: "world"], "Hello, {{subject}}!\n", "Hello, world!\n"),
        SpecCase(
            "No Re-interpolation", [.template: "{{planet}}", .planet: "Earth"], "{{template}}: {{planet}}",
            "{{planet}}: Earth"),
        SpecCase(
            "HTML Escaping", [.forbidden: "& \" < >"], "These characters should be HTML escaped: {{forbidden}}\n",
            "These characters should be HTML escaped: &amp; &quot; &lt; &gt;\n"),
        SpecCase(
            "Triple Mustache", [.forbidden: "& \" < >"],
            "These characters should not be HTML escaped: {{{forbidden}}}\n",
            "These characters should not be HTML escaped: & \" < >\n"),
        SpecCase(
            "Ampersand", [.forbidden: "& \" < >"], "These characters should not be HTML escaped: {{&forbidden}}\n",
            "These characters should not be HTML escaped: & \" < >\n"),
        SpecCase("Basic Integer Interpolation", [.mph: "85"], "\"{{mph}} miles an hour!\"", "\"85 miles an hour!\""),
        SpecCase(
            "Triple Mustache Integer Interpolation", [.mph: "85"], "\"{{{mph}}} miles an hour!\"",
            "\"85 miles an hour!\""),
        SpecCase(
            "Ampersand Integer Interpolation", [.mph: "85"], "\"{{&mph}} miles an hour!\"", "\"85 miles an hour!\""),
        SpecCase("Basic Decimal Interpolation", [.power: "1.21"], "\"{{power}} jiggawatts!\"", "\"1.21 jiggawatts!\""),
        SpecCase(
            "Triple Mustache Decimal Interpolation", [.power: "1.21"], "\"{{{power}}} jiggawatts!\"",
            "\"1.21 jiggawatts!\""),
        SpecCase(
            "Ampersand Decimal Interpolation", [.power: "1.21"], "\"{{&power}} jiggawatts!\"", "\"1.21 jiggawatts!\""),
        SpecCase("Basic Null Interpolation", [:], "I ({{cannot}}) be seen!", "I () be seen!"),
        SpecCase("Triple Mustache Null Interpolation", [:], "I ({{{cannot}}}) be seen!", "I () be seen!"),
        SpecCase("Ampersand Null Interpolation", [:], "I ({{&cannot}}) be seen!", "I () be seen!"),
        SpecCase("Interpolation - Surrounding Whitespace", [.string: "---"], "| {{string}} |", "| --- |"),
        SpecCase("Triple Mustache - Surrounding Whitespace", [.string: "---"], "| {{{string}}} |", "| --- |"),
        SpecCase("Ampersand - Surrounding Whitespace", [.string: "---"], "| {{&string}} |", "| --- |"),
        SpecCase("Interpolation - Standalone", [.string: "---"], "  {{string}}\n", "  ---\n"),
        SpecCase("Triple Mustache - Standalone", [.string: "---"], "  {{{string}}}\n", "  ---\n"),
        SpecCase("Ampersand - Standalone", [.string: "---"], "  {{&string}}\n", "  ---\n"),
        SpecCase("Interpolation With Padding", [.string: "---"], "|{{ string }}|", "|---|"),
        SpecCase("Triple Mustache With Padding", [.string: "---"], "|{{{ string }}}|", "|---|"),
        SpecCase("Ampersand With Padding", [.string: "---"], "|{{& string }}|", "|---|"),
    ]

    static let sections: [SpecCase] = [
        SpecCase(
            "Truthy", [.boolean: true], "\"{{#boolean}}This should be rendered.{{/boolean}}\"",
            "\"This should be rendered.\""),
        SpecCase("Falsey", [.boolean: false], "\"{{#boolean}}This should not be rendered.{{/boolean}}\"", "\"\""),
        SpecCase("Null is falsey", [:], "\"{{#null}}This should not be rendered.{{/null}}\"", "\"\""),
        SpecCase("Context", [.context: [[.name: "Joe"]]], "\"{{#context}}Hi {{name}}.{{/context}}\"", "\"Hi Joe.\""),
        SpecCase("Variable test", [.foo: "bar"], "\"{{#foo}}{{.}} is {{foo}}{{/foo}}\"", "\"bar is bar\""),
        SpecCase(
            "List", [.list: [[.item: "1"], [.item: "2"], [.item: "3"]]], "\"{{#list}}{{item}}{{/list}}\"", "\"123\""),
        SpecCase("Empty List", [.list: []], "\"{{#list}}Yay lists!{{/list}}\"", "\"\""),
        SpecCase(
            "Doubled", [.bool: true, .two: "second"],
            "{{#bool}}\n* first\n{{/bool}}\n* {{two}}\n{{#bool}}\n* third\n{{/bool}}\n", "* first\n* second\n* third\n"),
        SpecCase(
            "Nested (Truthy)", [.bool: true], "| A {{#bool}}B {{#bool}}C{{/bool}} D{{/bool}} E |", "| A B C D E |"),
        SpecCase("Nested (Falsey)", [.bool: false], "| A {{#bool}}B {{#bool}}C{{/bool}} D{{/bool}} E |", "| A  E |"),
        SpecCase("Surrounding Whitespace", [.boolean: true], " | {{#boolean}}\t|\t{{/boolean}} | \n", " | \t|\t | \n"),
        SpecCase(
            "Internal Whitespace", [.boolean: true], " | {{#boolean}} {{! Important Whitespace }}\n {{/boolean}} | \n",
            " |  \n  | \n"),
        SpecCase(
            "Indented Inline Sections", [.boolean: true],
            " {{#boolean}}YES{{/boolean}}\n {{#boolean}}GOOD{{/boolean}}\n", " YES\n GOOD\n"),
        SpecCase(
            "Standalone Lines", [.boolean: true], "| This Is\n{{#boolean}}\n|\n{{/boolean}}\n| A Line\n",
            "| This Is\n|\n| A Line\n"),
        SpecCase(
            "Indented Standalone Lines", [.boolean: true], "| This Is\n  {{#boolean}}\n|\n  {{/boolean}}\n| A Line\n",
            "| This Is\n|\n| A Line\n"),
        SpecCase("Standalone Line Endings", [.boolean: true], "|\r\n{{#boolean}}\r\n{{/boolean}}\r\n|", "|\r\n|"),
        SpecCase("Standalone Without Previous Line", [.boolean: true], "  {{#boolean}}\n#{{/boolean}}\n/", "#\n/"),
        SpecCase("Standalone Without Newline", [.boolean: true], "#{{#boolean}}\n/\n  {{/boolean}}", "#\n/\n"),
        SpecCase("Padding", [.boolean: true], "|{{# boolean }}={{/ boolean }}|", "|=|"),
    ]

    static let inverted: [SpecCase] = [
        SpecCase(
            "Falsey", [.boolean: false], "\"{{^boolean}}This should be rendered.{{/boolean}}\"",
            "\"This should be rendered.\""),
        SpecCase("Truthy", [.boolean: true], "\"{{^boolean}}This should not be rendered.{{/boolean}}\"", "\"\""),
        SpecCase(
            "Null is falsey", [:], "\"{{^null}}This should be rendered.{{/null}}\"", "\"This should be rendered.\""),
        SpecCase("Empty List", [.list: []], "\"{{^list}}Yay lists!{{/list}}\"", "\"Yay lists!\""),
        SpecCase(
            "Doubled", [.bool: false, .two: "second"],
            "{{^bool}}\n* first\n{{/bool}}\n* {{two}}\n{{^bool}}\n* third\n{{/bool}}\n", "* first\n* second\n* third\n"),
        SpecCase(
            "Nested (Falsey)", [.bool: false], "| A {{^bool}}B {{^bool}}C{{/bool}} D{{/bool}} E |", "| A B C D E |"),
        SpecCase("Nested (Truthy)", [.bool: true], "| A {{^bool}}B {{^bool}}C{{/bool}} D{{/bool}} E |", "| A  E |"),
        SpecCase("Surrounding Whitespace", [.boolean: false], " | {{^boolean}}\t|\t{{/boolean}} | \n", " | \t|\t | \n"),
        SpecCase(
            "Internal Whitespace", [.boolean: false], " | {{^boolean}} {{! Important Whitespace }}\n {{/boolean}} | \n",
            " |  \n  | \n"),
        SpecCase(
            "Indented Inline Sections", [.boolean: false],
            " {{^boolean}}NO{{/boolean}}\n {{^boolean}}WAY{{/boolean}}\n", " NO\n WAY\n"),
        SpecCase(
            "Standalone Lines", [.boolean: false], "| This Is\n{{^boolean}}\n|\n{{/boolean}}\n| A Line\n",
            "| This Is\n|\n| A Line\n"),
        SpecCase(
            "Standalone Indented Lines", [.boolean: false], "| This Is\n  {{^boolean}}\n|\n  {{/boolean}}\n| A Line\n",
            "| This Is\n|\n| A Line\n"),
        SpecCase("Standalone Line Endings", [.boolean: false], "|\r\n{{^boolean}}\r\n{{/boolean}}\r\n|", "|\r\n|"),
        SpecCase("Standalone Without Previous Line", [.boolean: false], "  {{^boolean}}\n^{{/boolean}}\n/", "^\n/"),
        SpecCase("Standalone Without Newline", [.boolean: false], "^{{^boolean}}\n/\n  {{/boolean}}", "^\n/\n"),
        SpecCase("Padding", [.boolean: false], "|{{^ boolean }}={{/ boolean }}|", "|=|"),
    ]

    static let comments: [SpecCase] = [
        SpecCase("Inline", [:], "12345{{! Comment Block! }}67890", "1234567890"),
        SpecCase("Multiline", [:], "12345{{!\n  This is a\n  multi-line comment...\n}}67890\n", "1234567890\n"),
        SpecCase("Standalone", [:], "Begin.\n{{! Comment Block! }}\nEnd.\n", "Begin.\nEnd.\n"),
        SpecCase("Indented Standalone", [:], "Begin.\n  {{! Indented Comment Block! }}\nEnd.\n", "Begin.\nEnd.\n"),
        SpecCase("Standalone Line Endings", [:], "|\r\n{{! Standalone Comment }}\r\n|", "|\r\n|"),
        SpecCase("Standalone Without Previous Line", [:], "  {{! I'm Still Standalone }}\n!", "!"),
        SpecCase("Standalone Without Newline", [:], "!\n  {{! I'm Still Standalone }}", "!\n"),
        SpecCase(
            "Multiline Standalone", [:], "Begin.\n{{!\nSomething's going on here...\n}}\nEnd.\n", "Begin.\nEnd.\n"),
        SpecCase(
            "Indented Multiline Standalone", [:], "Begin.\n  {{!\n    Something's going on here...\n  }}\nEnd.\n",
            "Begin.\nEnd.\n"),
        SpecCase("Indented Inline", [:], "  12 {{! 34 }}\n", "  12 \n"),
        SpecCase("Surrounding Whitespace", [:], "12345 {{! Comment Block! }} 67890", "12345  67890"),
    ]

    static let delimiters: [SpecCase] = [
        SpecCase("Pair Behavior", [.text: "Hey!"], "{{=<% %>=}}(<%text%>)", "(Hey!)"),
        SpecCase("Special Characters", [.text: "It worked!"], "({{=[ ]=}}[text])", "(It worked!)"),
        SpecCase(
            "Sections", [.section: true, .data: "I got interpolated."],
            "[\n{{#section}}\n  {{data}}\n  |data|\n{{/section}}\n\n{{= | | =}}\n|#section|\n  {{data}}\n  |data|\n|/section|\n]\n",
            "[\n  I got interpolated.\n  |data|\n\n  {{data}}\n  I got interpolated.\n]\n"),
        SpecCase(
            "Inverted Sections", [.section: false, .data: "I got interpolated."],
            "[\n{{^section}}\n  {{data}}\n  |data|\n{{/section}}\n\n{{= | | =}}\n|^section|\n  {{data}}\n  |data|\n|/section|\n]\n",
            "[\n  I got interpolated.\n  |data|\n\n  {{data}}\n  I got interpolated.\n]\n"),
        SpecCase(
            "Partial Inheritence", [.value: "yes"], "[ {{>include}} ]\n{{= | | =}}\n[ |>include| ]\n",
            "[ .yes. ]\n[ .yes. ]\n", partials: ["include": ".{{value}}."]),
        SpecCase(
            "Post-Partial Behavior", [.value: "yes"], "[ {{>include}} ]\n[ .{{value}}.  .|value|. ]\n",
            "[ .yes.  .yes. ]\n[ .yes.  .|value|. ]\n", partials: ["include": ".{{value}}. {{= | | =}} .|value|."]),
        SpecCase("Surrounding Whitespace", [:], "| {{=@ @=}} |", "|  |"),
        SpecCase("Outlying Whitespace (Inline)", [:], " | {{=@ @=}}\n", " | \n"),
        SpecCase("Standalone Tag", [:], "Begin.\n{{=@ @=}}\nEnd.\n", "Begin.\nEnd.\n"),
        SpecCase("Indented Standalone Tag", [:], "Begin.\n  {{=@ @=}}\nEnd.\n", "Begin.\nEnd.\n"),
        SpecCase("Standalone Line Endings", [:], "|\r\n{{= @ @ =}}\r\n|", "|\r\n|"),
        SpecCase("Standalone Without Previous Line", [:], "  {{=@ @=}}\n=", "="),
        SpecCase("Standalone Without Newline", [:], "=\n  {{=@ @=}}", "=\n"),
        SpecCase("Pair with Padding", [:], "|{{= @   @ =}}|", "||"),
    ]

    static let partials: [SpecCase] = [
        SpecCase("Basic Behavior", [:], "\"{{>text}}\"", "\"from partial\"", partials: ["text": "from partial"]),
        SpecCase(
            "Context", [.text: "content"], "\"{{>partial}}\"", "\"*content*\"", partials: ["partial": "*{{text}}*"]),
        SpecCase(
            "Nested", [.a: "hello", .b: "world"], "{{>outer}}", "*hello world!*",
            partials: ["outer": "*{{a}} {{>inner}}*", "inner": "{{b}}!"]),
        SpecCase("Surrounding Whitespace", [:], "| {{>partial}} |", "| \t|\t |", partials: ["partial": "\t|\t"]),
        SpecCase(
            "Inline Indentation", [.data: "|"], "  {{data}}  {{> partial}}\n", "  |  >\n>\n",
            partials: ["partial": ">\n>"]),
        SpecCase("Standalone Line Endings", [:], "|\r\n{{>partial}}\r\n|", "|\r\n>|", partials: ["partial": ">"]),
        SpecCase(
            "Standalone Without Previous Line", [:], "  {{>partial}}\n>", "  >\n  >>", partials: ["partial": ">\n>"]),
        SpecCase("Standalone Without Newline", [:], ">\n  {{>partial}}", ">\n  >\n  >", partials: ["partial": ">\n>"]),
        SpecCase(
            "Standalone Indentation", [.content: "<\n->"], "\\\n {{>partial}}\n/\n", "\\\n |\n <\n->\n |\n/\n",
            partials: ["partial": "|\n{{{content}}}\n|\n"]),
        SpecCase("Padding Whitespace", [.boolean: true], "|{{> partial }}|", "|[]|", partials: ["partial": "[]"]),
    ]
}
