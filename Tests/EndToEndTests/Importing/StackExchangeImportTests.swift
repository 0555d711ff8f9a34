import Foundation
import StandIn
import TestSupport
import Testing

@Suite("Importing from Stack Exchange", .onThreadsForPrograms)
final class StackExchangeImportTests: Stage {
    let world = StackExchangeWorld(users: 250)
    let service: StandIn
    var url: String { service.url + "/2.3" }

    override init() throws {
        service = try StandIn(world)
        try super.init()
    }

    @Test func everyUserIsImportedWithTextDecodedOnce() throws {
        try runImport(from: "stackexchange", at: url).expect(
            output: "stackoverflow: 250 added", error: "the users of stackoverflow, 100 at a time",
            "budget: 299 of 300 requests left, enough for up to 2400 more people")
        let list = try rollcall("directories", "--format", "json").output
        #expect(list.contains("CC BY-SA 4.0") && list.contains("https://stackoverflow.com/users"), "\(list)")
        let people = try people("stackoverflow")
        #expect(people.count == 250)
        #expect(people[0]["name"] as? String == "Västervåla O'Brien")
        #expect(people[1]["name"] as? String == "&amp;")
        #expect(people[9]["reputation"] as? Int == 100)
        #expect(
            service.targets
                == (1...3).map { "/2.3/users?site=stackoverflow&sort=creation&order=asc&pagesize=100&page=\($0)" })
    }

    @Test func moderatorsHaveTheirOwnDirectory() throws {
        try runImport(from: "stackexchange", at: url, "--site", "french", "--moderators").expect(
            output: "french-moderators: 25 added")
        #expect(service.targets[0].hasPrefix("/2.3/users/moderators?site=french&"))
    }

    @Test func aKeyBringsTheOtherPagesAndIsKeptNowhere() throws {
        let world = StackExchangeWorld(users: 2750)
        world.change { $0.key = "good-key" }
        let service = try StandIn(world)
        let url = service.url + "/2.3"
        #expect(try runImport(from: "stackexchange", at: url).output.contains("2,500 added"))
        let wrong = try runImport(from: "stackexchange", at: url, environment: ["STACKEXCHANGE_KEY": "bad-key("])
        #expect(wrong.status == 1 && wrong.error.contains("known application: (secret)"), "\(wrong.error)")
        let key = try write("key", "good-key\n")
        let right = try runImport(from: "stackexchange", at: url, "--key-file", key, "--progress", "json")
        #expect(right.status == 0 && service.log.count == 25 + 1 + 28, "\(right.error)")
        #expect(try ids("stackoverflow").count == 2750)
        #expect(!(right.output + right.error + wrong.error).contains("-key"))
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        for file in files where file.lastPathComponent != "key" {
            #expect(try Data(contentsOf: file).range(of: Data("good-key".utf8)) == nil)
        }
    }
}
