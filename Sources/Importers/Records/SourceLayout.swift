import Publishing

/// The kind of the records of a source, as the first of them show it.
indirect enum SourceLayout: Equatable {
    /// Nothing is known of them.
    case unknown
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
    /// Rows or objects of an export of this directory that its publisher has edited: they change people by their
    /// handles, and only in the columns that they have.
    case edits

    /// Whether the columns are the publisher's own, and their meaning is learned. Else those of the service or of
    /// exports count.
    var isLearned: Bool {
        switch self {
        case .unknown, .service, .ownExport: false
        case .table, .objects, .cards, .edits: true
        }
    }
}
