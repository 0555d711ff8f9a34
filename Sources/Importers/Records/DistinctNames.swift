import Directories

/// Gives the columns of a table, or the members of a record, names of their own: the first of several equal names keeps
/// it, and later ones get a number. Names that differ in case alone are equal, because settings take them in any case.
struct DistinctNames {
    private var taken: Set<String> = []

    /// Returns the name for the column `number`, from 1 on, which is called `name`.
    mutating func name(_ name: String, number: Int) -> String {
        if !name.isEmpty, taken.insert(name.folded).inserted { return name }
        let base = name.isEmpty ? "\(Self.unnamed)" : name
        var number = name.isEmpty ? number : 2
        while !taken.insert("\(base) \(number)".folded).inserted { number += 1 }
        return "\(base) \(number)"
    }

    /// A column without a name.
    static let unnamed: StaticString = "Column"
}

/// Gives the members of one record after the other the names of their columns, as ``ImportRecord`` does.
struct MemberNames {
    private var names: Set<String> = []
    private var taken: Set<String> = []

    mutating func startRecord() {
        names.removeAll(keepingCapacity: true)
        taken.removeAll(keepingCapacity: true)
    }

    /// Returns the column of a member; `nil` if the record has had a member of exactly this name.
    mutating func name(_ key: String) -> String? {
        let key = key.isEmpty ? "\(DistinctNames.unnamed)" : key
        if taken.insert(key.folded).inserted {
            names.insert(key)
            return key
        }
        if names.contains(key) { return nil }
        var number = 2
        while !taken.insert("\(key) \(number)".folded).inserted { number += 1 }
        return "\(key) \(number)"
    }
}
