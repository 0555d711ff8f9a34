import Template

/// `_article.mustache`: one user in a list.
enum ArticleField: Int, TemplateField {
    case id
    /// `aria-posinset`; empty if it is not known.
    case position
    /// `data-cursor`; empty in the order by id.
    case cursor
    /// Whether the reader asked for this person's position, and the page begins before.
    case isAsked
    /// The user's page.
    case href
    case login
    /// The name, or the login without a name.
    case displayName
    /// The same in parts, if some of them match a search: a list.
    case markedName
    /// Whether the user has a name that differs from a login that the source gave.
    case hasName
    /// Whether there is a second line.
    case hasFacts
    /// The login, if it differs from the name, and the fields that the settings choose for rows, or for cards: a list.
    case facts
    /// An http or https URL, or a path on this server; empty without an avatar.
    case avatar
    /// The same picture for screens of double density; empty if it has one size.
    case largeAvatar
    /// One or two letters in place of the avatar.
    case initials
    /// `0` to `11`, always the same for a user: the colour behind the initials.
    case hue
    /// The number for people, with its digits in groups of three; empty without a reputation. And its label.
    case reputation, reputationLabel
    /// `Organization`, `Bot`, …; empty for an ordinary `User`.
    case type
    /// The shape of the picture: `org` or `bot`; empty for a person.
    case shape
    /// Whether the picture may load late, because others come first.
    case isLate
    case marks
    /// Fields that the template names by their keys: `field.track`.
    case field

    static let kinds = FieldKinds<Self>(
        flags: [.isAsked, .hasName, .hasFacts, .isLate], urls: [.href, .avatar, .largeAvatar],
        lists: [.markedName: TextPartField.self, .facts: FactField.self, .marks: BadgeField.self],
        namedFields: [.field: NamedFieldField.self])
}

/// A field in a row of the list.
enum FactField: Int, TemplateField {
    /// The field's key, and its value in one line.
    case key, text
    /// The value in parts, if some of them match a search: a list.
    case marked
    /// Whether no other field comes before it.
    case isFirst

    static let kinds = FieldKinds<Self>(flags: [.isFirst], lists: [.marked: TextPartField.self])
}

/// A part of a text that a search looks in.
enum TextPartField: Int, TemplateField {
    case text
    /// Whether the part matches a word of the search.
    case isMatch

    static let kinds = FieldKinds<Self>(flags: [.isMatch])
}

/// A fact that shows in lists, by the source: a character's status and species, or badges of Stack Exchange.
enum BadgeField: Int, TemplateField {
    /// The colour of a dot, as in SVG; empty for no dot.
    case colour
    case text
    /// The noun for the number in `text`; else empty.
    case label
    /// Whether the line begins with it.
    case isFirst

    static let kinds = FieldKinds<Self>(flags: [.isFirst])
}
