/// The names that one level of a template may use, as an enumeration.
///
/// Raw values count from 0 without gaps: they are indexes into a ``Frame``.
public protocol TemplateField: CaseIterable, RawRepresentable, Sendable where RawValue == Int {
    var kind: FieldKind { get }
}

public enum FieldKind: Sendable {
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
public struct Schema: Sendable {
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
}

extension FieldKind {
    @usableFromInline var isText: Bool {
        switch self {
        case .text, .url, .markup: true
        case .number, .flag, .list, .namedFields: false
        }
    }

    @usableFromInline var isNumber: Bool {
        if case .number = self { true } else { false }
    }

    @usableFromInline var isFlag: Bool {
        if case .flag = self { true } else { false }
    }

    @usableFromInline func isList<G: TemplateField>(of type: G.Type) -> Bool {
        switch self {
        case .list(let schema), .namedFields(let schema): schema.type == ObjectIdentifier(type)
        case .text, .number, .url, .markup, .flag: false
        }
    }
}
