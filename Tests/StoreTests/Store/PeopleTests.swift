import Base
import Foundation
import People
import Publishing
import TestSupport
import Testing

@testable import StoreEngine
@testable import StoreSQLite

/// People in a table without ids: how a store recognises them, and which addresses they get.
@Suite("People without ids", .onEveryStore)
final class PeopleTests: DirectoryStage {
    struct Person {
        var name: String
        var key: String?
        var more: String?
        var handle = ""
        var login = ""
        var id: Int64 = 0
        /// Whether the login identifies the person.
        var hasLogin = false
        var isHidden = false
        var isNoIndex = false
        /// Whether the person has no value in the key.
        var lacksKey = false
    }

    private func batch(
        _ people: [Person], adoptsByName: Bool = false, adopting handles: [String] = [], hadPeople: Bool = false
    ) -> UserBatch {
        let batch = UserBatch(settings: writer.directory.settings)
        (batch.adoptsByName, batch.directoryHadPeople, batch.adoptedHandles) = (adoptsByName, hadPeople, handles)
        for (index, person) in people.enumerated() {
            let buffer = batch.buffer
            let user = User(id: person.id, login: person.login, name: person.name, more: person.more)
            var entry = UserToWrite(user.columns.map(buffer.keep))
            entry.identity = Array((person.key ?? person.name).utf8).withUnsafeBytes {
                buffer.append(identityOf: person.key == nil || person.lacksKey ? .name : .key, [$0])
            }
            if person.key == nil { entry.apart = buffer.keep(person.more ?? "") }
            if person.id > 0 { entry.identity = .empty }
            if person.hasLogin {
                entry.identity = Array(person.login.utf8).withUnsafeBytes { buffer.append(identityOf: .login, [$0]) }
            }
            entry.handle = buffer.keep(person.handle)
            if person.isHidden { entry.marks.insert(.hidden) }
            if person.isNoIndex { entry.marks.insert(.noIndex) }
            entry.place = Int64(index + 1)
            batch.append(entry)
        }
        return batch
    }

    /// Imports people with a writer of its own, as each import has one.
    @discardableResult private func write(
        _ people: Person..., adoptsByName: Bool = false, adopting handles: [String] = [],
        with own: (any DirectoryWriter)? = nil
    ) throws -> WriteCounts {
        let writer = try own ?? store.openDirectory(slug, title: nil, source: "test")
        let hadPeople = try total > 0
        return try writer.write(batch(people, adoptsByName: adoptsByName, adopting: handles, hadPeople: hadPeople))
    }

    private var total: Int {
        get throws {
            store.refresh()
            return store.directories.first { $0.slug == slug }?.total ?? 0
        }
    }

    private var users: [User] {
        get throws {
            try reader.page(UserQuery(directory: writer.directory.id, limit: 100))?.users.users ?? []
        }
    }

    private func logins() throws -> [String] { try users.map(\.login) }

    private func idsAndLogins() throws -> [String] { try users.map { "\($0.id) \($0.login)" } }

    private func login(ofFormer handle: String) throws -> String? {
        try reader.currentLogin(ofFormer: handle, directory: writer.directory.id)
    }

    private func found(_ text: String, sort: Sort = Sort(.id)) throws -> [Int64] {
        let query = UserQuery(directory: writer.directory.id, search: Search(text), sort: sort, limit: 9)
        return try reader.page(query)?.users.users.map(\.id) ?? []
    }

    private let anna = Person(name: "Anna Müller", key: "anna@example.org", more: #"{"Position":"Leiterin"}"#)
    private let otherAnna = Person(name: "Anna Müller", key: "anna.m@example.org")
    private let married = Person(name: "Anna Bauer", key: "anna@example.org", more: #"{"Position":"Leiterin"}"#)
    private let zoe = Person(name: "Zoe", key: "zoe@example.org")

    @Test func peopleGetTheNextIDsAndReadableHandles() throws {
        #expect(try write(anna, zoe, otherAnna) == WriteCounts(added: 3))
        #expect(try users.map(\.id) == [1, 2, 3])
        #expect(try logins() == ["anna-muller", "zoe", "anna-muller-2"])
        #expect(try users.allSatisfy { $0.generated == [.id, .login] })
        #expect(try write(otherAnna, zoe, anna) == WriteCounts(unchanged: 3))
    }

    @Test func aKeyRecognisesAPersonWhoHasChanged() throws {
        try write(anna, otherAnna)
        var promoted = anna
        promoted.more = #"{"Position":"Direktorin"}"#
        promoted.key = " ANNA@example.org "
        #expect(try write(promoted, otherAnna) == WriteCounts(changed: 1, unchanged: 1))
        #expect(try logins() == ["anna-muller", "anna-muller-2"])
    }

    /// A store writes new rows several at a time.
    @Test(arguments: [1, 31, 32, 33, 70]) func batchesOfAnySizeAreWrittenWhole(_ count: Int) throws {
        let people = (1...count).map { Person(name: "Anna \($0)", more: "{}", login: "anna\($0)", id: Int64($0 * 2)) }
        // The last people of a batch come before all others of the next one, and among them.
        for part in [people.dropFirst(count / 2), people.prefix(count / 2)] where !part.isEmpty {
            #expect(try writer.write(batch(Array(part))) == WriteCounts(added: part.count))
        }
        #expect(try users.map(\.name) == people.map(\.name))
        #expect(try writer.write(batch(people)) == WriteCounts(unchanged: count))
        #expect(try found("anna \(count)").first == Int64(count * 2))
    }

    @Test func everythingThatIsStoredOfAPersonIsFound() throws {
        try write(anna, otherAnna, Person(name: "Hidden", key: "hidden@example.org", isHidden: true))
        try write(married)
        func find(_ selectors: PersonSelector...) throws -> (people: [StoredPerson], reserved: [Slug]) {
            try database.open().people(selectors, in: nil)
        }
        let former = try find(.login("ANNA-muller"))
        let person = try #require(former.people.first)
        #expect(former.people.count == 1 && former.reserved.isEmpty)
        #expect(person.user?.login == "anna-bauer" && person.user?.more == anna.more && person.id == 1)
        #expect(person.formerHandles == ["anna-muller"] && person.identity == .key)
        #expect(!person.flags.contains(.hidden))
        let (added, changed) = try (#require(person.addedAt), #require(person.changedAt))
        #expect(changed >= added && abs(Double(added) - Date().timeIntervalSince1970) < 3600)
        for person: PersonSelector in [.login("anna-bauer"), .id(1), .key(" Anna@Example.org")] {
            #expect(try find(person).people.map(\.id) == [1])
        }
        let hidden = try #require(find(.key("hidden@example.org")).people.first)
        let hiddenLogin = try #require(hidden.user?.login)
        for name in ["hidden", "HIDDEN"] {
            #expect(try database.open().hiddenPeople(named: name, in: nil).map(\.handle) == [hiddenLogin])
        }
        for person in [PersonSelector.login(hiddenLogin), .id(hidden.id)] {
            #expect(try find(person).people.map(\.id) == [hidden.id])
        }
        #expect(hidden.flags.contains(.hidden) && hidden.changedAt == hidden.addedAt)
        #expect(try find(.login("nobody"), .id(77), .key("nobody@example.org")).people.isEmpty)

        _ = try store.forget(.login("anna-bauer"), in: slug)
        for handle in ["anna-bauer", "anna-muller"] {
            let forgotten = try find(.login(handle))
            #expect(forgotten.people.isEmpty && forgotten.reserved == [slug], "\(handle)")
        }
        #expect(try find(.id(1), .key("anna@example.org")).people.isEmpty)
    }

    @Test func anotherNameMakesANewHandleAndTheOldOneLeadsThere() throws {
        try write(anna, otherAnna)
        #expect(try write(married, otherAnna) == WriteCounts(changed: 1, unchanged: 1))
        #expect(try logins() == ["anna-bauer", "anna-muller-2"])
        for handle in ["anna-muller", "Anna-Muller"] { #expect(try login(ofFormer: handle) == "anna-bauer") }
        for handle in ["anna-bauer", "nobody"] { #expect(try login(ofFormer: handle) == nil) }
        // Nobody else gets it, and she gets it back.
        try write(Person(name: "Anna Müller", key: "third@example.org"))
        #expect(try logins() == ["anna-bauer", "anna-muller-2", "anna-muller-3"])
        try write(anna)
        #expect(try logins() == ["anna-muller", "anna-muller-2", "anna-muller-3"])
        #expect(try login(ofFormer: "anna-bauer") == "anna-muller")
    }

    @Test func aHandleIsNoLoginOfAnEarlierTransaction() throws {
        try write(anna)
        try write(Person(name: "Other", login: "kim-lee", id: 9))
        try write(Person(name: "Kim Lee", key: "kim@example.org"))
        #expect(try Set(logins()) == ["anna-muller", "kim-lee", "kim-lee-2"])
    }

    @Test func whatAnotherWriterHasSavedMeanwhileIsKnown() throws {
        let kim = Person(name: "Kim Lee", key: "kim@example.org")
        try write(anna, with: writer)
        let other = try store.openDirectory(slug, title: nil, source: "test")
        #expect(try other.write(batch([kim])) == WriteCounts(added: 1))
        let namesake = Person(name: "Kim Lee", key: "k@example.org")
        #expect(try write(kim, namesake, with: writer) == WriteCounts(added: 1, unchanged: 1))
        #expect(try Set(logins()) == ["anna-muller", "kim-lee", "kim-lee-2"])
    }

    @Test func twoDatabasesShareNoHash() throws {
        let others = try TestedDatabase()
        let other = try others.open()
        try write(anna, zoe)
        _ = try other.openDirectory(slug, title: nil, source: "test").write(batch([anna, zoe]))
        let hashes = try [database, others].map { try $0.blobs("SELECT CAST(hash AS text) FROM identity") }
        #expect(hashes.map(\.count) == [2, 2] && hashes[0].isDisjoint(with: hashes[1]))
    }

    @Test func theKeyItselfIsNotStored() throws {
        try write(anna)
        #expect(try !database.holds("anna@example"))
    }

    @Test func aLoginIdentifiesPeopleWithoutAnID() throws {
        let people = ["Mia", "bo", "Zoe"].map { Person(name: "Same", login: $0, hasLogin: true) }
        #expect(try writer.write(batch(people)) == WriteCounts(added: 3))
        #expect(try users.map(\.id) == [1, 2, 3] && logins() == ["Mia", "bo", "Zoe"])
        #expect(try users.allSatisfy { $0.generated == .id })
        var mia = Person(name: "Mia M", login: "MIA", hasLogin: true)
        #expect(try write(people[2], mia, adoptsByName: true) == WriteCounts(changed: 1, unchanged: 1))
        // Nobody with another login is taken for a namesake.
        #expect(try write(Person(name: "Mia M", login: "mia2", hasLogin: true), adoptsByName: true).added == 1)
        let found = try database.open().people([.login("mia")], in: nil).people
        #expect(found.map(\.identity) == [.source])
        // Now the source knows her id.
        mia.id = 70
        #expect(try write(people[1], mia).added == 1)
        #expect(try users.map(\.id) == [2, 3, 4, 70])
        mia.id = 0
        #expect(try write(mia).added == 0 && users.map(\.id) == [2, 3, 4, 70])
    }

    @Test func peopleWithoutAValueInTheKeyAreKnownByTheirNames() throws {
        let keyless = Person(name: "Anna Müller", more: #"{"Position":"Leiterin"}"#, lacksKey: true)
        try write(anna, zoe)
        // She has lost her address, and gets it back.
        #expect(try write(keyless, zoe).added == 0)
        #expect(try write(zoe, anna).added == 0)
        // A namesake without one is another person, whoever comes first.
        #expect(try write(keyless, anna, zoe).added == 1)
        #expect(try write(anna, keyless) == WriteCounts(unchanged: 2))
        #expect(try logins() == ["anna-muller", "zoe", "anna-muller-2"])
        #expect(try write(Person(name: "Zoe", lacksKey: true)).added == 0)
        #expect(try users.map(\.id) == [1, 2, 3])
    }

    @Test func peopleOfOneNameAreToldApart() throws {
        let sales = Person(name: "Anna", more: #"{"Department":"Sales"}"#)
        let other = Person(name: "Anna", more: #"{"Department":"IT"}"#)
        let moved = Person(name: "Anna", more: #"{"Department":"Finance"}"#)
        #expect(try write(sales, other) == WriteCounts(added: 2))
        #expect(try write(other, sales) == WriteCounts(unchanged: 2))
        // The one who is left is the one who moved.
        #expect(try write(moved, sales) == WriteCounts(changed: 1, unchanged: 1))
        #expect(try logins() == ["anna", "anna-2"] && users[1].more == moved.more)
        #expect(try write(other, moved, sales) == WriteCounts(added: 1, unchanged: 2))
    }

    @Test func aChangedPersonWhoAloneHasTheNameStays() throws {
        try write(Person(name: "Anna"), Person(name: "Bo"))
        #expect(try write(Person(name: "Anna", more: #"{"a":"1"}"#), Person(name: "Bo")).added == 0)
    }

    @Test func anAddressIsSharedByPeopleOfDifferentNames() throws {
        let (anna, bo) = (Person(name: "Anna", key: "info@x.org"), Person(name: "Bo", key: "info@x.org"))
        let cy = Person(name: "Cy", key: "info@x.org")
        #expect(try write(anna, bo) == WriteCounts(added: 2))
        #expect(try write(bo, anna) == WriteCounts(unchanged: 2))
        #expect(try write(cy, bo) == WriteCounts(added: 1, unchanged: 1))
        #expect(try logins() == ["anna", "bo", "cy"])
        #expect(try store.forget(.login("bo"), in: slug).map(\.count) == [1])
        #expect(try write(bo, anna, cy) == WriteCounts(unchanged: 2, skipped: 1))
    }

    @Test func whoAloneHadAnAddressStaysThePersonUnderAnotherName() throws {
        try write(Person(name: "Anna", key: "anna@x.org"), zoe)
        #expect(try write(Person(name: "Ann", key: "anna@x.org"), zoe) == WriteCounts(changed: 1, unchanged: 1))
        let two = [Person(name: "Bo", key: "anna@x.org"), Person(name: "Cy", key: "anna@x.org")]
        #expect(try write(two[0], two[1]) == WriteCounts(added: 2))
    }

    /// Somebody who got another address is new to the directory.
    @Test func aNewNamesakeOfSomebodyWhoIsGoneIsNotedUntilThePublisherDecides() throws {
        let bob = Person(name: "Bob Kim", key: "bob@x.org"), renamed = Person(name: "Bob Kim", key: "bob@y.org")
        try write(bob, zoe)
        func pruned(
            _ people: Person..., adopting handles: [String] = []
        ) throws -> (gone: [(id: Int64, handle: String, newHandle: String)], removed: Int) {
            let writer = try store.openDirectory(slug, title: nil, source: "test")
            try writer.beginPruning()
            _ = try writer.write(batch(people, adopting: handles, hadPeople: true))
            let gone = try writer.goneNamesakes()
            try writer.keep(gone.map(\.id))
            return (gone, try writer.removeUsersNotWritten(.missing))
        }
        for _ in 1...2 {
            let (gone, removed) = try pruned(renamed, zoe)
            #expect(gone.map(\.handle) == ["bob-kim"] && gone.map(\.newHandle) == ["bob-kim-2"] && removed == 0)
        }
        #expect(throws: StoreError.self) { try pruned(renamed, zoe, adopting: ["nobody"]) }
        let (gone, removed) = try pruned(renamed, zoe, adopting: ["bob-kim"])
        #expect(gone.isEmpty && removed == 0)
        #expect(try idsAndLogins() == ["1 bob-kim", "2 zoe"])
        #expect(try login(ofFormer: "bob-kim-2") == "bob-kim")
        #expect(try write(renamed, zoe) == WriteCounts(unchanged: 2))
        // Two of one name who were both here are two: one of them may leave.
        try write(renamed, bob, zoe)
        #expect(try pruned(bob, zoe).removed == 1)
    }

    @Test func theHandleOfAnExportRecognisesAPersonWithAnotherNameAndKey() throws {
        try write(anna, zoe)
        let changed = Person(name: "Anna Bauer", key: "bauer@example.org", handle: "anna-muller")
        #expect(try write(changed) == WriteCounts(changed: 1))
        #expect(try users.map(\.id) == [1, 2] && logins() == ["anna-bauer", "zoe"])
        // The former handle still names her, and the new key has replaced the old one.
        #expect(try write(Person(name: "Anna Bauer", key: "bauer@example.org", handle: "anna-muller")).unchanged == 1)
        #expect(try write(Person(name: "Anna Bauer", key: "bauer@example.org")).unchanged == 1)
        #expect(try write(anna).added == 1)
        #expect(try write(Person(name: "New", key: "new@example.org", handle: "nobody")).added == 1)
    }

    @Test func aFirstKeyedImportAdoptsPeopleByName() throws {
        try write(Person(name: "Anna Müller"), Person(name: "Zoe"), Person(name: "Zoe", more: "{}"))
        #expect(try write(anna, zoe, adoptsByName: true) == WriteCounts(added: 1, changed: 1))
        #expect(try logins() == ["anna-muller", "zoe", "zoe-2", "zoe-3"])
        #expect(try write(anna) == WriteCounts(unchanged: 1))
    }

    @Test func anotherKeyAdoptsPeopleByName() throws {
        try writer.adopt(.own { $0.key = ["Room"] })
        try write(
            Person(name: "Anna Müller", key: "1"), Person(name: "Zoe", key: "2"),
            Person(name: "Hidden", key: "3", isHidden: true))
        let hidden = Person(name: "Hidden", key: "hidden@example.org", isHidden: true)
        try writer.adopt(.own { $0.key = ["E-Mail"] })
        #expect(try write(anna, zoe, hidden, adoptsByName: true).added == 0)
        // A namesake is another person, also when the import runs again.
        #expect(try write(otherAnna, anna, adoptsByName: true).added == 1)
        #expect(try logins() == ["anna-muller", "zoe", "anna-muller-2"])
    }

    @Test func nobodyIsAdoptedByANameThatSeveralRowsHave() throws {
        try write(Person(name: "Anna"), Person(name: "Bo", isHidden: true))
        let bo = Person(name: "Bo", key: "bo@x.org", isHidden: true)
        let annas = [Person(name: "Anna", key: "a@x.org"), Person(name: "Anna", key: "b@x.org")]
        #expect(try write(annas[0], annas[1], bo, adoptsByName: true).added == 2)
        #expect(try logins() == ["anna", "anna-2", "anna-3"])
        #expect(try write(annas[0], annas[1], bo).added == 0)
    }

    @Test func theAddressesOfAMergedPersonLeadToTheOtherOne() throws {
        try write(anna, zoe)
        let merging = UserBatch(settings: writer.directory.settings)
        merging.append(User(id: 50, login: "ann", name: "Ann"))
        merging.merges = [(from: 1, into: 50), (from: 99, into: 50), (from: 2, into: 77), (from: 50, into: 50)]
        _ = try writer.write(merging)
        #expect(try logins() == ["zoe", "ann"])
        #expect(try login(ofFormer: "anna-muller") == "ann")
        // The key no longer finds the other person.
        #expect(try write(anna).added == 1)
    }

    @Test func handlesAvoidLoginsOfTheSource() throws {
        _ = try writer.write([User(id: 70, login: "Zoe", name: "Z")])
        try write(zoe, Person(name: "Bo", login: "Anna-Muller", id: 80), anna)
        #expect(try Set(idsAndLogins()) == ["70 Zoe", "71 zoe-2", "80 Anna-Muller", "72 anna-muller-2"])
    }

    @Test func aRenamedLoginOfTheSourceLeadsToTheNewOne() throws {
        _ = try writer.write([User(id: 1, login: "Old"), User(id: 2, login: "other")])
        _ = try writer.write([User(id: 1, login: "new")])
        #expect(try login(ofFormer: "OLD") == "new")
        _ = try writer.write([User(id: 3, login: "old")])
        #expect(try login(ofFormer: "old") == nil)
    }

    /// A file may have ids in some rows only.
    @Test func anIDThatTheSourceGivesToSomebodyElseIsGivenUp() throws {
        try write(anna, zoe)
        let other = Person(name: "Other", login: "other", id: 1)
        #expect(try write(other) == WriteCounts(added: 1))
        #expect(try Set(idsAndLogins()) == ["1 other", "2 zoe", "3 anna-muller"])
        #expect(try write(anna, zoe, other) == WriteCounts(unchanged: 3))
        let moved = try reader.user(login: "anna-muller", id: nil, directory: writer.directory.id)
        #expect(moved?.users.users.map(\.id) == [3])
        try writer.beginPruning()
        try write(Person(name: "Second", login: "second", id: 2), anna, zoe, with: writer)
        #expect(try writer.removeUsersNotWritten(.missing) == 1)
        #expect(try Set(logins()) == ["second", "anna-muller", "zoe"])
    }

    @Test func whoeverIsMissingStaysSoWhenTheRowIsWrittenAgain() throws {
        func removed(by people: Person...) throws -> Int {
            try writer.beginPruning()
            _ = try writer.write(batch(people, hadPeople: true))
            return try writer.removeUsersNotWritten(.missingTwice)
        }
        let noted = Person(name: "Noted", more: #"{"Note":"Bo","Pay":"72000"}"#, login: "noted", id: 8)
        try write(anna, noted, zoe)
        #expect(try removed(by: zoe) == 0)
        var settings = DirectorySettings.field("Pay", .never)
        settings.inferred.columns = ["Note", "Pay"]
        try writer.adopt(settings)
        #expect(try store.clearMentions(of: ["Bo"], alsoInTexts: true, in: slug).map(\.isCleared) == [true])
        #expect(try users.first { $0.id == 8 }?.more == nil)
        // The source gives away the id of Anna, who moves.
        #expect(try removed(by: zoe, Person(name: "Other", login: "other", id: 1)) == 2)
    }

    @Test func aRolledBackImportLeavesNeitherIdentityNorHandle() throws {
        try writer.begin()
        _ = try writer.append(batch([anna]), checkpoint: nil)
        writer.rollback()
        #expect(try write(otherAnna, anna) == WriteCounts(added: 2))
        #expect(try idsAndLogins() == ["1 anna-muller", "2 anna-muller-2"])
    }

    @Test func generatedHandlesAreSortedAndFoundButNotSearched() throws {
        try write(anna, otherAnna, zoe)
        let id = writer.directory.id
        #expect(try reader.user(login: "anna-muller-2", id: nil, directory: id)?.users.users.map(\.id) == [2])
        for direction in Sort.Direction.allCases {
            let page = try reader.page(UserQuery(directory: id, sort: Sort(.login, direction), limit: 9))
            let logins = ["anna-muller", "anna-muller-2", "zoe"]
            #expect(page?.users.users.map(\.login) == (direction == .ascending ? logins : logins.reversed()))
        }
        #expect(try found("anna-mul").isEmpty && found("müll") == [1, 2])
        #expect(try found("müller", sort: Sort(.login, .descending)) == [2, 1])
    }

    // MARK: - Hidden people

    @Test func hiddenPeopleAreNowhereUntilTheyReturn() throws {
        try write(anna, zoe)
        var hidden = anna
        hidden.isHidden = true
        #expect(try write(hidden, zoe) == WriteCounts(changed: 1, unchanged: 1))
        #expect(try logins() == ["zoe"] && total == 1)
        #expect(try reader.user(login: "anna-muller", id: nil, directory: writer.directory.id) == nil)
        #expect(try found("anna").isEmpty)
        #expect(try write(hidden, zoe) == WriteCounts(unchanged: 2))
        // The handle stays reserved.
        try write(otherAnna)
        #expect(try logins() == ["zoe", "anna-muller-2"])
        #expect(try write(anna) == WriteCounts(changed: 1))
        #expect(try logins() == ["anna-muller", "zoe", "anna-muller-2"] && total == 3)
    }

    @Test func hiddenPeopleArePrunedAndForgotten() throws {
        var hidden = anna
        hidden.isHidden = true
        try write(hidden, zoe)
        try writer.beginPruning()
        try write(zoe, with: writer)
        #expect(try writer.removeUsersNotWritten(.missing) == 1)
        try write(hidden)
        #expect(try store.forget(.key("anna@example.org"), in: slug).map(\.count) == [1])
        #expect(try write(hidden) == WriteCounts(skipped: 1))
    }

    @Test func aUserMayBeLeftOutOfSearchEngines() throws {
        var shy = anna
        shy.isNoIndex = true
        try write(shy, zoe)
        let page = try reader.page(UserQuery(directory: writer.directory.id, limit: 9))
        #expect(page?.users.rows.map(\.isNoIndex) == [true, false])
        #expect(try write(anna, zoe) == WriteCounts(changed: 1, unchanged: 1))
    }

    private let hiddenAnna = Person(name: "Anna Müller", key: "hidden@example.org", isHidden: true)

    private func given(isHidden: Bool) -> Person {
        Person(name: "Given", login: "given", id: 40, isHidden: isHidden)
    }

    /// A hidden Anna gave the other one the address `anna-muller-2`, and the id after hers.
    @Test func hiddenPeopleTakeNeitherIDsNorHandlesOfOthers() throws {
        let given = Person(name: "Given", login: "zoe", id: 40, isHidden: true)
        #expect(try write(hiddenAnna, given, anna, zoe) == WriteCounts(added: 4))
        #expect(try idsAndLogins() == ["1 anna-muller", "2 zoe"])
        #expect(try write(hiddenAnna, given, anna, zoe) == WriteCounts(unchanged: 4))
        #expect(try write(otherAnna).added == 1)
        #expect(try idsAndLogins() == ["1 anna-muller", "2 zoe", "3 anna-muller-2"])
    }

    @Test func whoIsShownGetsTheNextIDAndHandleAndKeepsThem() throws {
        try write(hiddenAnna, anna)
        var shown = hiddenAnna
        shown.isHidden = false
        #expect(try write(shown, anna) == WriteCounts(changed: 1, unchanged: 1))
        #expect(try idsAndLogins() == ["1 anna-muller", "2 anna-muller-2"])
        try write(hiddenAnna, zoe)
        #expect(try idsAndLogins() == ["1 anna-muller", "3 zoe"])
        #expect(try write(shown) == WriteCounts(changed: 1))
        #expect(try idsAndLogins() == ["1 anna-muller", "2 anna-muller-2", "3 zoe"])
    }

    @Test func whoIsShownHasTheIDOfTheSource() throws {
        let (hidden, shown) = (given(isHidden: true), given(isHidden: false))
        #expect(try write(hidden, zoe).added == 2)
        #expect(try write(shown, zoe) == WriteCounts(changed: 1, unchanged: 1))
        #expect(try idsAndLogins() == ["1 zoe", "40 given"])
        #expect(try write(hidden) == WriteCounts(changed: 1))
        #expect(try logins() == ["zoe"])
    }

    /// Of two rows with one id, the last one counts.
    @Test func anIDThatIsGivenTwiceIsHiddenByTheLastRow() throws {
        let (hidden, shown) = (given(isHidden: true), given(isHidden: false))
        try write(shown, hidden)
        #expect(try logins() == [])
    }

    @Test(arguments: [PersonSelector.id(40), .login("given")])
    func whoIsForgottenWhileHiddenStaysAwayWhenShown(_ person: PersonSelector) throws {
        let (hidden, shown) = (given(isHidden: true), given(isHidden: false))
        try write(hidden)
        #expect(try store.forget(person, in: slug).map(\.names) == [["Given"]])
        #expect(try write(hidden).skipped == 1)
        #expect(try write(shown).skipped == 1)
    }

    // MARK: - Addresses

    /// Imports a history: each import has a writer of its own.
    @discardableResult
    private func write(history people: (name: String, addresses: [String])...) throws -> WriteCounts {
        let batch = UserBatch(settings: writer.directory.settings)
        for person in people {
            var user = User(id: 0, login: "", name: person.name)
            user.generated = [.id, .login]
            var entry = UserToWrite(user.columns.map(batch.buffer.keep))
            let identities = person.addresses.map { address in
                let identity = ByteBuffer(capacity: 64)
                _ = address.withBytes { identity.append(identityOf: .address, [$0]) }
                return identity
            }
            entry.identity = batch.buffer.keep(identities[0].bytes)
            let start = batch.buffer.count
            for identity in identities.dropFirst() { batch.buffer.append(counted: identity.bytes) }
            entry.furtherIdentities = ByteSlice(offset: start, count: batch.buffer.count - start)
            batch.append(entry)
        }
        return try store.openDirectory(slug, title: nil, source: "test").write(batch)
    }

    @Test func anyAddressOfAPersonIsEnough() throws {
        #expect(try write(history: ("Jo Li", ["jo@x", "jo@y"]), ("Bo", ["bo@x"])) == WriteCounts(added: 2))
        #expect(try write(history: ("Bo", ["bo@x"]), ("Jo Li", ["jo@z", "jo@y"])) == WriteCounts(unchanged: 2))
        #expect(try write(history: ("Jo Li", ["jo@z"])) == WriteCounts(unchanged: 1))
        #expect(try idsAndLogins() == ["1 jo-li", "2 bo"])
        for address in ["jo@x", "jo@y", "jo@z"] { #expect(try !database.holds(address)) }
    }

    @Test func peopleOfAHistoryAreJoinedAndTakenApart() throws {
        #expect(try write(history: ("Jo Li", ["jo@x"]), ("Jo Li", ["jo@y"])) == WriteCounts(added: 2))
        try write(history: ("Jo Li", ["jo@y", "jo@x"]))
        #expect(try idsAndLogins() == ["1 jo-li"])
        #expect(try login(ofFormer: "jo-li-2") == "jo-li")
        let apart = try write(history: ("Jo Li", ["jo@y"]), ("Jo Li", ["jo@x"]))
        #expect(apart == WriteCounts(added: 1, unchanged: 1))
        #expect(try idsAndLogins() == ["1 jo-li", "2 jo-li-3"])
    }

    @Test func anAddressOfTwoWhoBecomeOneMayBeAnotherPersonsThen() throws {
        try write(history: ("Jo", ["a@x", "b@x"]), ("Cy", ["c@x", "d@x"]))
        let mixed = [("Jo", ["a@x", "c@x"]), ("Bo", ["b@x"]), ("Di", ["d@x"])]
        try write(history: mixed[0], mixed[1], mixed[2])
        #expect(try users.map(\.name) == ["Jo", "Bo", "Di"])
        #expect(try write(history: mixed[0], mixed[1], mixed[2]) == WriteCounts(unchanged: 3))
    }

    @Test func aForgottenPersonOfAHistoryStaysAwayUnderEachAddress() throws {
        try write(history: ("Jo Li", ["jo@x", "jo@y"]), ("Bo", ["bo@x"]))
        #expect(try store.forget(.login("jo-li"), in: slug).map(\.names) == [["Jo Li"]])
        #expect(try write(history: ("Other", ["jo@y"]), ("Other", ["new@x", "jo@x"])).skipped == 2)
        #expect(try write(history: ("Jo Li", ["jo@new"])).skipped == 1)
        #expect(try logins() == ["bo"])
        #expect(try !database.holds("Jo Li"))
    }

    // MARK: - Forgetting

    @Test func relationsToForgottenPeopleAreClearedAndOtherTextsFound() throws {
        var settings = DirectorySettings()
        settings.inferred.columns = ["Manager", "Assistants", "Team", "Note"]
        try writer.adopt(settings)
        let boss =
            #"{"Manager":"MULLER, Anna","Assistants":["Anna Müller","Bo"],"Team":[{"lead":"Anna Müller"}],"Note":"Annabel Mullerson"}"#
        var other = zoe
        other.more = boss
        let hidden = Person(name: "Hid", key: "h", more: #"{"Manager":"Anna Müller"}"#, isHidden: true)
        try write(anna, other, hidden)
        let names = try store.forget(.login("anna-muller"), in: slug).flatMap(\.names)
        #expect(names == ["Anna Müller"])
        #expect(
            try store.clearMentions(of: names + ["Bo"], alsoInTexts: false, in: nil) == [
                Mention("Anna Müller", in: "Manager", of: 2, directory: slug, isCleared: true),
                Mention("Anna Müller", in: "Assistants", of: 1, directory: slug, isCleared: true),
                Mention("Anna Müller", in: "Team", of: 1, directory: slug),
                Mention("Bo", in: "Assistants", of: 1, directory: slug, isCleared: true),
            ])
        let cleared = #"{"Team":[{"lead":"Anna Müller"}],"Note":"Annabel Mullerson"}"#
        #expect(try users.map(\.more) == [cleared])
        // The source still has them. Bo was not forgotten.
        #expect(try write(other, hidden) == WriteCounts(changed: 1, unchanged: 1))
        #expect(try users.map(\.more) == [#"{"Assistants":["Bo"],"# + cleared.dropFirst()])
    }

    @Test func aRelationThatMayBeToSomebodyElseStays() throws {
        var other = zoe
        other.more = #"{"Manager":"Anna Müller"}"#
        try write(anna, otherAnna, other)
        let names = try store.forget(.login("anna-muller"), in: slug).flatMap(\.names)
        let left = [Mention("Anna Müller", in: "Manager", of: 1, directory: slug)]
        #expect(try store.clearMentions(of: names, alsoInTexts: false, in: slug) == left)
        #expect(try store.clearMentions(of: names, alsoInTexts: true, in: slug).map(\.isCleared) == [true])
        #expect(try users.contains { $0.name == "Zoe" && $0.more == nil })
    }

    @Test func forgottenPeopleStayAwayAndTheirHandlesReserved() throws {
        try write(anna, otherAnna)
        try write(married)
        #expect(try store.forget(.key("ANNA@example.org"), in: slug).map(\.count) == [1])
        for count in ["identity", "handle"] {
            #expect(try database.number("SELECT count(*) FROM \(count)") == 1, "\(count)")
        }
        #expect(try write(married, otherAnna) == WriteCounts(unchanged: 1, skipped: 1))
        try write(
            Person(name: "Anna Bauer", key: "other@example.org"), Person(name: "Anna Müller", key: "x@example.org"))
        #expect(try Set(logins()) == ["anna-muller-2", "anna-bauer-2", "anna-muller-3"])
        #expect(try store.isForgotten(.key("anna@example.org"), in: slug))
        #expect(try store.remember(.key("anna@example.org"), in: slug) == .remembered)
        #expect(try write(anna).added == 1)
    }

    @Test func aForgottenPersonStaysAwayWithoutTheKeyAndUnderAnotherOne() throws {
        try write(anna, zoe)
        #expect(try store.forget(.key("anna@example.org"), in: nil).map(\.count) == [1])
        // The cell of the key is empty now.
        #expect(try write(Person(name: "Anna Müller", lacksKey: true), zoe).skipped == 1)
        // Another key: a namesake whom nothing tells from her stays away, too.
        try writer.adopt(.own { $0.key = ["Room"] })
        #expect(try write(Person(name: "Anna Müller", key: "12"), zoe, adoptsByName: true).skipped == 1)
        // In a directory that is made later.
        let club = try store.openDirectory(Slug(literal: "club"), title: nil, source: "test")
        #expect(try club.write(batch([anna, zoe])) == WriteCounts(added: 1, skipped: 1))
        #expect(try store.remember(.key("anna@example.org"), in: nil) == .remembered)
        #expect(try club.write(batch([anna, zoe])) == WriteCounts(added: 1, unchanged: 1))
    }

    @Test func aFormerHandleIsForgottenAlone() throws {
        try write(anna)
        try write(married)
        #expect(try store.forget(formerHandle: "anna-bauer", in: slug).isEmpty, "it is in use")
        #expect(try store.forget(formerHandle: "Anna-Muller", in: slug).map(\.count) == [1])
        #expect(try login(ofFormer: "anna-muller") == nil)
        #expect(try write(married) == WriteCounts(unchanged: 1))
        try write(otherAnna)
        #expect(try logins() == ["anna-bauer", "anna-muller-2"])
        #expect(try !database.holds("anna-muller\0"))
    }

    @Test func aGeneratedHandleIsForgottenInOneDirectoryOnly() throws {
        try write(anna)
        #expect(throws: StoreError.self) { try store.forget(.login("anna-muller"), in: nil) }
        #expect(try logins() == ["anna-muller"])
        #expect(try store.forget(.login("anna-muller"), in: slug).map(\.count) == [1])
    }

    @Test func rowsOfAForgottenPersonAreSkippedEvenIfTheyChange() throws {
        try write(Person(name: "Anna"), Person(name: "Bo"))
        #expect(try store.forget(.login("anna"), in: slug).map(\.count) == [1])
        #expect(
            try write(Person(name: "Anna"), Person(name: "Anna", more: #"{"a":1}"#), Person(name: "Bo")).skipped == 2)
        #expect(try logins() == ["bo"])
    }
}
