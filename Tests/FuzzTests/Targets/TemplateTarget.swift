import Base
import Template

extension FuzzTarget {
    /// Templates: the input is a template, its partial `p`, and a text to insert.
    static let template = FuzzTarget(
        name: "template",
        words: [
            "{{", "}}", "{{{", "}}}", "{{a}}", "{{b}}", "{{&m}}", "{{{m}}}", "{{#a}}", "{{/a}}", "{{^a}}", "{{#list}}",
            "{{/list}}", "{{.}}", "{{#flag}}", "{{/flag}}", "{{>p}}", "  {{>p}}\n", "{{!x}}", "{{=<% %>=}}",
            "<%={{ }}=%>", "{{= | | =}}", "{{$x}}", "{{c}}", "\n", "\r\n", " ", "\u{FEFF}", "<p title=\"", "\">", "é",
        ]
    ) { bytes in
        let parts = bytes.parts(3)
        let sources = ["t": Array(parts[0]), "p": Array(parts[1])]
        do {
            let template = try Template("t", schema: Schema(OuterField.self)) { sources[$0] }
            let output = render(template, parts[2].text)
            if !parts[0].contains(UInt8(ascii: "{")) {
                let text = parts[0].starts(with: [0xEF, 0xBB, 0xBF]) ? Array(parts[0].dropFirst(3)) : Array(parts[0])
                try hold(output == text, "plain text is not rendered unchanged")
            }
            try hold(render(template, parts[2].text) == output, "rendering again gives another result")
        } catch let error as TemplateError {
            let name = error.file == "t.mustache" ? "t" : "p"
            try hold(error.file == "\(name).mustache" && !error.message.isEmpty, "\(error) has no position")
            let lines = (sources[name] ?? []).split(separator: 0x0A, omittingEmptySubsequences: false)
            try hold((1...lines.count).contains(error.line), "\(error): there are \(lines.count) lines")
            try hold((1...(lines[error.line - 1].count + 1)).contains(error.column), "\(error): no such column")
        }
        try checkEscaping(of: parts[2])
    }
}

/// Any text appears as itself in an element and in an attribute, and as nothing else.
private func checkEscaping(of bytes: UnsafeRawBufferPointer) throws {
    let source = Array("<p title=\"{{a}}\">{{a}}</p>{{#list}}<b title=\"{{b}}\">{{a}}</b>{{/list}}".utf8)
    let template = try Template("t", schema: Schema(OuterField.self)) { _ in source }
    let text = bytes.text.inHTML
    let tokens = try HTMLToken.tokens(of: render(template, bytes.text))
    let shown = text.isEmpty ? [] : [HTMLToken.text(text)]
    let item = [HTMLToken.start("b", [("title", text)])] + shown + [.end("b")]
    try hold(tokens == [.start("p", [("title", text)])] + shown + [.end("p")] + item + item, "shown as \(tokens)")
}

private func render(_ template: Template, _ text: String) -> [UInt8] {
    let model = Model()
    let frame = model.makeFrame(OuterField.self, for: template)
    model.set(frame, .a, text)
    model.set(frame, .m, "<i>")
    model.set(frame, .flag, flag: text.isEmpty)
    for item in model.makeList(frame, .list, of: InnerField.self, count: 2) { model.set(item, .b, text) }
    let buffer = ByteBuffer(capacity: 16)
    template.render(frame, of: model, into: buffer)
    return [UInt8](buffer)
}

private enum OuterField: Int, TemplateField {
    case a, m, flag, list

    static let kinds = FieldKinds<Self>(flags: [.flag], markup: [.m], lists: [.list: InnerField.self])
}

private enum InnerField: Int, TemplateField {
    case b, c
}
