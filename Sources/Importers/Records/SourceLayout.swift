import People
import Publishing

/// The kind of a source's records, as the first one shows it.
enum SourceLayout {
    /// Records of a service, whose members are known.
    case service(BuiltInSettings)
    /// Rollcall's own layout, with what a service's records have besides, or made here.
    case ownExport(BuiltInSettings)
    /// Columns of the publisher's own, whose meaning is learned.
    case columns

    var isToBeLearned: Bool { if case .columns = self { true } else { false } }
}
