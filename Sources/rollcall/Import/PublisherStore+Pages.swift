import People
import Publishing

extension PublisherStore {
    /// Reads the people of `directory` with their private values, page by page, until `body` returns `false`.
    func forEachPage(of directory: StoredDirectory, _ body: (UserRows) -> Bool) throws {
        let reader = try makeReader(for: .publisher)
        var query = UserQuery(directory: directory.id, limit: DirectoryExport.pageLimit)
        while let page = try reader.page(query), !page.users.rows.isEmpty, body(page.users), page.hasNext {
            query.goOn(after: page.users.rows.count - 1, of: page.users)
        }
    }

    /// Returns how many people of `directory`, hidden or not, have a value in each column that `isCounted` accepts.
    func holders(
        in directory: StoredDirectory, where isCounted: @escaping (_ column: String) -> Bool
    ) throws -> [(column: String, people: Int)] {
        var holders = ColumnHolders(directory.settings, isCounted: isCounted)
        try forEachPage(of: directory) { users in
            holders.add(users)
            return true
        }
        holders.add(try hiddenPeople(of: directory.id))
        return holders.counts
    }
}
