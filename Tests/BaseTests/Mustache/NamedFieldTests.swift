import Base
import TestSupport
import Testing

@testable import Template

@Suite("Fields that a template names by their keys")
struct NamedFieldTests {
    enum Person: Int, TemplateField {
        case name, field

        static let kinds = FieldKinds<Self>(namedFields: [.field: Value.self])
    }
    enum Value: Int, TemplateField {
        case key, value
    }

    private func template(_ source: String, _ partials: [String: String] = [:]) throws(TemplateError) -> Template {
        try Template("t", schema: Schema(Person.self)) { name in
            (name == "t" ? source : partials[name]).map { Array($0.utf8) }
        }
    }

    /// Renders with these values by key.
    private func render(_ source: String, _ values: [String: String]) throws -> String {
        let (template, model, buffer) = (try template(source), Model(), ByteBuffer(capacity: 64))
        let frame = model.makeFrame(Person.self, for: template)
        model.set(frame, .name, "Ann")
        let keys = template.namedFields.map(\.key)
        for (element, key) in zip(model.makeList(frame, .field, of: Value.self, count: keys.count), keys) {
            guard let value = values[key] else { continue }
            model.set(element, .key, key)
            model.set(element, .value, value)
        }
        template.render(frame, of: model, into: buffer)
        return String(buffer)
    }

    @Test(arguments: [
        ("{{#field.a}}{{key}}={{value}}{{/field.a}}", "a=1"), ("{{#field.a}}{{name}}{{/field.a}}{{name}}", "AnnAnn"),
        ("{{^field.a}}no{{/field.a}}{{^field.c}}no c{{/field.c}}{{#field.c}}c{{/field.c}}", "no c"),
        ("{{#field.b}}{{value}}{{/field.b}}{{#field.a}}{{value}}{{/field.a}}{{#field.b}}{{value}}{{/field.b}}", "212"),
        ("{{#field.a}}{{value}}{{#field.b}}{{value}}{{/field.b}}{{value}}{{/field.a}}", "121"),
        ("{{#field.c}}{{#field.a}}x{{/field.a}}{{/field.c}}.", "."), ("{{name}}", "Ann"),
    ])
    func aSectionShowsTheFieldThatItNames(_ source: String, _ expected: String) throws {
        #expect(try render(source, ["a": "1", "b": "2"]) == expected)
    }

    @Test func everyKeyIsNamedOnceWithItsFirstPlace() throws {
        let found = try template(
            "{{> _p}}\n{{^field.a}}{{/field.a}}{{#field.b}}{{/field.b}}", ["_p": "x{{#field.a}}{{/field.a}}"])
        #expect(found.namedFields.map(\.place) == ["_p.mustache:1:2", "t.mustache:2:25"])
        #expect(try template("{{name}}").namedFields.isEmpty)
    }

    @Test(arguments: [
        ("{{field.a}}", "is a field: use it as a section"), ("{{#field}}{{/field}}", "needs the key of a field"),
        ("{{#field.}}{{/field.}}", "unknown name"), ("{{#name.a}}{{/name.a}}", "unknown name"),
        ("{{#field.a}}{{.}}{{/field.a}}", "not a text here"), ("{{#field.a}}{{/field.b}}", "comes before the end"),
    ])
    func otherUsesAreErrors(_ source: String, _ problem: String) {
        #expect(message { _ = try template(source) }.contains(problem))
    }
}
