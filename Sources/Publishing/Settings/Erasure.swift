import People

/// The values that a change of settings erases: those of columns that are not stored any more. Publishers are asked
/// about them first; the store removes them, and publishers are told afterwards.
///
/// Withheld headings that no field reads are not erased: they are stored only if a service publishes them.
public struct Erasure: Sendable {
    /// The roles of the fields that are not stored.
    public let roles: Set<FieldRole>
    /// The columns that these fields read, in lower case.
    private let columns: Set<String>
    /// Whether columns that no field reads are not stored.
    private let hasOthers: Bool
    private let old, new: ResolvedSettings

    /// Makes what a change of settings from `old` to `new` erases, or all that `new` does not let be stored.
    public init(from old: ResolvedSettings = .empty, to new: ResolvedSettings) {
        let never = new.fields.filter { $0.visibility == .never }
        (self.old, self.new) = (old, new)
        roles = Set(never.compactMap(\.role))
        columns = Set(never.flatMap(\.source.columns).map { $0.lowercased() })
        hasOthers = new.others == .never
    }

    /// Whether no record has to change.
    public var isEmpty: Bool {
        let before = Erasure(to: old)
        return columns.isSubset(of: before.columns) && (!hasOthers || before.hasOthers)
    }

    /// Whether values in the column `heading` are erased.
    public func has(column heading: String) -> Bool {
        guard columns.contains(heading.lowercased()) || hasOthers && !new.reads(heading) else { return false }
        return old.visibility(ofColumn: heading) != .never
    }
}
