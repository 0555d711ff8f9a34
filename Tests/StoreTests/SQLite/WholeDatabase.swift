import People
import TestDatabases
import TestSupport
import Testing

@testable import StoreEngine
@testable import StoreSQLite

/// Checks a whole database through its readers: every user appears exactly once in every order, in search, and in the
/// total.
struct WholeDatabase {
    let users: [User]

    init(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try SQLiteFile(path).texts("PRAGMA integrity_check") == ["ok"], sourceLocation: sourceLocation)
        let store = try SQLiteStore(path: path)
        guard let directory = store.directories.first else {
            users = []
            return
        }
        let reader = try store.makeReader()
        users = try Self.scan(reader, UserQuery(directory: directory.id, limit: 100))
        #expect(users.count == directory.total, sourceLocation: sourceLocation)
        let ids = users.map(\.id)
        #expect(ids == Array(Set(ids)).sorted(), sourceLocation: sourceLocation)
        for sort in StoreSuite.sorts {
            let walked = try Self.scan(reader, UserQuery(directory: directory.id, sort: sort, limit: 100))
            #expect(walked.map(\.id).sorted() == ids, "\(sort)", sourceLocation: sourceLocation)
        }
        for search in [Search("user"), Search("name")] {
            let found = try Self.scan(reader, UserQuery(directory: directory.id, search: search, limit: 100))
            #expect(found.map(\.id) == ids, sourceLocation: sourceLocation)
        }
    }

    private static func scan(_ reader: any UserReader, _ start: UserQuery) throws -> [User] {
        var query = start
        var users: [User] = []
        while let page = try reader.page(query), let last = page.users.users.last {
            #expect(page.firstPosition == users.count + 1)
            users += page.users.users
            guard page.hasNext else { break }
            query.start = .after(last.cursor(query.sort.key))
        }
        return users
    }
}
