import People

/// Gives the columns of a table, or the members of a record, names of their own: the first of several equal names keeps
/// it, and later ones get a number. Names that differ in case alone are equal, because settings take them in any case.
struct DistinctNames {
    private var taken: Set<String> = []
    /// For each name that was given a number, folded: the next number. So numbers are not tried again for each of
    /// thousands of equal names.
    private var nextNumbers: [String: Int] = [:]

    /// Returns the name for the column `number`, from 1 on, which is called `name`.
    mutating func name(_ name: String, number: Int) -> String {
        if name.isEmpty {
            var number = number
            while !take("\(Self.unnamed) \(number)") { number += 1 }
            return "\(Self.unnamed) \(number)"
        }
        return take(name) ? name : "\(name) \(self.number(for: name))"
    }

    /// Takes a name. Returns `false` if it is taken.
    mutating func take(_ name: String) -> Bool { taken.insert(name.folded).inserted }

    /// Takes a name with the first number from 2 on that is free. Returns the number.
    mutating func number(for name: String) -> Int {
        let folded = name.folded
        var number = nextNumbers[folded] ?? 2
        while !taken.insert("\(folded) \(number)").inserted { number += 1 }
        nextNumbers[folded] = number + 1
        return number
    }

    /// A column without a name.
    static let unnamed: StaticString = "Column"
}

/// Gives the members of one record after the other the names of their columns.
struct MemberNames {
    enum Place: Equatable {
        /// A new column. From 2 on, the number follows the key in its name.
        case column(number: Int)
        /// The column of the member with this index, which has exactly the same name.
        case member(Int)
    }

    private var names = DistinctNames()
    /// The indexes of the members that have their names as columns.
    private var indexes: [String: Int] = [:]
    private var count = 0

    init() {}

    /// Notes a record's first members, whose names are distinct.
    init(_ keys: [String]) { for key in keys { _ = place(key) } }

    /// Returns the place of the next member of the record among the columns.
    mutating func place(_ key: String) -> Place {
        if names.take(key) {
            indexes[key] = count
            count += 1
            return .column(number: 1)
        }
        if let index = indexes[key] { return .member(index) }
        count += 1
        return .column(number: names.number(for: key))
    }

    /// Returns the column of the next member of the record; `nil` if the record has had a member of exactly this name.
    mutating func name(_ key: String) -> String? {
        let key = key.isEmpty ? "\(DistinctNames.unnamed)" : key
        switch place(key) {
        case .column(number: 1): return key
        case .column(let number): return "\(key) \(number)"
        case .member: return nil
        }
    }
}
