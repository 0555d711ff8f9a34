import Base

/// The values for one rendering: frames of slots, and the text that they refer to.
///
/// A frame made for a template knows which fields that template shows. The values of all others are never computed:
///
/// ```swift
/// let frame = model.makeFrame(PageField.self, for: template)
/// model.set(frame, .title, longTitle())  // Calls longTitle() only if the template shows the title.
/// ```
///
/// A model is reused from page to page, so that filling it allocates nothing once it has grown to the largest page.
///
/// All of it is inlinable: setting a field then costs a store at an offset known at compile time, instead of a call
/// through the witness table of ``TemplateField``.
public final class Model {
    /// A value takes twelve bytes, and a page of 100 users has 1,200 of them.
    @usableFromInline enum Value: Sendable, BitwiseCopyable {
        /// No value: an empty text, a false flag, or an empty list.
        case absent
        /// No value either, because the template does not show the field.
        case unused
        case text(ByteSlice)
        /// Digits and a sign, which are the same in HTML.
        case decimal(ByteSlice)
        case number(ByteSlice, PluralCategory)
        case flag(Bool)
        /// `count` frames of `stride` slots each, from slot `first` on.
        case list(first: UInt32, count: UInt32, stride: UInt16)
    }

    @usableFromInline let text = ByteBuffer(capacity: 16_384)
    @usableFromInline let slots = GrowingRow<Value>(capacity: 256)

    public init() {}

    /// Removes all frames and keeps the memory. Earlier frames must not be used any more.
    @inlinable public func removeAll() {
        text.removeAll()
        slots.removeAll()
    }

    /// Creates a frame for `template`, in which only the fields that the template shows get values.
    @inlinable public func makeFrame<F: TemplateField>(_ type: F.Type, for template: Template) -> Frame<F> {
        Frame(first: makeSlots(template.unfilled(type)))
    }

    /// Whether the template shows `field`: for values that take several steps to compute.
    @inlinable public func shows<F: TemplateField>(_ frame: Frame<F>, _ field: F) -> Bool {
        if case .unused = self[frame, field] { false } else { true }
    }

    /// Creates the elements of the list `field`, with all their fields absent; none if the template does not show the
    /// list.
    @inlinable public func makeList<F: TemplateField, G: TemplateField>(
        _ frame: Frame<F>, _ field: F, of type: G.Type, count: Int
    ) -> Frames<G> {
        assert(field.kind.isList(of: type), "\(field) is not a list of \(type)")
        let (stride, count) = (G.allCases.count, shows(frame, field) ? count : 0)
        let first = makeSlots(stride * count)
        if count > 0 { self[frame, field] = .list(first: UInt32(first), count: UInt32(count), stride: UInt16(stride)) }
        return Frames(first: first, stride: stride, count: count)
    }

    /// Makes the list `field`, and sets the fields of its elements by `body`: one for each of `values`. They are worked
    /// out only if the template shows the list.
    @inlinable public func setList<F: TemplateField, G: TemplateField, Values: Collection>(
        _ frame: Frame<F>, _ field: F, of type: G.Type, _ values: @autoclosure () -> Values,
        _ body: (Frame<G>, Values.Element) -> Void
    ) {
        guard shows(frame, field) else { return }
        let values = values()
        for (element, value) in zip(makeList(frame, field, of: type, count: values.count), values) {
            body(element, value)
        }
    }

    @inlinable public func set<F: TemplateField>(_ frame: Frame<F>, _ field: F, flag: @autoclosure () -> Bool) {
        assert(field.kind == .flag, "\(field) is not a flag")
        if shows(frame, field) { self[frame, field] = .flag(flag()) }
    }

    @inlinable public func set<F: TemplateField, Text: StringProtocol>(
        _ frame: Frame<F>, _ field: F, _ text: @autoclosure () -> Text
    ) {
        write(frame, field) { $0.append(utf8: text()) }
    }

    /// Sets a text field, or leaves it empty without a text.
    @inlinable public func set<F: TemplateField>(_ frame: Frame<F>, _ field: F, ifAny text: String?) {
        if let text { set(frame, field, text) }
    }

    /// Sets a text field to a number, or leaves it empty without one.
    @inlinable public func set<F: TemplateField, Number: FixedWidthInteger>(
        _ frame: Frame<F>, _ field: F, decimal number: @autoclosure () -> Number?
    ) {
        assert(field.kind.isText, "\(field) is not a text")
        guard shows(frame, field), let number = number() else { return }
        self[frame, field] = .decimal(append { $0.append(decimal: number) })
    }

    /// Sets a text field to the bytes that `body` appends to the buffer.
    @inlinable public func write<F: TemplateField>(_ frame: Frame<F>, _ field: F, _ body: (ByteBuffer) throws -> Void)
        rethrows
    {
        assert(field.kind.isText, "\(field) is not a text")
        guard shows(frame, field) else { return }
        self[frame, field] = .text(try append(body))
    }

    /// Sets a number field to the bytes that `body` appends to the buffer: a number of `category`.
    @inlinable public func write<F: TemplateField>(
        _ frame: Frame<F>, _ field: F, _ category: @autoclosure () -> PluralCategory,
        _ body: (ByteBuffer) throws -> Void
    ) rethrows {
        assert(field.kind == .number, "\(field) is not a number")
        guard shows(frame, field) else { return }
        self[frame, field] = .number(try append(body), category())
    }

    /// Returns the bytes that `body` appends.
    @inlinable func append(_ body: (ByteBuffer) throws -> Void) rethrows -> ByteSlice {
        let start = text.count
        try body(text)
        // Earlier bytes belong to other fields.
        precondition(text.count >= start)
        return ByteSlice(offset: start, count: text.count - start)
    }

    @inlinable subscript<F: TemplateField>(frame: Frame<F>, field: F) -> Value {
        get { slots[slot(frame, field)] }
        set { slots[slot(frame, field)] = newValue }
    }

    /// Fails as an index for a frame made before the model was emptied.
    @inlinable func slot<F: TemplateField>(_ frame: Frame<F>, _ field: F) -> Int { frame.first + field.rawValue }

    /// Adds slots of these values, and returns the first.
    @usableFromInline func makeSlots(_ values: [Value]) -> Int {
        let first = slots.count
        slots.append(values)
        return first
    }

    /// Adds `count` slots without values, and returns the first.
    @usableFromInline func makeSlots(_ count: Int) -> Int {
        let first = slots.count
        slots.append(repeating: .absent, count: count)
        return first
    }
}

/// A reference to the values of one level: one slot for each case of `F`.
public struct Frame<F: TemplateField>: Sendable {
    @usableFromInline let first: Int

    @usableFromInline init(first: Int) { self.first = first }
}

/// A reference to the elements of a list.
public struct Frames<F: TemplateField>: RandomAccessCollection, Sendable {
    @usableFromInline let first: Int
    @usableFromInline let stride: Int
    public let count: Int

    @usableFromInline init(first: Int, stride: Int, count: Int) {
        self.first = first
        self.stride = stride
        self.count = count
    }

    public var startIndex: Int { 0 }
    @inlinable public var endIndex: Int { count }
    @inlinable public subscript(index: Int) -> Frame<F> { Frame(first: first + index * stride) }
}

/// The names that one level of a template may use, as an enumeration.
///
/// Raw values count from 0 without gaps: they are indexes into a ``Frame``.
public protocol TemplateField: CaseIterable, RawRepresentable, Hashable, Sendable where RawValue == Int {
    /// The kinds of the names whose values are not texts.
    static var kinds: FieldKinds<Self> { get }
}

extension TemplateField {
    public static var kinds: FieldKinds<Self> { FieldKinds() }
    @usableFromInline var kind: FieldKind { Self.kinds[self] }
}

/// The kinds of an enumeration of names. Those that are in none of its groups are texts.
public struct FieldKinds<Field: TemplateField>: Sendable {
    private var kinds: [Field: FieldKind] = [:]

    public init(
        flags: [Field] = [], numbers: [Field] = [], urls: [Field] = [], markup: [Field] = [],
        lists: KeyValuePairs<Field, any TemplateField.Type> = [:],
        namedFields: KeyValuePairs<Field, any TemplateField.Type> = [:]
    ) {
        for field in flags { kinds[field] = .flag }
        for field in numbers { kinds[field] = .number }
        for field in urls { kinds[field] = .url }
        for field in markup { kinds[field] = .markup }
        for (field, type) in lists { kinds[field] = .list(Schema(type)) }
        for (field, type) in namedFields { kinds[field] = .namedFields(Schema(type)) }
    }

    subscript(field: Field) -> FieldKind { kinds[field] ?? .text }
}

public enum FieldKind: Equatable, Sendable {
    /// A text, which is escaped where it is inserted. As a section, it is shown if the text is not empty.
    case text
    /// A number as people read it, with its ``PluralCategory``, which chooses among the forms of a message.
    case number
    /// A text that the program made or checked: a path of the site, or an http or https URL. Only a value of this kind
    /// may be at the start of `href`, `src` and the like.
    case url
    /// HTML made by the program, the only kind that `{{{name}}}` accepts. The schema decides this, so that no template
    /// can insert text from outside into a page as markup.
    case markup
    /// A Boolean, for sections only.
    case flag
    /// A list. Its section is rendered once for each element, which has a schema of its own.
    case list(Schema)
    /// Fields that a template names by their keys: `{{#field.KEY}}`. A list with an element for each key that the
    /// template names, in the order of ``Template/namedFields``; the section of one is rendered if the first slot of
    /// its element is not empty.
    case namedFields(Schema)
}

/// The names that one level of a template may use, and the kind of each.
public struct Schema: Equatable, Sendable {
    /// The name and kind of each slot of a frame.
    let fields: [(name: String, kind: FieldKind)]
    /// The enumeration that defines the names.
    let type: ObjectIdentifier

    public init<F: TemplateField>(_ type: F.Type) {
        fields = F.allCases.map { ("\($0)", $0.kind) }
        self.type = ObjectIdentifier(type)
        precondition(
            F.allCases.map(\.rawValue).elementsEqual(0..<fields.count), "\(F.self) must count from 0 without gaps")
    }

    public static func == (left: Schema, right: Schema) -> Bool { left.type == right.type }
}

extension FieldKind {
    @usableFromInline var isText: Bool { [.text, .url, .markup].contains(self) }

    @usableFromInline func isList<G: TemplateField>(of type: G.Type) -> Bool {
        switch self {
        case .list(let schema), .namedFields(let schema): schema.type == ObjectIdentifier(type)
        case .text, .number, .url, .markup, .flag: false
        }
    }
}
