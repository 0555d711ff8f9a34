import People

/// The changes that an import would make: the people of a directory compared with those of a copy that has imported.
struct ImportDifference {
    struct Person: Encodable {
        var name: String
        var handle: String
    }

    /// A cell that changes. A private one has no values here.
    struct Cell: Encodable {
        var column: String
        var old: String?
        var new: String?
        var `private`: Bool?
    }

    struct Change: Encodable {
        var name: String
        var handle: String
        var cells: [Cell]
    }

    /// The first ones of each kind, and how many there are.
    private(set) var new: [Person] = []
    private(set) var leaving: [Person] = []
    private(set) var changed: [Change] = []
    private(set) var counts = (new: 0, leaving: 0, changed: 0, cells: 0)

    private let limit: Int

    /// Compares `old` in `store` with the same directory in `copy`. Lists `limit` of each kind.
    init(from old: Directory, in store: any Store, to copy: any Store, limit: Int) throws {
        self.limit = limit
        guard let changed = copy.directories.first(where: { $0.slug == old.slug }) else { return }
        let comparison = ColumnComparison(old, in: store.instance, changed, in: copy.instance)
        var before = try PeopleByID(of: old, in: store)
        var after = try PeopleByID(of: changed, in: copy)
        // Both in the order of ids.
        while true {
            switch (before.id, after.id) {
            case (nil, nil): return
            case (let left?, let right?) where left == right:
                try compare(before, after, comparison)
                try before.advance()
                try after.advance()
            case (let left?, let right) where right.map({ left < $0 }) ?? true:
                counts.leaving += 1
                if leaving.count < limit { leaving.append(before.person) }
                try before.advance()
            default:
                counts.new += 1
                if new.count < limit { new.append(after.person) }
                try after.advance()
            }
        }
    }

    private mutating func compare(_ before: PeopleByID, _ after: PeopleByID, _ comparison: ColumnComparison) throws {
        if before.hasSameBytes(as: after) { return }
        let cells = comparison.cells(before, after)
        if cells.isEmpty { return }
        counts.changed += 1
        counts.cells += cells.count
        guard changed.count < limit else { return }
        let person = after.person
        changed.append(Change(name: person.name, handle: person.handle, cells: cells))
    }
}

/// Compares the texts of people in the columns of a directory before and after a change.
private struct ColumnComparison {
    private let old: SourceColumns?
    private let new: SourceColumns?
    private let headings: [String]
    private let hidden: Set<String>
    private let oldPrivate: PrivateValues
    private let newPrivate: PrivateValues

    init(_ old: Directory, in oldInstance: String, _ new: Directory, in newInstance: String) {
        self.old = SourceColumns(of: old, in: oldInstance, withPrivate: true)
        self.new = SourceColumns(of: new, in: newInstance, withPrivate: true)
        (oldPrivate, newPrivate) = (PrivateValues(in: old.settings), PrivateValues(in: new.settings))
        let later = self.new?.sourceHeadings ?? Self.ownHeadings
        let known = Set(later)
        headings = later + (self.old?.sourceHeadings ?? Self.ownHeadings).filter { !known.contains($0) }
        // A file may have a public column of the same name.
        let own = self.old == nil || self.new == nil ? [ExportLayout.privateHeading] : []
        hidden = Set(
            headings.filter { heading in
                [old, new].contains { $0.settings.visibility(ofColumn: heading) == .private }
            } + own)
    }

    /// Without the id.
    private static let ownHeadings: [String] = ExportLayout.ownHeadings.dropFirst() + [ExportLayout.privateHeading]

    func cells(_ before: PeopleByID, _ after: PeopleByID) -> [ImportDifference.Cell] {
        let (old, new) = (texts(before, old, oldPrivate), texts(after, new, newPrivate))
        return headings.compactMap { heading in
            let (left, right) = (old[heading] ?? "", new[heading] ?? "")
            if left == right { return nil }
            if hidden.contains(heading) { return ImportDifference.Cell(column: heading, private: true) }
            return ImportDifference.Cell(column: heading, old: left, new: right)
        }
    }

    private func texts(
        _ people: PeopleByID, _ columns: SourceColumns?, _ values: PrivateValues
    ) -> [String: String] {
        if let columns { return columns.texts(of: people.users, people.index) }
        let row = people.users.rows[people.index]
        let shown = values.shown(row)
        let texts = shown.columns.texts.map { people.users[$0] }
        let objects = people.users.text.withUnsafeBytes { values.objects(of: row, $0).map { String($0) } }
        let others = [shown.reputation.map { "\($0)" } ?? ""] + objects
        return Dictionary(uniqueKeysWithValues: zip(Self.ownHeadings, texts + others))
    }
}

/// Walks through the people of a directory in the order of their ids, with their private values.
private struct PeopleByID {
    private let reader: any UserReader
    private var query: UserQuery
    private var hasNext = false
    private(set) var users = UserRows()
    private(set) var index = 0

    init(of directory: Directory, in store: any Store) throws {
        reader = try store.makePrivateReader()
        query = UserQuery(directory: directory.id, limit: DirectoryExport.pageLimit)
        try read()
    }

    /// The id of the current person; `nil` after the last one.
    var id: Int64? { users.rows.indices.contains(index) ? users.rows[index].id : nil }

    var person: ImportDifference.Person {
        let row = users.rows[index]
        let name = users[row.name.isEmpty ? row.login : row.name]
        return ImportDifference.Person(name: name, handle: users[row.login])
    }

    mutating func advance() throws {
        index += 1
        guard index == users.rows.count, hasNext else { return }
        query.start = .after(users.cursor(of: index - 1, in: query.sort.key))
        try read()
    }

    private mutating func read() throws {
        let page = try reader.page(query)
        (users, index, hasNext) = (page?.users ?? UserRows(), 0, page?.hasNext ?? false)
    }

    func hasSameBytes(as other: PeopleByID) -> Bool {
        users.text.withUnsafeBytes { text in
            other.users.text.withUnsafeBytes { otherText in
                let another = other.users.rows[other.index].columns.bytes(in: otherText)
                return users.rows[index].columns.bytes(in: text).hasSameValues(as: another)
            }
        }
    }
}
