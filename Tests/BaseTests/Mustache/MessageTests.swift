import Base
import TestSupport
import Testing

@testable import Template

@Suite("Messages in templates: {{@key}}")
struct MessageTests {
    enum Name: Int, TemplateField {
        case total, rest, text

        static let kinds = FieldKinds<Self>(numbers: [.total, .rest])
    }

    private func catalogue(_ texts: [String: String]) -> Catalogue {
        var messages = texts.mapValues { Message.text(Array($0.utf8)) }
        messages["people"] = .forms(
            PluralForms(other: Array("<b>{{total}}</b> people".utf8), [.one: Array("one person".utf8)]))
        messages["both"] = .forms(PluralForms(other: Array("{{total}} of {{rest}}".utf8), [:]))
        messages["fresh"] = .forms(
            PluralForms(other: Array("{count} “new”".utf8), [.one: Array("\"{count}\" new".utf8)]))
        return Catalogue(fileName: "languages/en.json", messages)
    }

    private func render(
        _ source: String, _ texts: [String: String] = [:], total: Int = 1, _ category: PluralCategory = .one
    ) throws -> String {
        let template = try Template("t", schema: Schema(Name.self), messages: catalogue(texts)) { _ in
            Array(source.utf8)
        }
        let (model, buffer) = (Model(), ByteBuffer(capacity: 256))
        let frame = model.makeFrame(Name.self, for: template)
        model.write(frame, .total, category) { $0.append(decimal: total) }
        model.set(frame, .text, "a < b")
        template.render(frame, of: model, into: buffer)
        return String(buffer)
    }

    @Test func aMessageInsertsTheFieldsOfItsPlace() throws {
        #expect(try render("<p>{{@found}}</p>", ["found": "For <q>{{text}}</q>"]) == "<p>For <q>a &lt; b</q></p>")
    }

    @Test func theNumberOfAMessageChoosesItsForm() throws {
        #expect(try render("{{@people}}!") == "one person!")
        #expect(try render("{{@people}}!", total: 5, .other) == "<b>5</b> people!")
        // A category without a form of its own has the form "other".
        #expect(try render("{{@people}}!", total: 2, .two) == "<b>2</b> people!")
    }

    @Test func formsWithoutFieldsAreAnObjectForScripts() throws {
        #expect(
            try render("<p data-fresh=\"{{@fresh}}\">")
                == "<p data-fresh=\"{&quot;one&quot;:&quot;\\&quot;{count}\\&quot; new&quot;,"
                + "&quot;other&quot;:&quot;{count} “new”&quot;}\">")
    }

    @Test(arguments: [
        ("a {{@none}}", "t.mustache:1:3: there is no message \"none\" in languages/en.json"),
        ("{{@both}}", "t.mustache:1:1: the forms of message \"both\" insert 2 numbers; exactly one chooses the form"),
        ("{{@open}}", "languages/en.json(open):1:1: the message ends inside a tag or value that it did not begin in"),
        ("{{@outer}}", "languages/en.json(outer):1:3: a message contains no other message"),
        ("{{@wrong}}", "languages/en.json(wrong):1:1: unknown name \"texts\"; did you mean \"text\"?"),
    ])
    func aBrokenMessageIsReported(_ source: String, _ expected: String) {
        let texts = ["open": "<b", "outer": "x {{@open}}", "wrong": "{{texts}}"]
        #expect(message { _ = try render(source, texts) }.hasPrefix(expected))
    }
}
