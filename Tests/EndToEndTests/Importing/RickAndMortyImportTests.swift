import Foundation
import StandIn
import TestSupport
import Testing

@Suite("Importing from the Rick and Morty API", .onThreadsForPrograms)
struct RickAndMortyImportTests {
    let stage: ServiceFixture

    init() throws { stage = try ServiceFixture() }

    @Test func everyCharacterIsImported() throws {
        let service = try StandIn(RickAndMortyWorld(characters: 826))
        let output = try stage.run("rickandmorty", at: service.url + "/api")
        #expect(output.status == 0, "\(output.error)")
        #expect(output.output.contains("826 added") && output.output.contains("42 requests"), "\(output.output)")
        #expect(Set(service.targets).count == 42)
        let people = try stage.people("rickandmorty")
        #expect(people.count == 826)
        #expect(people[0]["name"] as? String == "Rick’s Clone 1")
        #expect(people[0]["html_url"] as? String != "https://rickandmortyapi.com/api/character/1", "that is JSON")
        service.clearLog()
        #expect(try stage.run("rickandmorty", at: service.url + "/api").output.contains("826 unchanged"))
        #expect(service.log.allSatisfy { $0.validator != nil })
    }

    @Test func anEmptyListIsNoError() throws {
        let service = try StandIn(RickAndMortyWorld(characters: 0))
        let output = try stage.run("rickandmorty", at: service.url + "/api")
        #expect(output.status == 0 && output.output.contains("nobody"), "\(output.error)")
    }

    @Test func aWrongPathIsAnError() throws {
        let service = try StandIn(RickAndMortyWorld(characters: 5))
        let output = try stage.run("rickandmorty", at: service.url)
        #expect(output.status == 1 && output.error.contains("There is nothing here."), "\(output.error)")
    }

    @Test func tooManyRequestsMeansAPauseOfHalfADay() throws {
        let service = try StandIn(RickAndMortyWorld(characters: 100))
        service.next(nil, Canned(429, "{}"))
        let output = try stage.run("rickandmorty", at: service.url + "/api")
        #expect(output.status == 75 && output.error.contains("10,000 times today; come back at"), "\(output.error)")
    }

    @Test func theDirectoryMayHaveAnyName() throws {
        let service = try StandIn(RickAndMortyWorld(characters: 21))
        let output = try stage.run(
            "rickandmorty", at: service.url + "/api/", "--directory", "show", "--title", "The Show")
        #expect(output.output.contains("show: 21 added"), "\(output.error)")
        #expect(service.targets == ["/api/character?page=1", "/api/character?page=2"])
    }
}
