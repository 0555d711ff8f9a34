import Base
import Testing

@testable import Template

@Suite("Template")
struct TemplateTests {
    @Test func aNestedListSeesAllOuterNames() throws {
        let template = try compile(
            "{{#list}}{{item}}{{n}}:{{#inner}} {{subject}}{{item}}{{leaf}}{{n}}{{/inner}}{{^inner}} none{{/inner}};{{/list}}"
        )
        let model = Model()
        let frame = model.makeFrame(SpecField.self, for: template)
        model.set(frame, .subject, "S")
        let items = model.makeList(frame, .list, of: ItemField.self, count: 3)
        for (index, item) in items.enumerated() {
            model.set(item, .item, decimal: index)
            model.set(item, .n, "outer")
            let inner = model.makeList(item, .inner, of: InnerField.self, count: index)
            for (place, leaf) in inner.enumerated() {
                model.set(leaf, .leaf, decimal: place)
                model.set(leaf, .n, "inner")
            }
        }
        #expect(
            render(template, frame, of: model) == "0outer: none;1outer: S10inner;2outer: S20inner S21inner;")
    }

    @Test(arguments: [
        ("{{#text}}[{{.}}]{{/text}}", "[&lt;]"), ("{{#text}}{{#subject}}{{.}}{{/subject}}{{/text}}", "s"),
        ("{{#text}}{{^bool}}{{.}}{{/bool}}{{/text}}", "&lt;"), ("{{#text}}{{>p}}{{/text}}", "(&lt;)"),
        ("{{#string}}{{.}}{{{.}}}{{/string}}", "&amp;&"), ("{{#text}}{{#.}}x{{/.}}{{/text}}", "x"),
    ])
    func theDotIsTheTextOfTheSection(_ template: String, _ expected: String) throws {
        let data: [SpecField: SpecValue] = [.text: "<", .subject: "s", .string: "&"]
        #expect(try render(template, data, partials: ["p": "({{.}})"]) == expected)
    }

    @Test(
        arguments: [
            ("{{#text}}a{{/text}}{{^text}}b{{/text}}", [.text: ""], "b"),
            ("{{#text}}a{{/text}}{{^text}}b{{/text}}", [.text: "0"], "a"),
            ("{{#list}}a{{/list}}{{^list}}b{{/list}}", [.list: [[:], [:]]], "aa"),
            ("{{#bool}}a{{/bool}}{{^bool}}b{{/bool}}", [:], "b"),
        ] as [(String, [SpecField: SpecValue], String)])
    func sectionsDependOnTheirValue(_ template: String, _ data: [SpecField: SpecValue], _ expected: String) throws {
        #expect(try render(template, data) == expected)
    }

    @Test func aValueIsNotATemplate() throws {
        #expect(try render("{{text}}", [.text: "{{subject}}{{>p}}"]) == "{{subject}}{{&gt;p}}")
    }

    @Test func theByteOrderMarkIsNotPartOfThePage() throws {
        #expect(try render("\u{FEFF}{{! alone on its line }}\na", [:]) == "a")
        #expect(try render("a{{>p}}", [:], partials: ["p": "\u{FEFF}b"]) == "ab")
    }

    @Test(arguments: [
        ("  {{>p}}\n", "a\n\nb\n", "  a\n  \n  b\n"), ("\t{{>p}}", "{{#bool}}\nx\n{{/bool}}\ny", "\tx\n\ty"),
        (" {{>p}}\r\n", "a\r\nb\r\n", " a\r\n b\r\n"), (" {{>p}}\n", "{{#bool}}x{{/bool}} y\n", " x y\n"),
        (" {{>p}}\n", "  {{>q}}\n", "   1\n   2\n"), (" {{>p}}\n", "-{{>q}}", " -1\n2\n"), (" {{>p}}\n|", "", "|"),
    ])
    func linesOfAPartialAreIndentedLikeItsTag(_ template: String, _ partial: String, _ expected: String) throws {
        #expect(try render(template, [.bool: true], partials: ["p": partial, "q": "1\n2\n"]) == expected)
    }

    @Test func literalsMergeButNotAcrossAJump() throws {
        #expect(try compile("a{{! x }}b{{>p}}c", partials: ["p": "-"]).program.instructions.count == 1)
        #expect(try render("a{{#bool}}b{{/bool}}c{{^bool}}d{{/bool}}e", [.bool: false]) == "acde")
    }

    @Test func schemasAndValuesAreSmallAndDistinct() {
        #expect(Schema(SpecField.self).type != Schema(ItemField.self).type)
        #expect(MemoryLayout<Model.Value>.stride == 12)
    }

    @Test func renderingAgainReusesTheMemory() throws {
        let template = try compile("{{#list}}<p>{{item}}{{n}}</p>\n{{/list}}{{text}}")
        let (model, buffer) = (Model(), ByteBuffer())
        func renderOnce() {
            model.removeAll()
            buffer.removeAll()
            let frame = model.makeFrame(SpecField.self, for: template)
            for item in model.makeList(frame, .list, of: ItemField.self, count: 1000) {
                model.set(item, .item, "<some> & \"other\" text")
                model.set(item, .n, decimal: 12345)
            }
            template.render(frame, of: model, into: buffer)
        }
        renderOnce()
        let sizes = [buffer.capacity, model.text.capacity, model.slots.count]
        let (places, page) = ([buffer.base, model.text.base], [UInt8](buffer))
        for _ in 0..<10 { renderOnce() }
        #expect([buffer.capacity, model.text.capacity, model.slots.count] == sizes)
        #expect([buffer.base, model.text.base] == places)
        #expect([UInt8](buffer) == page)
    }

    @Test func aTemplateKnowsWhichFieldsItShows() throws {
        let template = try compile(
            "{{subject}}{{#list}}{{item}}{{planet}}{{/list}}{{^bool}}{{> p}}{{/bool}}", partials: ["p": "{{two}}"])
        let model = Model()
        let frame = model.makeFrame(SpecField.self, for: template)
        for field in [SpecField.subject, .list, .planet, .bool, .two] { #expect(model.shows(frame, field), "\(field)") }
        for field in [SpecField.text, .context] { #expect(!model.shows(frame, field), "\(field)") }
    }

    @Test func valuesThatNoTemplateShowsAreNotComputed() throws {
        let template = try compile("{{subject}}{{#bool}}!{{/bool}}")
        let model = Model()
        let frame = model.makeFrame(SpecField.self, for: template)
        var computed: [String] = []
        func text(_ name: String) -> String {
            computed.append(name)
            return name
        }
        model.set(frame, .subject, text("subject"))
        model.set(frame, .text, text("text"))
        model.set(frame, .bool, flag: !text("bool").isEmpty)
        model.set(frame, .section, flag: !text("section").isEmpty)
        model.write(frame, .planet) { $0.append(utf8: text("planet")) }
        #expect(model.makeList(frame, .list, of: ItemField.self, count: 3).isEmpty)
        #expect(computed == ["subject", "bool"])
        #expect(render(template, frame, of: model) == "subject!")
    }

    @Test func aDocumentLendsItsNamesToATemplateWhichHasItsOwnFirst() throws {
        let sources = ["t": "{{subject}} {{leaf}}{{n}}{{#list}} {{item}}{{leaf}}{{/list}}"]
        let template = try Template("t", schema: Schema(SpecField.self), within: Schema(InnerField.self)) { name in
            sources[name].map { Array($0.utf8) }
        }
        let model = Model()
        let document = model.makeFrame(InnerField.self, for: template)
        let frame = model.makeFrame(SpecField.self, for: template)
        model.set(document, .leaf, "L")
        model.set(document, .n, "N")
        model.set(frame, .subject, "S")
        for item in model.makeList(frame, .list, of: ItemField.self, count: 2) { model.set(item, .item, "I") }
        let buffer = ByteBuffer()
        template.render(frame, within: document, of: model, into: buffer)
        #expect(String(buffer) == "S LN IL IL")
    }

    @Test func oneTemplateRendersOnManyTasks() async throws {
        let template = try compile("{{#list}}{{item}},{{/list}}")
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    let model = Model()
                    let frame = model.makeFrame(SpecField.self, for: template)
                    for item in model.makeList(frame, .list, of: ItemField.self, count: 50) {
                        model.set(item, .item, decimal: task)
                    }
                    #expect(render(template, frame, of: model) == String(repeating: "\(task),", count: 50))
                }
            }
        }
    }
}

private func render(_ template: Template, _ frame: Frame<SpecField>, of model: Model) -> String {
    let buffer = ByteBuffer()
    template.render(frame, of: model, into: buffer)
    return String(buffer)
}
