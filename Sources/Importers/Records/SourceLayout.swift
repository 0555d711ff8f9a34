import People
import Publishing

/// What the first record of a source says that all of its records are.
enum SourceLayout {
    /// Records of a service, whose members are known.
    case service(BuiltInSettings)
    /// Rollcall's own layout, with what a service's records have besides, or made here.
    case ownExport(BuiltInSettings)
    /// Columns of the publisher's own, whose meaning is learned.
    case columns

    var isToBeLearned: Bool { if case .columns = self { true } else { false } }
}
