import Base

/// The text of a user in which searches look, in loose form (``LooseForm``). Lines, separated by line feeds:
///
/// 1. the login, or nothing if it is generated
/// 2. the name, or nothing
/// 3. a line for each value of a searched field
/// 4. variants: each of these lines begins with ``titleVariant`` or ``fieldVariant``
///
/// Login, name and their variants are titles: a search ranks those higher that equal its words or begin with them.
/// Variants are other spellings (`anna mueller` for Anna Müller), and the initial consonants of Hangul syllables,
/// joined over spaces, as the scalars U+1100 to U+1112. No other line has these scalars.
///
/// No line has control characters, except the one that a variant begins with.
public struct SearchedText {
    /// The first byte of a variant of the login or the name.
    public static let titleVariant: UInt8 = 1
    /// The first byte of a variant of a field's value.
    public static let fieldVariant: UInt8 = 2

    static let germanForm = "\(LooseForm.version);de"

    /// Returns the description of this layout for a directory in `language`. Texts with another form are derived again.
    public static func form(ofLanguage language: String) -> String {
        let primary = language.lowercased().prefix { $0 != "-" && $0 != "_" }
        return primary == "de" ? germanForm : "\(LooseForm.version)"
    }

    public let bytes: UnsafeRawBufferPointer
    /// The folded login, a line feed and the folded name, if either differs from its loose form; else empty.
    public let exact: UnsafeRawBufferPointer

    public init(_ bytes: UnsafeRawBufferPointer, exact: UnsafeRawBufferPointer) {
        self.bytes = bytes
        self.exact = exact
    }

    /// The loose login; empty if it is generated.
    public var login: UnsafeRawBufferPointer { bytes.line(at: 0) }
    /// The loose name; empty without one.
    public var name: UnsafeRawBufferPointer { bytes.line(at: login.count + 1) }
    /// The folded login; empty if it is generated.
    public var foldedLogin: UnsafeRawBufferPointer { exact.isEmpty ? login : exact.line(at: 0) }
    /// The folded name; empty without one.
    public var foldedName: UnsafeRawBufferPointer {
        exact.isEmpty ? name : exact.line(at: exact.line(at: 0).count + 1)
    }

    /// Whether some words match the text, but not as they were typed: see ``SearchMatch/isExact``.
    public var hasVariants: Bool { !exact.isEmpty || firstVariant < bytes.count }

    /// The offset of the first variant; the end of the text if it has none.
    var firstVariant: Int { bytes.offset(ofByteBelow: Self.fieldVariant + 1) ?? bytes.count }
}

extension UnsafeRawBufferPointer {
    /// Returns the line that begins at `start`; empty beyond the end.
    func line(at start: Int) -> UnsafeRawBufferPointer {
        guard start < count else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let end = offset(of: UInt8(ascii: "\n"), from: start) ?? count
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }
}
