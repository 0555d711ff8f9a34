import Base
import People
import Publishing

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

    /// Whether people who left would be removed.
    let isPruning: Bool
    private let limit: Int

    /// Compares `old` in `store` with the same directory in `copy`. Lists `limit` of each kind.
    init(from old: StoredDirectory, in store: any Store, to copy: any Store, limit: Int, isPruning: Bool) throws {
        (self.limit, self.isPruning) = (limit, isPruning)
        guard let changed = copy.storedDirectories.first(where: { $0.slug == old.slug }) else { return }
        var before = try PeopleByID(of: old, in: store)
        var after = try PeopleByID(of: changed, in: copy)
        // Both in the order of ids.
        while true {
            switch (before.id, after.id) {
            case (nil, nil): return
            case (let left?, let right?) where left == right:
                try compare(before, after)
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

    private mutating func compare(_ before: PeopleByID, _ after: PeopleByID) throws {
        if before.users.hasSameValues(before.index, as: after.users, after.index) { return }
        let cells = try Self.cells(before, after)
        if cells.isEmpty { return }
        counts.changed += 1
        counts.cells += cells.count
        guard changed.count < limit else { return }
        let person = after.person
        changed.append(Change(name: person.name, handle: person.handle, cells: cells))
    }

    /// Compares the texts of a person in the columns of the directory.
    private static func cells(_ before: PeopleByID, _ after: PeopleByID) throws -> [Cell] {
        let (old, new) = try (before.cells, after.cells)
        let headings = new.headings + old.headings.filter { new.texts[$0] == nil }
        return headings.compactMap { heading in
            let (left, right) = (old.texts[heading] ?? "", new.texts[heading] ?? "")
            if left == right { return nil }
            if before.hidden.isRestricted(heading) || after.hidden.isRestricted(heading) {
                return Cell(column: heading, private: true)
            }
            return Cell(column: heading, old: left, new: right)
        }
    }
}

/// Walks through the people of a directory in the order of their ids, with their private values.
private struct PeopleByID {
    private let reader: any UserReader
    private let columns: ExportColumns?
    /// What readers do not get.
    let hidden: HiddenColumns
    private var query: UserQuery
    private var hasNext = false
    private(set) var users = UserRows()
    private(set) var index = 0

    init(of directory: StoredDirectory, in store: any Store) throws {
        reader = try store.makeReader(for: .publisher)
        columns = ExportColumns(ofSource: directory.shown(to: .publisher), in: store.instance)
        hidden = directory.settings.hidden
        query = UserQuery(directory: directory.id, limit: DirectoryExport.pageLimit)
        try read()
    }

    /// The id of the current person; `nil` after the last one.
    var id: Int64? { users.rows.dropFirst(index).first?.id }

    var person: ImportDifference.Person {
        let row = users.rows[index]
        let name = users[row.name.isEmpty ? row.login : row.name]
        return ImportDifference.Person(name: name, handle: users[row.login])
    }

    mutating func advance() throws {
        index += 1
        guard index == users.rows.count, hasNext else { return }
        query.goOn(after: index - 1, of: users)
        try read()
    }

    private mutating func read() throws {
        let page = try reader.page(query)
        (users, index, hasNext) = (page?.users ?? UserRows(), 0, page?.hasNext ?? false)
    }

    /// The headings and texts of the person's columns, without the handle and the id; for a directory without a source
    /// in Rollcall's own layout, where each further member is a column.
    var cells: (headings: [String], texts: [String: String]) {
        get throws {
            if let columns { return (columns.sourceHeadings, try columns.texts(of: users, index)) }
            let row = users.rows[index]
            let roles: [FieldRole] = [.login, .name, .photo]
            var (headings, texts) = (roles.map(\.column), [String: String]())
            for role in roles { texts[role.column] = row.columns.text(of: role).map { users[$0] } }
            users.text.withBytes { text in
                try? JSON.forEachMember(of: text[row.more]) { key, value in
                    // A member may have the name of a column.
                    guard texts[key.text] == nil else { return }
                    headings.append(key.text)
                    texts[key.text] = value.string?.text ?? String(value.raw)
                }
            }
            return (headings, texts)
        }
    }
}
