import Foundation
import StandIn
import TestSupport
import Testing

@Suite("Importing from the Rick and Morty API", .onThreadsForPrograms)
final class RickAndMortyImportTests: Stage {
    @Test func everyCharacterIsImportedIntoADirectoryOfAnyName() throws {
        let service = try StandIn(RickAndMortyWorld(characters: 826))
        func importing() throws -> Output {
            try runImport(from: "rickandmorty", at: service.url + "/api/", "--directory", "show")
        }
        try importing().expect(output: "show: 826 added", "42 requests")
        #expect(Set(service.targets) == Set((1...42).map { "/api/character?page=\($0)" }))
        let people = try people("show")
        #expect(people.count == 826)
        #expect(people[0]["name"] as? String == "Rick’s Clone 1")
        #expect(people[0]["html_url"] as? String != "https://rickandmortyapi.com/api/character/1", "that is JSON")
        service.clearLog()
        #expect(try importing().output.contains("826 unchanged"))
        #expect(service.log.allSatisfy { $0.validator != nil })
    }

    @Test func anEmptyListIsNoError() throws {
        let service = try StandIn(RickAndMortyWorld(characters: 0))
        try runImport(from: "rickandmorty", at: service.url + "/api").expect(output: "nobody")
    }
}
