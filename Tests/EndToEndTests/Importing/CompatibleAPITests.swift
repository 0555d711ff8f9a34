import Foundation
import StandIn
import TestSupport
import Testing

@Suite("Imports from Rollcall's compatible APIs", .onThreadsForPrograms)
struct CompatibleAPITests {
    /// Imports from a stand-in service, serves the result, imports from that server, and returns both exports.
    private func roundTrip(
        _ source: String, of world: any World, _ first: [String], at path: String, _ second: [String], directory: String
    ) throws -> (sent: [Substring], brought: [Substring]) {
        let origin = try Stage()
        let copy = try Stage()
        let service = try StandIn(world)
        let import1 = try origin.startImport(from: source, at: service.url + (source == "github" ? "" : path), first)
        try #require(import1.wait() == 0, "\(import1.errors)")
        // Otherwise the API has the addresses of our own pictures.
        let server = try origin.serve("--pictures", "link")
        let import2 = try copy.startImport(from: source, at: server.url + path, second + ["--directory", directory])
        try #require(import2.wait() == 0, "\(import2.errors)")
        let exports = try [origin, copy].map { try $0.rollcall("export", "--directory", directory).output }
        return (exports[0].split(separator: "\n"), exports[1].split(separator: "\n"))
    }

    @Test func aStackExchangeDirectoryRoundTrips() throws {
        let trip = try roundTrip(
            "stackexchange", of: StackExchangeWorld(users: 250), ["--site", "french"], at: "/2.3",
            ["--site", "french"], directory: "french")
        #expect(trip.sent.count == 250)
        #expect(trip.sent.contains { $0.contains("Västervåla O'Brien") })
        #expect(trip.sent.contains { $0.contains(#"\u0026amp;"#) })
        #expect(trip.brought == trip.sent)
    }

    @Test func aRickAndMortyDirectoryRoundTrips() throws {
        let trip = try roundTrip(
            "rickandmorty", of: RickAndMortyWorld(characters: 130), [], at: "/api", [], directory: "rickandmorty")
        #expect(trip.sent.count == 130)
        #expect(trip.brought == trip.sent)
    }

    /// Except for `url`, the user's address in the API, which differs between servers.
    @Test func aGitHubDirectoryRoundTrips() throws {
        let trip = try roundTrip("github", of: GitHubWorld(accounts: 330), [], at: "/api/v3", [], directory: "github")
        #expect(trip.sent.count == 330)
        func people(_ lines: [Substring]) throws -> [[String: Any]] {
            try lines.map { line in
                var person = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
                let fields = try #require(person.removeValue(forKey: "fields") as? [String: Any])
                person.merge(fields) { column, _ in column }
                return person
            }
        }
        for (sent, brought) in zip(try people(trip.sent), try people(trip.brought)) {
            for (key, value) in sent where key != "url" {
                #expect(value as? NSObject == brought[key] as? NSObject, "\(key)")
            }
        }
        #expect(trip.brought.count == 330)
    }
}
