import Base
import Testing

@testable import Template

/// The names used by the specification's cases.
enum SpecField: Int, TemplateField {
    case subject, template, planet, two, text, data, value, foo, a, b, null
    // The specification uses these both escaped and unescaped.
    case forbidden, mph, power, cannot, string, content
    case boolean, bool, section
    case list, context, sec

    static let kinds = FieldKinds<Self>(
        flags: [.boolean, .bool, .section], markup: [.forbidden, .mph, .power, .cannot, .string, .content],
        lists: [.list: ItemField.self, .context: ItemField.self, .sec: ItemField.self])
}

enum ItemField: Int, TemplateField {
    case name, item, n, b, inner

    static let kinds = FieldKinds<Self>(lists: [.inner: InnerField.self])
}

enum InnerField: Int, TemplateField {
    case leaf, n
}

enum SpecValue: Sendable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral {
    case text(String)
    case flag(Bool)
    case list([[ItemField: String]])

    init(stringLiteral value: String) { self = .text(value) }
    init(booleanLiteral value: Bool) { self = .flag(value) }
    init(arrayLiteral elements: [ItemField: String]...) { self = .list(elements) }
}

func compile(_ template: String, partials: [String: String] = [:]) throws -> Template {
    try Template("t", schema: Schema(SpecField.self)) { name in
        name == "t" ? Array(template.utf8) : partials[name].map { Array($0.utf8) }
    }
}

func render(_ template: String, _ data: [SpecField: SpecValue], partials: [String: String] = [:]) throws -> String {
    let template = try compile(template, partials: partials)
    let model = Model()
    let frame = model.makeFrame(SpecField.self, for: template)
    for (field, value) in data { model.set(frame, field, to: value) }
    let buffer = ByteBuffer()
    template.render(frame, of: model, into: buffer)
    return String(buffer)
}

extension Model {
    func set(_ frame: Frame<SpecField>, _ field: SpecField, to value: SpecValue) {
        switch value {
        case .text(let text): set(frame, field, text)
        case .flag(let flag): set(frame, field, flag: flag)
        case .list(let elements):
            let frames = makeList(frame, field, of: ItemField.self, count: elements.count)
            for (element, values) in zip(frames, elements) {
                for (field, text) in values { set(element, field, text) }
            }
        }
    }
}
