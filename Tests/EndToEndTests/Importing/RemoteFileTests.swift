import Foundation
import StandIn
import TestSupport
import Testing

/// A web server with a list of staff.
private final class Office: World {
    func answer(_ asked: StandIn.Asked) -> Canned {
        asked.validator == "\"v1\""
            ? Canned(304).with("ETag", "\"v1\"")
            : Canned(200, "login,name\nann,Ann Lee\nbo,Bo Ray\n").with("ETag", "\"v1\"")
    }
}

@Suite("Files on web servers", .onThreadsForPrograms)
final class RemoteFileTests: Stage {
    @Test func aRepeatedImportOfAnUnchangedFileCostsA304() throws {
        let office = try StandIn(Office())
        let program = try start("import", "file", office.url + "/staff.csv?token=abc", "--every", "1s", "--prune")
        try program.wait(until: "it has asked three times") { office.count >= 3 }
        try program.wait(until: "it reports twice that nothing has changed") {
            program.errors.components(separatedBy: "127.0.0.1: the file has not changed").count > 2
        }
        #expect(program.stop(SIGTERM) == 0, "\(program.errors)")
        #expect(office.log.prefix(3).map(\.validator) == [nil, "\"v1\"", "\"v1\""])
        #expect(program.output.hasPrefix("staff: 2 added"), "\(program.output)")
        #expect(!program.errors.contains("nobody was removed") && !program.errors.contains("token"))
        #expect(try people("staff").count == 2)
    }
}
