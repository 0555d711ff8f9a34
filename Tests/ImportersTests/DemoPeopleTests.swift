import Directories
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

    @Test func usersAreOfManyKinds() {
        #expect(Set(people.map(\.type)) == ["User", "Organization", "Bot"])
        #expect(
            people.contains { $0.name == nil } && people.contains { $0.htmlURL == nil }
                && people.contains { $0.reputation == nil })
        #expect(people.allSatisfy { $0.avatarURL == nil })
        #expect(people.allSatisfy { $0.htmlURL?.hasPrefix("https://example.org/") != false })
        let scripts: [Unicode.Scalar] = [
            "ж", "λ", "ن", "ה", "김", "藤", "タ", "伟", "न", "ক", "ம", "ส", "ნ", "ա", "ስ", "ễ", "ß",
        ]
        for script in scripts {
            #expect(people.contains { $0.name?.unicodeScalars.contains(script) == true }, "\(script)")
        }
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
