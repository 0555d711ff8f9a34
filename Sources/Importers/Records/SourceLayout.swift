import People
import Publishing

/// What the records of a source are, as the first of them show it.
enum SourceLayout: Equatable {
    /// Records of a service, whose members are known.
    case service(BuiltInSettings)
    /// Rollcall's own layout, with what a service's records have besides, or made here.
    case ownExport(BuiltInSettings)
    /// Rows below a header that names all columns, whose meaning is learned.
    case table
    /// Objects of the publisher's own. One may lack a member that others have.
    case objects
    /// Objects that each have a text that identifies them, such as the UID of a vCard.
    case cards

    /// Whether the columns are the publisher's own.
    var isToBeLearned: Bool {
        switch self {
        case .service, .ownExport: false
        case .table, .objects, .cards: true
        }
    }
}
