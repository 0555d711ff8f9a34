import Foundation
import Base
import People
import Publishing
import TestSupport
import Testing

@testable import StoreEngine
@testable import StoreSQLite

/// Orders by collation keys, and their letters.
@Suite("Collation of a directory", .onEveryStore)
final class CollationTests: DirectoryStage {
    private static let names = [
        "Zoe", "Åsa", "Émile", "Emil", "Øyvind", "Olaf", "Łukasz", "Lukas", "Anna 10", "Anna 9", "김민수",
    ]

    private func write(_ names: [String]) throws {
        _ = try writer.write(names.enumerated().map { User(id: Int64($0 + 1), login: "u\($0 + 1)", name: $1) })
    }

    private func page(_ start: UserQuery.Start = .first, limit: Int = 100) throws -> Page {
        let query = UserQuery(directory: writer.directory.id, sort: Sort(.name), start: start, limit: limit)
        return try #require(try reader.page(query))
    }

    private func set(language: String) throws {
        try store.set(.own { $0.language = language }, of: slug)
    }

    @Test func theLanguageDecidesTheOrder() throws {
        try write(Self.names)
        let root = ["Anna 9", "Anna 10", "Åsa", "Emil", "Émile", "Lukas", "Łukasz", "Olaf", "Øyvind", "Zoe", "김민수"]
        #expect(try page().users.users.map(\.name) == root)
        try set(language: "sv")
        #expect(try page().users.users.map(\.name).suffix(4) == ["Zoe", "Åsa", "Øyvind", "김민수"])
        #expect(try page().directory.collation == CollationStamp(language: "sv"))
    }

    // MARK: - Stamps

    private func pretendOtherRules() throws {
        try store.transaction { connection in
            try connection.execute("UPDATE directory SET \"collation\" = 'und-u-kn-true;72.1;153.120'")
            for var directory in try connection.directories() {
                try connection.save(&directory, as: store.nextGeneration(on: connection))
            }
        }
    }

    @Test func anOrderByOtherRulesStaysUntilTheNextImport() throws {
        try write(Self.names)
        let before = try page(limit: 3)
        let cursor = before.users.cursor(of: 2, in: .name)
        let gone = Cursor.key([1, 2, 3], stamp: 7, id: 99)
        try pretendOtherRules()
        let other = try database.open()
        let reader = try other.makeReader()
        #expect(!other.directories[0].hasCurrentOrder)
        let query = UserQuery(directory: 1, sort: Sort(.name), start: .after(cursor), limit: 3)
        #expect(try reader.page(query)?.users.users.map(\.name) == ["Emil", "Émile", "Lukas"], "placed by the id")
        #expect(try reader.letters(query) == nil)
        for start in [UserQuery.Start.after(gone), .letter("A")] {
            let lost = UserQuery(directory: 1, sort: Sort(.name), start: start, limit: 3)
            #expect { try reader.page(lost) } throws: { ($0 as? any StoreFailure)?.isOfRequest == true }
        }
        // An import rebuilds it, even if nobody has changed.
        let generation = other.directories[0].generation
        _ = try other.openDirectory(slug, title: nil, source: "test").write([User(id: 1, login: "u1", name: "Zoe")])
        let after = try #require(try other.makeReader().page(query))
        #expect(after.directory.hasCurrentOrder && after.directory.generation > generation)
        #expect(after.users.users.map(\.name) == ["Emil", "Émile", "Lukas"])
    }

    @Test func reindexingTakesTheRulesOfThisProgram() throws {
        try write(Self.names)
        try pretendOtherRules()
        try store.reindex(slug) { _ in }
        #expect(try page().directory.hasCurrentOrder)
    }

    // MARK: - Letters

    private func letters(_ sort: Sort, _ search: Search? = nil) throws -> [LetterCount]? {
        try reader.letters(UserQuery(directory: 1, search: search, sort: sort, limit: 1))
    }

    private func text(_ letters: [LetterCount]?) -> String {
        (letters ?? []).filter { $0.count > 0 }.map { "\($0.label) \($0.count)@\($0.position)" }.joined(separator: ", ")
    }

    @Test func lettersAreCounted() throws {
        try write(Self.names + ["42"])
        #expect(text(try letters(Sort(.name))) == "# 1@1, A 3@2, E 2@5, L 2@7, O 2@9, Z 1@11, … 1@12")
        #expect(text(try letters(Sort(.name, .descending))) == "… 1@1, Z 1@2, O 2@3, L 2@5, E 2@7, A 3@9, # 1@12")
        #expect(text(try letters(Sort(.name), Search("z"))) == "L 1@1, Z 1@2")
        #expect(try letters(Sort(.name))?.count == 28)
        #expect(try letters(Sort(.login)) == nil)
        #expect(try page(.letter("L"), limit: 2).users.users.map(\.name) == ["Lukas", "Łukasz"])
        #expect(try page(.letter("M"), limit: 1).users.users.map(\.name) == ["Olaf"], "nobody begins with M")
        #expect(try page(.letter("#"), limit: 1).firstPosition == 1)
    }

    /// The counts of many random names equal those of a walk through the order.
    @Test(arguments: [Sort(.name), Sort(.name, .descending)])
    func lettersEqualThoseOfAWalk(_ sort: Sort) throws {
        var random = SplitMix(walk: 3)
        let syllables = ["an", "Mü", "김", "ö", "Zo", "9", "-", "山", "ß", "Яна", "e\u{301}"]
        let names = (0..<3000).map { _ in
            (0..<3).map { _ in syllables.randomElement(using: &random) ?? "" }.joined()
        }
        try write(names)
        let index = try #require(Collation("und").index)
        let keys = CollationKeys(language: "und")
        for search in [nil, Search("zo")] {
            var expected: [String: Int] = [:]
            for name in names where search == nil || name.folded.contains("zo") {
                let key = keys.key(of: name)
                let label = try #require(index.letters.last { !key.lexicographicallyPrecedes($0.start) }).label
                expected[label, default: 0] += 1
            }
            let found = try #require(try letters(sort, search))
            #expect(
                Dictionary(uniqueKeysWithValues: found.filter { $0.count > 0 }.map { ($0.label, $0.count) }) == expected
            )
            var position = 1
            for letter in found {
                #expect(letter.position == position)
                position += letter.count
                guard letter.count > 0 else { continue }
                let query = UserQuery(directory: 1, search: search, sort: sort, start: .letter(letter.label), limit: 1)
                let page = try #require(try reader.page(query))
                #expect(page.firstPosition == letter.position)
                let key = keys.key(of: page.users.users[0].name ?? "")
                #expect(index.letters.last { !key.lexicographicallyPrecedes($0.start) }?.label == letter.label)
            }
        }
    }

    @Test func lettersOfLastNamesCountPeopleWithoutOne() throws {
        let settings = DirectorySettings.own {
            ($0.language, $0.sorts) = ("de", ["surname"])
            $0.fields = [FieldSettings(key: "last_name", from: "Last")]
        }
        try store.set(settings, of: slug)
        let names = ["Müller", "Groß", "Öberg", "Müller", "Mueller", ""]
        let users = names.enumerated().map { index, name in
            User(
                id: Int64(index + 1), login: "u\(index)", name: "A", more: name.isEmpty ? nil : #"{"Last":"\#(name)"}"#)
        }
        let directory = try #require(try database.open().storedDirectories.first)
        _ = try writer.write(DirectoryFieldTests.batch(users, of: directory))
        let order = Sort.Key.field(directory.settings.shown.orders[0])
        #expect(text(try letters(Sort(order))) == "G 1@1, M 3@2, O 1@5, … 1@6")
        #expect(text(try letters(Sort(order, .descending))) == "… 1@6, O 1@1, M 3@2, G 1@5")
    }
}
