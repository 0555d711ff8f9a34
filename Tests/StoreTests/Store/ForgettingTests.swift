import Foundation
import People
import Publishing
import TestSupport
import Testing

@testable import StoreEngine
@testable import StoreSQLite

@Suite("Forgetting", .onEveryStore)
final class ForgettingTests: StoreStage {
    let team = StoreSuite.slug
    let others = Slug(literal: "others")

    private func write(_ users: [User], to slug: Slug) throws -> WriteCounts {
        try store.openDirectory(slug, title: nil, source: "test").write(users)
    }

    private func logins(_ slug: Slug) throws -> [String] {
        let directory = try #require(store.directories.first { $0.slug == slug })
        let page = try store.makeReader().page(UserQuery(directory: directory.id, limit: 100))
        return try #require(page).users.users.map(\.login)
    }

    @Test func forgottenUsersLeaveNoTraceInOrdersAndSearches() throws {
        var random = SplitMix(walk: 31)
        var model = Model()
        model.write((1...400).map { random.user(id: $0 * 3) })
        _ = try write(Array(model.users.values), to: team)
        let directory = try #require(store.directories.first).id
        let readers = try StoreSuite.readers(store)
        for round in 0..<RandomWalk.rounds(4) {
            let gone = try #require(model.users.values.sorted { $0.id < $1.id }.randomElement(using: &random))
            let isByID = round % 2 == 0
            let all = isByID ? [gone] : model.users.values.filter { $0.loginKey == gone.loginKey }
            let forgotten = try store.forget(isByID ? .id(gone.id) : .login(gone.login), in: isByID ? team : nil)
            let names = forgotten.first?.names ?? []
            #expect(Set(names) == Set(all.compactMap(\.name)))
            #expect(forgotten == [Forgetting(directory: team, count: all.count, names: names)])
            // Forgetting by id keeps other users with the same login.
            for user in all { model.users[user.id] = nil }
            for (sort, reader) in readers {
                for search in [nil, Search("ka"), Search("민"), Search("r")] {
                    try StoreSuite.check(reader, model, directory, sort, &random, search: search)
                }
            }
        }
    }

    @Test func importsSkipForgottenUsers() throws {
        let users = ["ada", "bo", "Ada", "cy"].enumerated().map { User(id: Int64($0 + 1), login: $1) }
        _ = try write(users, to: team)
        _ = try write(users, to: others)
        #expect(
            try store.forget(.login("ADA"), in: nil)
                == [Forgetting(directory: team, count: 2), Forgetting(directory: others, count: 2)])
        #expect(try store.forget(.id(2), in: team) == [Forgetting(directory: team, count: 1)])
        #expect(try write(users, to: team) == WriteCounts(unchanged: 1, skipped: 3))
        #expect(try write(users, to: others) == WriteCounts(unchanged: 2, skipped: 2))
        // Under another id, under another name, and in a new directory.
        #expect(try write([User(id: 9, login: "aDA"), User(id: 2, login: "bob")], to: team).skipped == 2)
        // Forgetting a user by id does not affect other users with the same login.
        #expect(try write([User(id: 10, login: "bo")], to: team) == WriteCounts(added: 1))
        #expect(try write(users, to: Slug(literal: "new")) == WriteCounts(added: 2, skipped: 2))
        #expect(try logins(team) == ["cy", "bo"])
        #expect(try logins(others) == ["bo", "cy"])
    }

    @Test func forgettingNobodyIsNotRecorded() throws {
        _ = try write([User(id: 1, login: "ada")], to: team)
        #expect(try store.forget(.login("bo"), in: nil) == [])
        #expect(try store.forget(.id(2), in: team) == [])
        #expect(try write([User(id: 2, login: "bo")], to: team) == WriteCounts(added: 1))
        #expect(throws: StoreError.self) { try store.forget(.login("ada"), in: others) }
    }

    @Test func anUndoneForgettingAllowsImports() throws {
        let users = ["ada", "bo"].enumerated().map { User(id: Int64($0 + 1), login: $1) }
        _ = try write(users, to: team)
        _ = try store.forget(.login("ada"), in: nil)
        _ = try store.forget(.id(2), in: team)
        #expect(try store.remember(.login("ada"), in: team) == .forgottenByLogin)
        #expect(try store.remember(.login("bo"), in: nil) == .unknown)
        #expect(try store.remember(.login("Ada"), in: nil) == .remembered)
        #expect(try store.remember(.id(2), in: team) == .remembered)
        #expect(try store.remember(.id(2), in: team) == .unknown)
        #expect(try write(users, to: team) == WriteCounts(added: 2))
    }

    @Test func forgettingByLoginIsNotUndoneByID() throws {
        let ada = [User(id: 1, login: "ada")]
        for slug in [team, others] { _ = try write(ada, to: slug) }
        _ = try store.forget(.login("ada"), in: nil)
        #expect(try store.remember(.id(1), in: team) == .forgottenByLogin)
        #expect(try store.remember(.login("ada"), in: others) == .forgottenByLogin)
        #expect(try write(ada, to: team).skipped == 1)
        #expect(try store.remember(.login("ada"), in: nil) == .remembered)
        #expect(try write(ada, to: team).added == 1)
    }

    @Test(arguments: [0, -1, .min, .max]) func invalidIDsCannotBeForgotten(_ id: Int64) throws {
        _ = try write([User(id: 1, login: "ada")], to: team)
        #expect(try store.forget(.id(id), in: team) == [])
    }

    /// Everything written about a user, in every table that holds some of it, and in the write-ahead log.
    @Test func nothingOfForgottenUsersStaysInTheFile() throws {
        var random = SplitMix(walk: 8)
        // Enough users that some are first in a block, and that rows of the search index fill up.
        var users = (1...1500).map { id in
            let name = (0..<10).map { _ in String(UnicodeScalar(UInt8.random(in: 97...122, using: &random))) }.joined()
            return User(id: Int64(id), login: name, name: "\(name.reversed().map { String($0) }.joined()) x")
        }
        users.shuffle(using: &random)
        _ = try write(users, to: team)
        // A server writes its tables again for each of them.
        let gone = (0..<1500).filter { $0 % (database.path == nil ? 50 : 5) == 0 }.map { users[$0] }
        for user in gone { _ = try store.forget(.login(user.login), in: nil) }
        let bytes = try database.bytes()
        let kept = users.filter { !gone.contains($0) }
        let found = { (user: User) in bytes.range(of: Data(user.login.utf8)) != nil }
        #expect(kept.allSatisfy(found), "before that, the file contains the search terms as written")
        #expect(gone.filter(found).isEmpty)
        #expect(gone.filter { bytes.range(of: Data(($0.name ?? "").utf8)) != nil }.isEmpty)
    }
}
