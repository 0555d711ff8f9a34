import Template

/// A paragraph of a text: of the directory's introduction, or of a person's biography.
enum ParagraphField: Int, TemplateField {
    /// Texts and links: a list.
    case parts

    var kind: FieldKind { .list(Schema(ParagraphPartField.self)) }
}

/// A part of a text.
enum ParagraphPartField: Int, TemplateField {
    case text
    /// An http or https URL; empty for text without a link.
    case href

    var kind: FieldKind { self == .href ? .url : .text }
}

/// A licence or an attribution.
enum TermField: Int, TemplateField {
    /// `Licence:` or `From`.
    case label, text
    /// An http or https URL, or empty.
    case href

    var kind: FieldKind { self == .href ? .url : .text }
}

/// A link to embed or to export a directory.
enum LinkField: Int, TemplateField {
    case href, label

    var kind: FieldKind { self == .href ? .url : .text }
}
