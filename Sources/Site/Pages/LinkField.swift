import Template

/// A paragraph of a text: of the directory's introduction, or of a person's biography.
enum ParagraphField: Int, TemplateField {
    /// Texts and links: a list.
    case parts

    static let kinds = FieldKinds<Self>(lists: [.parts: ParagraphPartField.self])
}

/// A part of a text.
enum ParagraphPartField: Int, TemplateField {
    case text
    /// An http or https URL; empty for text without a link.
    case href

    static let kinds = FieldKinds<Self>(urls: [.href])
}

/// A licence or an attribution.
enum TermField: Int, TemplateField {
    /// `Licence:` or `From`.
    case label, text
    /// An http or https URL, or empty.
    case href

    static let kinds = FieldKinds<Self>(urls: [.href])
}

/// A link to embed or to export a directory.
enum LinkField: Int, TemplateField {
    case href, label

    static let kinds = FieldKinds<Self>(urls: [.href])
}
