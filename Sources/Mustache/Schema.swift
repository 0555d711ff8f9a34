/// A name that a template may use: each level of a template has an enumeration of them.
///
/// Raw values count from 0 without gaps: they are places in a ``Frame``.
public protocol Field: CaseIterable, RawRepresentable, Sendable where RawValue == Int {
    var kind: FieldKind { get }
}

public enum FieldKind: Sendable {
    /// Escaped where it is placed; as a section, shown when it is not empty.
    case text
    /// A text that the program made or checked: a path of the site, or an http or https URL. Only these may begin `href`, `src`
    /// and the like.
    case url
    /// HTML made by the program, the only kind that `{{{name}}}` takes: what a name may do is decided here,
    /// so that no template can put a stranger's text into a page as markup.
    case markup
    /// Only for sections.
    case flag
    /// Rendered once for each element, which is described by its own schema.
    case list(Schema)
}

/// The names that one level of a template may use, and what each is.
public struct Schema: Sendable {
    /// Name and kind of each place of a frame.
    let fields: [(name: String, kind: FieldKind)]
    /// Which enumeration the names come from.
    let type: ObjectIdentifier

    public init<F: Field>(_ type: F.Type) {
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
        case .flag, .list: false
        }
    }

    @usableFromInline var isFlag: Bool {
        if case .flag = self { true } else { false }
    }

    @usableFromInline func isList<G: Field>(of type: G.Type) -> Bool {
        if case .list(let schema) = self { schema.type == ObjectIdentifier(type) } else { false }
    }
}
