import Template

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

    static let kinds = FieldKinds<Self>(
        flags: [
            .hasName, .showsID, .hasAbout, .hasRowFacts, .hasChips, .hasNamesakes, .isElsewhere, .hasFigures, .hasFacts,
            .drawsInitials, .hasDetails, .hasActions, .isPerson,
        ],
        numbers: [.position, .total],
        urls: [.avatar, .largeAvatar, .shareImage, .contactHref, .backHref, .href, .previousHref, .nextHref],
        markup: [.linkedData],
        lists: [
            .marks: BadgeField.self, .rowFacts: FactField.self, .chips: LinkField.self, .actions: ActionField.self,
            .namesakes: FaceField.self, .teammates: FaceField.self, .elsewhere: ElsewhereField.self,
            .paragraphs: ParagraphField.self, .figures: ProfileLineField.self, .facts: ProfileLineField.self,
            .previous: FaceField.self, .next: FaceField.self,
        ],
        namedFields: [.field: NamedFieldField.self])
}

/// A way to reach a person.
enum ActionField: Int, TemplateField {
    case href, label
    /// Whether this is the first one.
    case isFirst
    /// Whether the link leaves the site.
    case isExternal

    static let kinds = FieldKinds<Self>(flags: [.isFirst, .isExternal], urls: [.href])
}

/// A person in another directory.
enum ElsewhereField: Int, TemplateField {
    /// The person's page there, and the directory.
    case href, title, initials, hue
    /// The number of people there, and the person's login, if the source gave it.
    case total, login

    static let kinds = FieldKinds<Self>(numbers: [.total], urls: [.href])
}
