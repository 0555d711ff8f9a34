import Mustache
import People

/// `user.mustache` and `person.mustache`.
enum UserPageField: Int, TemplateField {
    case id, login, displayName, hasName, avatar, largeAvatar, shareImage, initials, hue, shape, reputation, type, marks
    /// The colour behind the person in the picture as a class: `hue-0` to `hue-11`, or `grey`.
    case ground
    /// The label of the reputation; whether the id is shown; and whether there is a login or a badge.
    case reputationLabel, showsID, hasAbout
    /// The fields that the settings choose for rows and that no chip shows: a list.
    case hasRowFacts, rowFacts
    /// Links to the people with the same value of a filter: a list.
    case hasChips, chips
    /// Ways to reach the person: a list.
    case actions
    /// The login, if the account is a person's and the source gave it.
    case profileLogin
    /// The person for address books.
    case contactHref
    /// Other users with the same login: a list.
    case hasNamesakes, namesakes
    /// The person's department or organization, and a few other people of it: a list.
    case team, teammates
    /// The same person in other directories: a list.
    case isElsewhere, elsewhere
    /// The list, from this user on in the directory's order.
    case backHref
    /// The person's text about themselves: whole, and as a list of paragraphs.
    case biography, paragraphs
    /// Prominent numbers, the reputation first, and all other fields: lists of label and values.
    case hasFigures, figures, hasFacts, facts
    /// In a fragment: the person's page, and whether its style sheet draws the initials.
    case href, drawsInitials
    /// In a fragment: whether there are details, the figure among them, and ways to reach the person.
    case hasDetails, hasActions
    /// The neighbours in the list that the reader came from: lists of one or none.
    case previousHref, previous, nextHref, next
    /// The user's position in that list, its total, and its order or selection, for people.
    case position, total, orderLabel, selection
    /// Whether the account is a person's, and not an organisation's or a program's.
    case isPerson
    /// A `<script>` with data about the user (JSON-LD, schema.org).
    case linkedData
    /// Fields that the template names by their keys: `field.track`.
    case field

    var kind: FieldKind {
        switch self {
        case .hasName, .showsID, .hasAbout, .hasRowFacts, .hasFigures, .hasFacts, .hasNamesakes, .isPerson,
            .hasChips, .isElsewhere, .drawsInitials, .hasDetails, .hasActions:
            .flag
        case .namesakes, .teammates, .previous, .next: .list(Schema(FaceField.self))
        case .elsewhere: .list(Schema(ElsewhereField.self))
        case .chips: .list(Schema(LinkField.self))
        case .actions: .list(Schema(ActionField.self))
        case .figures, .facts: .list(Schema(ProfileLineField.self))
        case .rowFacts: .list(Schema(FactField.self))
        case .marks: .list(Schema(BadgeField.self))
        case .paragraphs: .list(Schema(ParagraphField.self))
        case .contactHref, .href, .avatar, .largeAvatar, .shareImage, .backHref, .previousHref, .nextHref:
            .url
        case .position, .total: .number
        case .linkedData: .markup
        case .field: .namedFields(Schema(NamedFieldField.self))
        default: .text
        }
    }
}

/// A way to reach a person.
enum ActionField: Int, TemplateField {
    case href, label
    /// Whether this is the first one.
    case isFirst
    /// Whether the link leaves the site.
    case isExternal

    var kind: FieldKind {
        switch self {
        case .href: .url
        case .label: .text
        case .isFirst, .isExternal: .flag
        }
    }
}

/// A person in another directory.
enum ElsewhereField: Int, TemplateField {
    /// The person's page there, and the directory.
    case href, title, initials, hue
    /// The number of people there, and the person's login, if the source gave it.
    case total, login

    var kind: FieldKind { self == .href ? .url : self == .total ? .number : .text }
}

/// `_face.mustache`, and a link with it: another person.
enum FaceField: Int, TemplateField {
    case href, name
    /// A text that tells the person from another one of the same name; else empty.
    case note
    /// As in ``ArticleField``.
    case avatar, initials, hue
    /// `org` or `bot`; empty for a person.
    case shape

    var kind: FieldKind { self == .href || self == .avatar ? .url : .text }
}

/// A line of a user's page.
enum ProfileLineField: Int, TemplateField {
    case label
    /// The field's key, or the member of the record.
    case key
    /// One or more.
    case values

    var kind: FieldKind { self == .values ? .list(Schema(ProfileValueField.self)) : .text }
}

/// A value in that line.
enum ProfileValueField: Int, TemplateField {
    case value
    /// An http, https, mailto or tel URL, or empty.
    case href
    /// For `<time datetime>`, if the value is a day or a time; else empty.
    case dateTime
    /// The same as texts and links: a list.
    case parts

    var kind: FieldKind {
        switch self {
        case .href: .url
        case .parts: .list(Schema(ParagraphPartField.self))
        case .value, .dateTime: .text
        }
    }
}

/// The fields of people that a template names by their keys: `{{#field.track}}`.
struct NamedFields {
    /// For each key that the template names, the index of a public field; `nil` if the directory has none.
    private let indexes: [Int?]
    private let settings: ShownSettings
    private let pictures: PictureMode
    private let layout: Layout

    /// Returns `nil` for a template that names none, as the built-in ones: then no field is read for it.
    init?(_ template: Template, of directory: Directory, _ layout: Layout) {
        if template.namedFields.isEmpty { return nil }
        let settings = directory.settings
        self.settings = settings
        indexes = template.namedFields.map { named in
            settings.fields.firstIndex { $0.key == named.key }
        }
        pictures = layout.configuration.pictureMode(of: directory)
        self.layout = layout
    }

    /// Sets the fields of a person.
    func set<F: TemplateField>(_ frame: Frame<F>, _ list: F, of person: Profile) {
        let model = layout.model
        let elements = model.makeList(frame, list, of: NamedFieldField.self, count: indexes.count)
        for (element, index) in zip(elements, indexes) {
            guard let index, case let field = settings.fields[index], person.hasOwn(field.role, pictures),
                let value = person.fields.value(of: index)
            else { continue }
            let whole = ProfileValue.all(of: value, field, layout.language)
            guard let first = whole.first, !first.text.isEmpty else { continue }
            model.set(element, .key, field.key)
            model.set(element, .label, settings.label(of: field, layout.language))
            model.set(element, .value, first.text)
            if let href = first.href { model.set(element, .href, href) }
            if let dateTime = first.dateTime { model.set(element, .dateTime, dateTime) }
            let values = if case .list(let parts) = value { parts.map { ProfileValue($0) } } else { whole }
            layout.set(element, .values, values)
        }
    }
}

extension Layout {
    /// Sets the values of a field, each with its link or its day.
    func set<F: TemplateField>(_ frame: Frame<F>, _ list: F, _ values: [ProfileValue]) {
        let frames = model.makeList(frame, list, of: ProfileValueField.self, count: values.count)
        for (frame, value) in zip(frames, values) {
            model.set(frame, .value, value.text)
            if let href = value.href { model.set(frame, .href, href) }
            if let dateTime = value.dateTime { model.set(frame, .dateTime, dateTime) }
            set(frame, .parts, LinkedText.parts(value.text))
        }
    }

    /// Sets the paragraphs of a text.
    func set<F: TemplateField>(_ frame: Frame<F>, _ list: F, _ paragraphs: [[LinkedText.Part]]) {
        let rows = model.makeList(frame, list, of: ParagraphField.self, count: paragraphs.count)
        for (row, parts) in zip(rows, paragraphs) { set(row, .parts, parts) }
    }

    private func set<F: TemplateField>(_ frame: Frame<F>, _ list: F, _ parts: [LinkedText.Part]) {
        let frames = model.makeList(frame, list, of: ParagraphPartField.self, count: parts.count)
        for (frame, part) in zip(frames, parts) {
            model.set(frame, .text, part.text)
            if let href = part.href { model.set(frame, .href, href) }
        }
    }
}
