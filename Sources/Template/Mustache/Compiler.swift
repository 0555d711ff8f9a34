import Base

/// Compiles templates to instructions. A partial is compiled where its tag is, in the scope of that tag.
struct Compiler {
    private(set) var program = Program()
    private let messages: Catalogue
    /// Returns the bytes of a partial.
    private let source: (String) -> [UInt8]?
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

    /// An instruction whose end is not known yet.
    private typealias Jump = (index: Int, make: (_ end: UInt32) -> Instruction)

    /// What a tag names.
    private typealias Value = (place: Place, kind: FieldKind)

    private struct Section {
        let name: String
        let start: Int
        /// `nil` for an inverted section, which does not change the meaning of `{{.}}`.
        let value: Value?
        /// The instruction that jumps to the section's end.
        let head: Jump
        let htmlContext: HTMLContext
    }

    /// - Parameter schemas: the levels of the template itself, outermost first.
    init(_ schemas: [Schema], _ messages: Catalogue, in source: @escaping (String) -> [UInt8]?) {
        (self.messages, self.source) = (messages, source)
        scope = schemas
        program.depth = schemas.count
    }

    /// Compiles one file, with `indent` before each of its lines.
    mutating func compile(_ file: TemplateFile, indent: [UInt8] = []) throws(TemplateError) {
        let enclosing = sections.count
        files.append(file.name)
        var scanner = TagScanner(file)
        while let tag = try scanner.next() {
            add(tag.literal, of: file, indent: indent)
            if tag.standaloneIndent == nil, file.isLineStart(tag.start) { add(indent) }
            try compile(tag, enclosing: enclosing, indent: indent)
        }
        add(scanner.rest, of: file, indent: indent)
        files.removeLast()
        if sections.count > enclosing, let section = sections.last {
            throw file.error(at: section.start, "section \"\(section.name)\" is never closed")
        }
    }

    private mutating func compile(_ tag: Tag, enclosing: Int, indent: [UInt8]) throws(TemplateError) {
        switch tag.kind {
        case .variable: try addVariable(tag, isEscaped: true)
        case .unescaped: try addVariable(tag, isEscaped: false)
        case .section: try openSection(tag)
        case .inverted: try openInverted(tag)
        case .close: try closeSection(tag, enclosing: enclosing)
        case .partial: try addPartial(tag, indent: indent)
        case .message: try addMessage(tag)
        case .silent: break
        }
    }
}

// MARK: - Variables

extension Compiler {
    private mutating func addVariable(_ tag: Tag, isEscaped: Bool) throws(TemplateError) {
        let (place, kind) = try find(tag)
        if let objection = objection(to: kind, in: tag, isEscaped: isEscaped) {
            throw tag.error("\"\(tag.name)\" is \(objection)")
        }
        htmlContext.appendValue()
        program.instructions.append(.text(place, isEscaped: isEscaped))
    }

    /// Returns why a value of `kind` must not be inserted by `tag`, or `nil` if it may.
    private func objection(to kind: FieldKind, in tag: Tag, isEscaped: Bool) -> String? {
        var asSection: String { "use it as a section, {{#\(tag.name)}}…{{/\(tag.name)}}" }
        return switch kind {
        case .flag: "a flag, which shows nothing itself: \(asSection)"
        case .list: "a list: \(asSection)"
        case .namedFields: "a field: \(asSection)"
        case .text where !isEscaped, .number where !isEscaped, .url where !isEscaped:
            "text, which is always escaped: write {{\(tag.name)}}"
        case .text, .number, .url, .markup: htmlContext.objection(to: kind).map { "not safe here: \($0)" }
        }
    }

    private func find(_ tag: Tag) throws(TemplateError) -> Value {
        if tag.name == "." { return try findImplicit(tag) }
        let key = Self.fieldKey(of: tag)
        let found = scope.find(key == nil ? tag.name : "field")
        let holdsFields = if case .namedFields? = found?.kind { true } else { false }
        guard let found, holdsFields == (key != nil) else {
            let missingKey = "\"field\" needs the key of a field: {{#field.KEY}}…{{/field.KEY}}"
            throw tag.error(holdsFields ? missingKey : scope.explain(unknown: tag.name))
        }
        return found
    }

    /// Returns the key of a tag that names a field: `track` of `field.track`.
    private static func fieldKey(of tag: Tag) -> String? {
        tag.name.hasPrefix("field.") && tag.name != "field." ? String(tag.name.dropFirst("field.".count)) : nil
    }

    /// Returns the position of the field that a tag names among all that the template names.
    private mutating func namedField(_ tag: Tag) -> UInt16 {
        let key = Self.fieldKey(of: tag) ?? ""
        if let index = program.namedFields.firstIndex(where: { $0.key == key }) { return UInt16(index) }
        program.namedFields.append(NamedField(key: key, place: tag.file.place(tag.start)))
        return UInt16(program.namedFields.count - 1)
    }

    /// Resolves `{{.}}`: the text of the innermost section that is not inverted.
    private func findImplicit(_ tag: Tag) throws(TemplateError) -> Value {
        guard let value = sections.last(where: { $0.value != nil })?.value else {
            throw tag.error("\".\" has a meaning only inside the section of a text")
        }
        switch value.kind {
        case .text, .number, .url, .markup: return value
        case .flag, .list, .namedFields: throw tag.error("\".\" is not a text here: name one of its fields")
        }
    }
}

// MARK: - Sections

extension Compiler {
    private mutating func openSection(_ tag: Tag) throws(TemplateError) {
        let value = try find(tag)
        let place = value.place
        switch value.kind {
        case .text, .number, .url, .markup, .flag: open(tag, value) { .skip(place, ifShown: false, to: $0) }
        case .list(let schema):
            // It would be rendered once for each pair of elements; with a few more levels, a page would never end.
            let isOpen = sections.contains { $0.value?.place == place }
            if isOpen { throw tag.error("list \"\(tag.name)\" is inside of itself") }
            open(tag, value) { .enter(place, stride: UInt16(schema.fields.count), past: $0) }
            enter(schema)
        case .namedFields(let schema):
            let index = namedField(tag)
            open(tag, value) { .enterField(place, index: index, past: $0) }
            enter(schema)
        }
    }

    private mutating func enter(_ schema: Schema) {
        scope.append(schema)
        program.depth = max(program.depth, scope.count)
    }

    private mutating func openInverted(_ tag: Tag) throws(TemplateError) {
        let (place, kind) = try find(tag)
        if case .namedFields = kind {
            let index = namedField(tag)
            open(tag, nil) { .skipIfField(place, index: index, to: $0) }
        } else {
            open(tag, nil) { .skip(place, ifShown: true, to: $0) }
        }
    }

    private mutating func open(_ tag: Tag, _ value: Value?, with head: @escaping (UInt32) -> Instruction) {
        sections.append(
            Section(name: tag.name, start: tag.start, value: value, head: jump(head), htmlContext: htmlContext))
    }

    /// Appends an instruction that jumps to a place further on: see ``land(_:)``.
    private mutating func jump(_ make: @escaping (UInt32) -> Instruction) -> Jump {
        program.instructions.append(make(0))
        return (program.instructions.count - 1, make)
    }

    private mutating func land(_ jump: Jump) {
        firstOpenEnded = program.instructions.count
        program.instructions[jump.index] = jump.make(UInt32(firstOpenEnded))
    }

    private mutating func closeSection(_ tag: Tag, enclosing: Int) throws(TemplateError) {
        guard sections.count > enclosing, let section = sections.popLast() else {
            throw tag.error("{{/\(tag.name)}} closes a section that is not open")
        }
        guard section.name == tag.name else {
            let opened = tag.file.position(section.start)
            throw tag.error(
                "{{/\(tag.name)}} comes before the end of section \"\(section.name)\" "
                    + "from \(opened.line):\(opened.column)")
        }
        guard htmlContext.leaveSection(begunIn: section.htmlContext) else {
            throw tag.error(
                "section \"\(tag.name)\" ends inside a tag, value or comment that it did not begin in")
        }
        switch section.value?.kind {
        case .list?, .namedFields?:
            program.instructions.append(.next(back: UInt32(section.head.index + 1)))
            scope.removeLast()
        default: break
        }
        land(section.head)
    }
}

// MARK: - Partials

extension Compiler {
    private mutating func addPartial(_ tag: Tag, indent: [UInt8]) throws(TemplateError) {
        if files.contains(tag.name) {
            let route = (files.drop { $0 != tag.name } + [tag.name]).joined(separator: " → ")
            throw tag.error("partial \"\(tag.name)\" contains itself: \(route)")
        }
        guard let bytes = source(tag.name) else {
            throw tag.error("there is no partial \"\(TemplateFile.fileName(tag.name))\"")
        }
        let partial = try TemplateFile(tag.name, bytes, of: tag)
        let ownIndent = tag.standaloneIndent.map { Array(tag.file.bytes[$0]) }
        try compile(partial, indent: ownIndent.map { indent + $0 } ?? [])
    }
}

// MARK: - Messages

extension Compiler {
    private mutating func addMessage(_ tag: Tag) throws(TemplateError) {
        let isInMessage = files.last?.hasPrefix("@") == true
        guard !isInMessage, let message = messages[tag.name] else {
            let missing = "there is no message \"\(tag.name)\" in \(messages.fileName)"
            throw tag.error(isInMessage ? "a message contains no other message" : missing)
        }
        switch message {
        case .text(let text): try addText(text, of: tag)
        case .forms(let forms):
            guard let place = try numberOfForms(forms, of: tag) else {
                return try addText(forms.asJSON, of: tag)
            }
            let context = htmlContext
            for (categories, text) in forms.choices {
                htmlContext = context
                let head = jump { .skipUnlessPlural(place, categories, to: $0) }
                firstOpenEnded = program.instructions.count
                try addText(text, of: tag)
                land(head)
            }
        }
    }

    private mutating func addText(_ text: [UInt8], of tag: Tag) throws(TemplateError) {
        let context = htmlContext
        let message = try TemplateFile(message: text, in: messages.fileName, of: tag)
        try compile(message)
        guard htmlContext.leaveSection(begunIn: context) else {
            throw message.error(at: 0, "the message ends inside a tag or value that it did not begin in")
        }
    }

    /// Returns the number that chooses among the forms: the only one that they insert; `nil` if they insert nothing,
    /// because a script chooses.
    private func numberOfForms(_ forms: PluralForms, of tag: Tag) throws(TemplateError) -> Place? {
        var insertsNothing = true
        var numbers: [Place] = []
        for text in forms.choices.map(\.text) {
            var scanner = TagScanner(try TemplateFile(message: text, in: messages.fileName, of: tag))
            while let tag = try scanner.next() {
                insertsNothing = false
                guard let (place, kind) = scope.find(tag.name), kind == .number else { continue }
                if !numbers.contains(place) { numbers.append(place) }
            }
        }
        if insertsNothing { return nil }
        guard numbers.count == 1 else {
            throw tag.error(
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
            if file.isLineStart(start) { add(indent) }
            let end = file.bytes[start..<literal.upperBound].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
            add(file.bytes[start..<(end ?? literal.upperBound)])
            start = end ?? literal.upperBound
        }
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
