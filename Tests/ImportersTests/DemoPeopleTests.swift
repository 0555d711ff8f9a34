import Base
import People
import Testing

@testable import Importers

@Suite("Demo users")
struct DemoPeopleTests {
    let people = Array(DemoPeople.users(count: 10_000))

    @Test func usersAreTheSameEveryTimeAndInEverySize() {
        #expect(Array(DemoPeople.users(count: 10_000)) == people)
        #expect(Array(DemoPeople.users(count: 100)) == Array(people.prefix(100)))
        #expect(people[0].login == people[0].login)
    }

    @Test func idsAscendWithGapsAndLoginsAreUnique() {
        #expect(zip(people, people.dropFirst()).allSatisfy { $0.id < $1.id })
        #expect(people[0].id > 0)
        #expect((people.last?.id ?? 0) > 50_000)
        #expect(Set(people.map(\.login.folded)).count == people.count)
    }

    private static func type(_ user: User) -> Substring? { user.more?.firstMatch(of: /"type":"([^"]*)/)?.1 }

    private static func reputation(_ user: User) -> Int? {
        (user.more?.firstMatch(of: /"reputation":([0-9]+)/)?.1).flatMap { Int($0) }
    }

    @Test func usersAreOfManyKinds() {
        #expect(Set(people.map(Self.type)) == ["User", "Organization", "Bot"])
        let pages = people.map { $0.more?.firstMatch(of: /"website":"([^"]*)/)?.1 }
        #expect(pages.contains(nil) && people.contains { Self.reputation($0) == nil })
        #expect(pages.allSatisfy { $0?.hasPrefix("https://example.org/") != false })
        let scripts: [Unicode.Scalar] = [
            "ж", "λ", "ن", "ה", "김", "藤", "タ", "伟", "न", "ক", "ம", "ส", "ნ", "ա", "ስ", "ễ", "ß",
        ]
        for script in scripts {
            #expect(people.contains { $0.name?.unicodeScalars.contains(script) == true }, "\(script)")
        }
    }

    /// Names that break careless pages belong in tests, not in somebody's first look.
    @Test func nobodyIsOdd() {
        for user in people {
            #expect(user.name.map { $0.contains(/\p{L}/) && !$0.contains(/[<>&;0-9]/) && $0.count < 40 } == true)
            #expect(Self.reputation(user).map { (0..<100_000).contains($0) } ?? true)
        }
    }

    /// The list begins with the names, and its first page has no namesakes.
    @Test func theFirstPageByNameIsVaried() {
        #expect(DemoPeople.settings.own.order == "name")
        let first = people.compactMap(\.name).filter { $0.unicodeScalars.first?.isASCII == true }.sorted().prefix(30)
        #expect(first.allSatisfy { $0.hasPrefix("A") })
        #expect(Set(first.map { $0.prefix { $0 != " " } }).count == 30)
    }

    @Test func mostPeopleHaveAFaceOfTheirOwn() {
        let persons = people.filter { Self.type($0) == "User" && $0.name != nil }
        let faces = persons.compactMap(\.avatarURL)
        #expect(faces.count > persons.count * 8 / 10 && faces.count < persons.count * 95 / 100)
        #expect(Set(faces).count == faces.count)
        #expect(faces.allSatisfy { face in face.withUTF8Bytes { DrawnPicture.face(at: $0) != nil } })
        #expect(people.allSatisfy { Self.type($0) == "User" || $0.avatarURL == nil })
    }

    @Test func theFirstPeopleWereMatchedByHand() throws {
        let first = DemoMaterial.shared.firstPeople
        #expect(first.count == 60 && people.prefix(60).map(\.name) == first.map(\.name))
        #expect(first.compactMap(\.face).allSatisfy { (1...60).contains($0) })
        #expect(Set(people.prefix(60).map(Self.type)) == ["User", "Organization", "Bot"])
        #expect(people.prefix(60).allSatisfy { $0.more?.contains(#""title":"#) == true && Self.reputation($0) != nil })
        #expect(people[0].more?.contains(#""title":"Staff engineer","team":"Platform","office":"Addis Ababa""#) == true)
    }

    /// People, organisations and programs have titles and teams, so that the filters and the second lines have values.
    @Test func nearlyEverybodyHasWork() {
        #expect(people.filter { $0.more?.contains(#""team":"#) == true }.count > 9_950)
        #expect(people.count { $0.more?.contains(#""about":"#) == true } > 5_000)
    }

    @Test func aRecordMayHaveAListWithoutTexts() {
        let record = MadeRecord()
        record.add("skills", [])
        record.add("languages", ["de", "fr"])
        #expect(record.text == #"{"skills":[],"languages":["de","fr"]}"#)
    }

    @Test func usersSurviveExportAndImport() throws {
        var rows = UserRows()
        for person in people { rows.append(person) }
        let read = try importing(export(rows, as: .ndjson))
        #expect(
            read
                == people.map { person in
                    var person = person
                    person.generated = []
                    return person
                })
    }
}
