import Foundation
import StandIn
import TestDatabases
import TestSupport
import Testing

/// Third-party client libraries that use Rollcall instead of the services they were written for.
@Suite("Client libraries", .onThreadsForPrograms)
final class ClientLibraryTests: Stage {
    /// Runs a script of `Tests/Clients`, which reports its own failures.
    private func runScript(_ script: String, _ arguments: String...) throws {
        let folder = RollcallProcess.packageFolder.appending(path: "Tests/Clients")
        let setup = try run(folder.appending(path: "python").path, [])
        let python = setup.output.trimmingCharacters(in: .whitespacesAndNewlines)
        try #require(setup.status == 0 && !python.isEmpty, "\(setup.error)")
        try run(python, [folder.appending(path: script).path] + arguments).expect()
    }

    @Test func gitHubClientsListAllUsersAndFindOne() throws {
        try runScript("github_clients.py", SharedServer.demo(users: 1234).url, "1234")
    }

    @Test func responsesMatchTheOpenAPIDescription() throws {
        let people = try SharedServer.demo(users: 300)
        try runScript("openapi_check.py", people.url, "demo", "people")
        let service = try StandIn(RickAndMortyWorld(characters: 130))
        #expect(try runImport(from: "rickandmorty", at: service.url + "/api").status == 0)
        let characters = try serve()
        try runScript("openapi_check.py", characters.url, "rickandmorty", "characters")
    }

    @Test func stackExchangeClientsReadDeepPagesByNumber() throws {
        try runScript("stackexchange_client.py", SharedServer.demo(users: 1234).url, "demo", "1234")
    }
}
