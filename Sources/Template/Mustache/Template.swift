import Base

/// A Mustache template that is compiled once and can be rendered any number of times, on any queue.
///
/// It supports variables, sections, inverted sections, comments, partials, delimiters and standalone lines as in the
/// Mustache specification, and one kind of tag besides: `{{@key}}` inserts a message of a ``Catalogue``. Dotted names
/// are those of ``FieldKind/namedFields(_:)`` only. Lambdas, recursive partials and inheritance are left out on
/// purpose, because names are resolved at compile time.
/// Only values that the schema declares as markup can be inserted without escaping.
///
/// ```swift
/// enum HelloField: Int, TemplateField {
///     case name
/// }
///
/// let template = try Template("hello", schema: Schema(HelloField.self)) { _ in Array("Hello {{name}}".utf8) }
/// let frame = model.makeFrame(HelloField.self, for: template)
/// model.set(frame, .name, "Ada & Grace")
/// template.render(frame, of: model, into: buffer)  // Hello Ada &amp; Grace
/// ```
public struct Template: Sendable {
    let program: Program
    /// The levels that the template itself has, outermost first: one, or two if it is part of a document.
    private let levels: [Level]

    /// The fields of a level, and a frame of them without values.
    private struct Level {
        let fields: ObjectIdentifier
        let unfilled: [Model.Value]
    }

    /// Compiles template `name`; `source` returns its bytes, and those of each partial it includes.
    ///
    /// Throws the first error: a name that is not in `schema`, a section that is not closed, a missing partial or
    /// message.
    ///
    /// - Parameter document: the names that the template shares with others: those of the document around it. Its own
    ///   come first.
    public init(
        _ name: String, schema: Schema, within document: Schema? = nil, messages: Catalogue = Catalogue(),
        in source: @escaping (String) -> [UInt8]?
    ) throws(TemplateError) {
        guard let bytes = source(name) else {
            throw TemplateError(
                file: TemplateFile.fileName(name), line: 1, column: 1, message: "there is no such template")
        }
        let schemas = document.map { [$0, schema] } ?? [schema]
        var compiler = Compiler(schemas, messages, in: source)
        try compiler.compile(try TemplateFile(name, bytes))
        var program = compiler.program
        program.literals += [UInt8](repeating: 0, count: ByteBuffer.padding)
        self.program = program
        let shown = program.instructions.compactMap(\.place)
        levels = schemas.enumerated().map { level, schema in
            let unfilled = schema.fields.indices.map { slot in
                shown.contains(Place(level: UInt16(level), slot: UInt16(slot))) ? Model.Value.absent : .unused
            }
            return Level(fields: schema.type, unfilled: unfilled)
        }
    }

    /// The fields that the template names by their keys.
    public var namedFields: [NamedField] { program.namedFields }

    /// Returns a frame without values: its fields are absent, or unused if the template does not show them.
    @usableFromInline func unfilled<F: TemplateField>(_ type: F.Type) -> [Model.Value] {
        guard let level = levels.first(where: { $0.fields == ObjectIdentifier(type) }) else {
            preconditionFailure("this template is not for \(type)")
        }
        return level.unfilled
    }

    /// Appends the page that `frame` describes to `buffer`. Allocates nothing, unless `buffer` has to grow.
    public func render<F: TemplateField>(_ frame: Frame<F>, of model: Model, into buffer: ByteBuffer) {
        precondition(levels.count == 1 && levels[0].fields == ObjectIdentifier(F.self), "not for \(F.self)")
        program.run(from: frame.first, within: nil, of: model, into: buffer)
    }

    /// Appends the page that `frame` and the document around it describe to `buffer`.
    public func render<F: TemplateField, G: TemplateField>(
        _ frame: Frame<F>, within document: Frame<G>, of model: Model, into buffer: ByteBuffer
    ) {
        precondition(
            levels.count == 2 && levels[0].fields == ObjectIdentifier(G.self)
                && levels[1].fields == ObjectIdentifier(F.self), "not for \(F.self) within \(G.self)")
        program.run(from: frame.first, within: document.first, of: model, into: buffer)
    }
}

extension Program {
    /// The current frame of one level.
    private struct Level: BitwiseCopyable {
        var first: Int
        var stride: Int
        /// The remaining elements of the list, including this one.
        var remaining: Int
    }

    fileprivate func run(from first: Int, within document: Int?, of model: Model, into buffer: ByteBuffer) {
        model.text.withPaddedBytes { text in
            model.slots.withSpan { slots in
                withTemporaryRow(repeating: Level(first: first, stride: 0, remaining: 1), count: depth) { levels in
                    if let document { levels[0].first = document }
                    run(slots, text, &levels, from: document == nil ? 0 : 1, into: buffer)
                }
            }
        }
    }

    private func run(
        _ slots: Span<Model.Value>, _ text: Span<UInt8>, _ levels: inout MutableSpan<Level>, from start: Int,
        into buffer: ByteBuffer
    ) {
        let (instructions, literals) = (instructions.span, literals.span)
        /// Fails for a frame of a model that has been emptied since.
        func value(_ place: Place) -> Model.Value { slots[levels[Int(place.level)].first + Int(place.slot)] }
        /// Returns the first slot of an element of a list; `nil` if there is none.
        func element(_ index: Int, of list: Model.Value) -> Int? {
            guard case .list(let first, let count, let stride) = list, index < Int(count) else { return nil }
            return Int(first) + index * Int(stride)
        }
        var level = start
        var next = 0
        while next < instructions.count {
            let instruction = instructions[next]
            next += 1
            switch instruction {
            case .literal(let slice):
                buffer.append(padded: literals, slice)
            case .text(let place, let isEscaped):
                switch value(place) {
                case .text(let slice), .number(let slice, _):
                    if isEscaped {
                        buffer.append(escapingHTML: text, padded: slice)
                    } else {
                        buffer.append(markup: text, slice)
                    }
                case .decimal(let slice): buffer.append(padded: text, slice)
                case .absent, .unused, .flag, .list: break
                }
            case .skip(let place, let isShown, let end):
                if value(place).isShown == isShown { next = Int(end) }
            case .skipUnlessPlural(let place, let categories, let end):
                guard case .number(_, let category) = value(place), categories.contains(category) else {
                    next = Int(end)
                    continue
                }
            case .enter(let place, let stride, let end):
                guard case .list(let first, let count, let elementStride) = value(place), count > 0 else {
                    next = Int(end)
                    continue
                }
                precondition(elementStride == stride, "the list has other fields than the schema")
                level += 1
                levels[level] = Level(first: Int(first), stride: Int(stride), remaining: Int(count))
            case .enterField(let place, let index, let end):
                guard let first = element(Int(index), of: value(place)), slots[first].isShown else {
                    next = Int(end)
                    continue
                }
                level += 1
                levels[level] = Level(first: first, stride: 0, remaining: 1)
            case .skipIfField(let place, let index, let end):
                if let first = element(Int(index), of: value(place)), slots[first].isShown { next = Int(end) }
            case .next(let back):
                levels[level].remaining -= 1
                if levels[level].remaining > 0 {
                    levels[level].first += levels[level].stride
                    next = Int(back)
                } else {
                    level -= 1
                }
            }
        }
    }
}

extension Model.Value {
    /// Whether a section for this value is shown.
    fileprivate var isShown: Bool {
        switch self {
        case .absent, .unused: false
        case .text(let slice), .decimal(let slice), .number(let slice, _): !slice.isEmpty
        case .flag(let isSet): isSet
        case .list(_, let count, _): count > 0
        }
    }
}

/// An error in a template, with its position: `home.mustache:3:7: section "users" is never closed`.
public struct TemplateError: Error, Equatable, CustomStringConvertible {
    /// The file that contains the error: the partial itself if the error is in a partial.
    public let file: String
    /// Counted from 1.
    public let line: Int
    /// Counted from 1, in Unicode scalars, as editors do.
    public let column: Int
    public let message: String

    public var description: String { "\(file):\(line):\(column): \(message)" }
}
