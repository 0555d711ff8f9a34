import Importers
import People
import Publishing
import StoreEngine

extension PublisherStore {
    /// Reads the people of `directory` with their private values, page by page, until `body` returns `false`.
    func forEachPage(of directory: StoredDirectory, _ body: (UserRows) -> Bool) throws {
        let reader = try makeReader(for: .publisher)
        var query = UserQuery(directory: directory.id, limit: DirectoryExport.pageLimit)
        while let page = try reader.page(query), !page.users.rows.isEmpty, body(page.users), page.hasNext {
            query.start = .after(page.users.cursor(of: page.users.rows.count - 1, in: query.sort.key))
        }
    }

    /// Returns how many people of `directory` have a value in each column that `isCounted` accepts.
    func holders(
        in directory: StoredDirectory, where isCounted: @escaping (_ column: String) -> Bool
    ) throws -> [ColumnHolders.Count] {
        var holders = ColumnHolders(directory.settings, isCounted: isCounted)
        try forEachPage(of: directory) { users in
            holders.add(users)
            return true
        }
        return holders.counts
    }

    /// Throws if `directory` cannot have `settings`, or if they erase stored values without `consent`.
    func check(_ settings: DirectorySettings, of directory: StoredDirectory, with consent: ErasureConsent) throws {
        let (old, new) = (directory.settings, ResolvedSettings(settings))
        // The store says the same, but only after somebody has agreed.
        try directory.check(new, after: old)
        let erasure = Erasure(from: old, to: new)
        if directory.total == 0 || erasure.isEmpty { return }
        try consent.check(holders(in: directory, where: erasure.has(column:)))
    }
}

/// The people of the directory that an import fills.
struct DirectoryPeople: StoredPeople {
    let store: any Store
    let directory: StoredDirectory
    let consent: ErasureConsent

    func holders(of columns: [String]) throws -> [ColumnHolders.Count] {
        let names = Set(columns.map { $0.lowercased() })
        return try store.holders(in: directory) { names.contains($0.lowercased()) }
    }

    func agree(to settings: DirectorySettings) throws {
        try store.check(settings, of: directory, with: consent)
    }
}
