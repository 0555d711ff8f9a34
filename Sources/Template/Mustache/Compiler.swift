import Base

/// Compiles templates to instructions. A partial is compiled where its tag is, in the scope of that tag.
struct Compiler {
    private(set) var program = Program()
    private let messages: Catalogue
    private var scope: [Schema]
    /// The HTML state at the current position of the output.
    private var htmlContext = HTMLContext()
    /// The open sections, including those of the files that include this one.
    private var sections: [Section] = []
    /// The names of the files being compiled, outermost first.
    private var files: [String] = []
    /// The index of the first instruction whose literal may be extended. Earlier ones must stay, because a jump leads
    /// behind them.
    private var firstOpenEnded = 0

    private struct Section {
        enum Value {
            case text(Place, FieldKind)
            case flag
            case list(Place)
            case namedField
            /// An inverted section: it does not change the meaning of `{{.}}`.
            case none
        }

        let name: String
        let start: Int
        let value: Value
        /// The instruction that jumps to the section's end.
        let head: Int
        let htmlContext: HTMLContext
    }

    /// - Parameter schemas: the levels of the template itself, outermost first.
    init(_ schemas: [Schema], _ messages: Catalogue) {
        self.messages = messages
        scope = schemas
        program.depth = schemas.count
    }

    /// Compiles one file, with `indent` before each of its lines.
    mutating func compile(
        _ file: TemplateFile, indent: [UInt8] = [], in source: (String) -> [UInt8]?
    ) throws(TemplateError) {
        let enclosing = sections.count
        files.append(file.name)
        var scanner = TagScanner(file)
        while let tag = try scanner.next() {
            add(tag.literal, of: file, indent: indent)
            if tag.standaloneIndent == nil, isLineStart(tag.start, of: file) { add(indent) }
            try compile(tag, of: file, enclosing: enclosing, indent: indent, in: source)
        }
        add(scanner.rest, of: file, indent: indent)
        files.removeLast()
        if sections.count > enclosing, let section = sections.last {
            throw file.error(at: section.start, "section \"\(section.name)\" is never closed")
        }
    }

    private mutating func compile(
        _ tag: Tag, of file: TemplateFile, enclosing: Int, indent: [UInt8], in source: (String) -> [UInt8]?
    ) throws(TemplateError) {
        switch tag.kind {
        case .variable: try addVariable(tag, isEscaped: true, of: file)
        case .unescaped: try addVariable(tag, isEscaped: false, of: file)
        case .section: try openSection(tag, of: file)
        case .inverted: try openInverted(tag, of: file)
        case .close: try closeSection(tag, of: file, enclosing: enclosing)
        case .partial: try addPartial(tag, of: file, indent: indent, in: source)
        case .message: try addMessage(tag, of: file, in: source)
        case .silent: break
        }
    }
}

// MARK: - Variables

extension Compiler {
    private mutating func addVariable(_ tag: Tag, isEscaped: Bool, of file: TemplateFile) throws(TemplateError) {
        let (place, kind) = try find(tag, of: file)
        switch kind {
        case .flag: throw misused(tag, "a flag, which shows nothing itself", of: file)
        case .list: throw misused(tag, "a list", of: file)
        case .namedFields: throw misused(tag, "a field", of: file)
        case .text where !isEscaped, .number where !isEscaped, .url where !isEscaped:
            throw file.error(
                at: tag.start, "\"\(tag.name)\" is text, which is always escaped: write {{\(tag.name)}}")
        case .text, .number, .url, .markup:
            if let objection = htmlContext.objection(to: kind) {
                throw file.error(at: tag.start, "\"\(tag.name)\" is not safe here: \(objection)")
            }
            htmlContext.appendValue()
            program.instructions.append(.text(place, isEscaped: isEscaped))
        }
    }

    private func misused(_ tag: Tag, _ what: String, of file: TemplateFile) -> TemplateError {
        file.error(
            at: tag.start,
            "\"\(tag.name)\" is \(what): use it as a section, {{#\(tag.name)}}…{{/\(tag.name)}}")
    }

    private func find(_ tag: Tag, of file: TemplateFile) throws(TemplateError) -> (Place, FieldKind) {
        if tag.name == "." { return try findImplicit(tag, of: file) }
        guard let found = scope.find(Self.fieldKey(of: tag) == nil ? tag.name : "field") else {
            throw file.error(at: tag.start, scope.explain(unknown: tag.name))
        }
        switch found.kind {
        case .namedFields where Self.fieldKey(of: tag) == nil:
            throw file.error(at: tag.start, "\"field\" needs the key of a field: {{#field.KEY}}…{{/field.KEY}}")
        case .namedFields: break
        default:
            if Self.fieldKey(of: tag) != nil {
                throw file.error(at: tag.start, scope.explain(unknown: tag.name))
            }
        }
        return (found.place, found.kind)
    }

    /// Returns the key of a tag that names a field: `track` of `field.track`.
    private static func fieldKey(of tag: Tag) -> String? {
        tag.name.hasPrefix("field.") && tag.name != "field." ? String(tag.name.dropFirst("field.".count)) : nil
    }

    /// Returns the position of the field that a tag names among all that the template names.
    private mutating func namedField(_ tag: Tag, of file: TemplateFile) -> UInt16 {
        let key = Self.fieldKey(of: tag) ?? ""
        if let index = program.namedFields.firstIndex(where: { $0.key == key }) { return UInt16(index) }
        program.namedFields.append(NamedField(key: key, place: file.place(tag.start)))
        return UInt16(program.namedFields.count - 1)
    }

    /// Resolves `{{.}}`: the text of the innermost section that is not inverted.
    private func findImplicit(_ tag: Tag, of file: TemplateFile) throws(TemplateError) -> (Place, FieldKind) {
        for section in sections.reversed() {
            switch section.value {
            case .text(let place, let kind): return (place, kind)
            case .none: continue
            case .flag, .list, .namedField:
                throw file.error(at: tag.start, "\".\" is not a text here: name one of its fields")
            }
        }
        throw file.error(at: tag.start, "\".\" has a meaning only inside the section of a text")
    }
}

// MARK: - Sections

extension Compiler {
    private mutating func openSection(_ tag: Tag, of file: TemplateFile) throws(TemplateError) {
        let (place, kind) = try find(tag, of: file)
        switch kind {
        case .text, .number, .url, .markup: open(tag, .text(place, kind), with: .skipUnless(place, to: 0))
        case .flag: open(tag, .flag, with: .skipUnless(place, to: 0))
        case .list(let schema):
            // It would be rendered once for each pair of elements; with a few more levels, a page would never end.
            let isOpen = sections.contains { if case .list(place) = $0.value { true } else { false } }
            if isOpen { throw file.error(at: tag.start, "list \"\(tag.name)\" is inside of itself") }
            open(tag, .list(place), with: .enter(place, stride: UInt16(schema.fields.count), past: 0))
            enter(schema)
        case .namedFields(let schema):
            open(tag, .namedField, with: .enterField(place, index: namedField(tag, of: file), past: 0))
            enter(schema)
        }
    }

    private mutating func enter(_ schema: Schema) {
        scope.append(schema)
        program.depth = max(program.depth, scope.count)
    }

    private mutating func openInverted(_ tag: Tag, of file: TemplateFile) throws(TemplateError) {
        let (place, kind) = try find(tag, of: file)
        if case .namedFields = kind {
            open(tag, .none, with: .skipIfField(place, index: namedField(tag, of: file), to: 0))
        } else {
            open(tag, .none, with: .skipIf(place, to: 0))
        }
    }

    private mutating func open(_ tag: Tag, _ value: Section.Value, with head: Instruction) {
        sections.append(
            Section(
                name: tag.name, start: tag.start, value: value, head: program.instructions.count,
                htmlContext: htmlContext))
        program.instructions.append(head)
    }

    private mutating func closeSection(_ tag: Tag, of file: TemplateFile, enclosing: Int) throws(TemplateError) {
        guard sections.count > enclosing, let section = sections.popLast() else {
            throw file.error(at: tag.start, "{{/\(tag.name)}} closes a section that is not open")
        }
        guard section.name == tag.name else {
            let opened = file.position(section.start)
            throw file.error(
                at: tag.start,
                "{{/\(tag.name)}} comes before the end of section \"\(section.name)\" "
                    + "from \(opened.line):\(opened.column)")
        }
        guard htmlContext.leaveSection(begunIn: section.htmlContext) else {
            throw file.error(
                at: tag.start, "section \"\(tag.name)\" ends inside a tag, value or comment that it did not begin in")
        }
        switch section.value {
        case .list, .namedField:
            program.instructions.append(.next(back: UInt32(section.head + 1)))
            scope.removeLast()
        case .text, .flag, .none: break
        }
        jumpHere(from: section.head)
    }

    private mutating func jumpHere(from head: Int) {
        let here = UInt32(program.instructions.count)
        firstOpenEnded = program.instructions.count
        switch program.instructions[head] {
        case .skipUnless(let place, _): program.instructions[head] = .skipUnless(place, to: here)
        case .skipIf(let place, _): program.instructions[head] = .skipIf(place, to: here)
        case .skipUnlessPlural(let place, let categories, _):
            program.instructions[head] = .skipUnlessPlural(place, categories, to: here)
        case .enter(let place, let stride, _): program.instructions[head] = .enter(place, stride: stride, past: here)
        case .enterField(let place, let index, _):
            program.instructions[head] = .enterField(place, index: index, past: here)
        case .skipIfField(let place, let index, _):
            program.instructions[head] = .skipIfField(place, index: index, to: here)
        case .literal, .text, .next: preconditionFailure("a section begins with a jump")
        }
    }
}

// MARK: - Partials

extension Compiler {
    private mutating func addPartial(
        _ tag: Tag, of file: TemplateFile, indent: [UInt8], in source: (String) -> [UInt8]?
    ) throws(TemplateError) {
        if files.contains(tag.name) {
            let route = (files.drop { $0 != tag.name } + [tag.name]).joined(separator: " → ")
            throw file.error(at: tag.start, "partial \"\(tag.name)\" contains itself: \(route)")
        }
        guard let bytes = source(tag.name) else {
            throw file.error(at: tag.start, "there is no partial \"\(TemplateFile.fileName(tag.name))\"")
        }
        let partial = try TemplateFile(tag.name, bytes, placedAt: tag.start, of: file)
        let ownIndent = tag.standaloneIndent.map { Array(file.bytes[$0]) }
        try compile(partial, indent: ownIndent.map { indent + $0 } ?? [], in: source)
    }
}

// MARK: - Messages

extension Compiler {
    private mutating func addMessage(
        _ tag: Tag, of file: TemplateFile, in source: (String) -> [UInt8]?
    ) throws(TemplateError) {
        if let outer = files.last, outer.hasPrefix("@") {
            throw file.error(at: tag.start, "a message contains no other message")
        }
        guard let message = messages[tag.name] else {
            throw file.error(at: tag.start, "there is no message \"\(tag.name)\" in \(messages.fileName)")
        }
        switch message {
        case .text(let text): try addText(text, of: tag, of: file, in: source)
        case .forms(let forms):
            guard let place = try numberOfForms(forms, of: tag, of: file) else {
                return try addText(message.formsForScripts, of: tag, of: file, in: source)
            }
            let context = htmlContext
            for (categories, text) in forms.choices {
                htmlContext = context
                let head = program.instructions.count
                program.instructions.append(.skipUnlessPlural(place, categories, to: 0))
                firstOpenEnded = program.instructions.count
                try addText(text, of: tag, of: file, in: source)
                jumpHere(from: head)
            }
        }
    }

    private mutating func addText(
        _ text: [UInt8], of tag: Tag, of file: TemplateFile, in source: (String) -> [UInt8]?
    ) throws(TemplateError) {
        let context = htmlContext
        let message = try TemplateFile(
            message: tag.name, in: messages.fileName, text, placedAt: tag.start, of: file)
        try compile(message, in: source)
        guard htmlContext.leaveSection(begunIn: context) else {
            throw message.error(at: 0, "the message ends inside a tag or value that it did not begin in")
        }
    }

    /// Returns the number that chooses among the forms: the only one that they insert; `nil` if they insert nothing,
    /// because a script chooses.
    private func numberOfForms(_ forms: PluralForms, of tag: Tag, of file: TemplateFile) throws(TemplateError) -> Place?
    {
        var insertsNothing = true
        var numbers: [Place] = []
        for text in forms.choices.map(\.text) {
            var scanner = TagScanner(
                try TemplateFile(message: tag.name, in: messages.fileName, text, placedAt: tag.start, of: file))
            while let tag = try scanner.next() {
                insertsNothing = false
                guard case .number? = scope.find(tag.name)?.kind, let place = scope.find(tag.name)?.place else {
                    continue
                }
                if !numbers.contains(place) { numbers.append(place) }
            }
        }
        if insertsNothing { return nil }
        guard numbers.count == 1 else {
            throw file.error(
                at: tag.start,
                "the forms of message \"\(tag.name)\" insert \(numbers.count) numbers; exactly one chooses the form")
        }
        return numbers[0]
    }
}

// MARK: - Literals

extension Compiler {
    private mutating func add(_ literal: Range<Int>, of file: TemplateFile, indent: [UInt8]) {
        if indent.isEmpty { return add(file.bytes[literal]) }
        var start = literal.lowerBound
        while start < literal.upperBound {
            if isLineStart(start, of: file) { add(indent) }
            let end = file.bytes[start..<literal.upperBound].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
            add(file.bytes[start..<(end ?? literal.upperBound)])
            start = end ?? literal.upperBound
        }
    }

    private func isLineStart(_ offset: Int, of file: TemplateFile) -> Bool {
        offset == file.start || file.bytes[offset - 1] == UInt8(ascii: "\n")
    }

    /// Appends literal text. It extends the literal before it if no jump leads between the two.
    private mutating func add(_ text: some Collection<UInt8>) {
        if text.isEmpty { return }
        htmlContext.append(text)
        var slice = ByteSlice(offset: program.literals.count, count: text.count)
        program.literals.append(contentsOf: text)
        if program.instructions.count > firstOpenEnded, case .literal(let before)? = program.instructions.last {
            slice = ByteSlice(offset: Int(before.offset), count: Int(before.count) + text.count)
            program.instructions.removeLast()
        }
        program.instructions.append(.literal(slice))
    }
}
