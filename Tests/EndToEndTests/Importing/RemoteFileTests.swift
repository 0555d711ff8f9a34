import Foundation
import StandIn
import TestSupport
import Testing

/// A web server with a list of staff, a page to sign in, and redirects.
private final class Office: World {
    func answer(_ asked: StandIn.Asked) -> Canned {
        switch asked.path {
        case "/staff.csv":
            if asked.validator == "\"v1\"" { return Canned(304).with("ETag", "\"v1\"") }
            return Canned(200, "login,name\nann,Ann Lee\nbo,Bo Ray\n").with("ETag", "\"v1\"")
        case "/spreadsheets/d/1aB_c-9/export": return Canned(200, "login,name\nann,Ann Lee\n")
        case "/private": return Canned(asked.authorization == "Bearer s3cret-token" ? 200 : 401, "login,name\na,A\n")
        case "/sign-in": return Canned(200, "<!DOCTYPE html>\n<title>Sign in</title>")
        case "/plain": return Canned(302).with("Location", "http://example.org/staff.csv")
        case "/moved": return Canned(301).with("Location", "/staff.csv")
        case "/loop": return Canned(307).with("Location", "/loop")
        default: return Canned(404)
        }
    }
}

@Suite("Files on web servers", .onThreadsForPrograms)
struct RemoteFileTests {
    let fixture: ServiceFixture
    let office: StandIn

    init() throws {
        fixture = try ServiceFixture()
        office = try StandIn(Office())
    }

    private func importing(_ target: String, _ options: String...) -> [String] {
        ["import", "file", office.url + target, "--database", fixture.database] + options
    }

    private func importFile(_ target: String, _ options: String...) throws -> Output {
        try run(binary(), ["import", "file", office.url + target, "--database", fixture.database] + options)
    }

    @Test func theFileNameNamesTheDirectory() throws {
        let output = try importFile("/staff.csv?token=abc")
        #expect(output.status == 0 && output.output.hasPrefix("staff: 2 added"), "\(output)")
        #expect(!output.error.contains("token"))
    }

    @Test func aRepeatedImportOfAnUnchangedFileCostsA304() throws {
        let program = try Program(RollcallProcess.executable(), importing("/staff.csv", "--every", "1s", "--prune"))
        try program.wait(until: "it has asked three times") { office.count >= 3 }
        try program.wait(until: "it reports twice that nothing has changed") {
            program.errors.components(separatedBy: "127.0.0.1: the file has not changed").count > 2
        }
        #expect(program.stop(SIGTERM) == 0, "\(program.errors)")
        #expect(office.log.prefix(3).map(\.validator) == [nil, "\"v1\"", "\"v1\""])
        #expect(!program.errors.contains("nobody was removed"))
        #expect(try fixture.people("staff").count == 2)
    }

    @Test func anAddressOfAGoogleSheetIsReadAsItsTable() throws {
        for (target, expected) in [
            ("/spreadsheets/d/1aB_c-9/edit#gid=5", "format=csv&gid=5"),
            ("/spreadsheets/d/1aB_c-9/edit?usp=sharing", "format=csv"),
            ("/spreadsheets/d/1aB_c-9/edit?gid=7#gid=7", "format=csv&gid=7"),
        ] {
            let output = try importFile(target)
            #expect(output.status == 0 && output.output.hasPrefix("people: "), "\(output)")
            #expect(office.targets.last == "/spreadsheets/d/1aB_c-9/export?" + expected)
        }
    }

    @Test func aSignInPageIsNotAList() throws {
        let output = try importFile("/sign-in", "--directory", "team")
        #expect(output.status == 1)
        #expect(
            output.error == "rollcall: 127.0.0.1 answered with a web page instead of a list: publish the sheet or "
                + "share its link\n", "\(output.error)")
        #expect(!FileManager.default.fileExists(atPath: fixture.database))
    }

    @Test func redirectsLeadToHTTPSOnly() throws {
        #expect(try importFile("/moved").status == 0)
        let plain = try importFile("/plain")
        #expect(plain.status == 1 && plain.error.contains("redirects to an http URL, expected an https URL"))
        let loop = try importFile("/loop")
        #expect(loop.status == 1 && loop.error.contains("redirects more than 5 times"))
        #expect(try importFile("/none").error.contains("answered with status 404: it has no such file"))
    }

    @Test func headerFieldsAreSentToTheirHostAloneAndNeverShown() throws {
        let fields = try fixture.write("fields", "# for the office\nAuthorization: Bearer s3cret-token\n")
        let without = try importFile("/private")
        #expect(without.status == 1 && without.error.contains("status 401") && without.error.contains("--header-file"))
        let with = try importFile("/private", "--header-file", fields)
        #expect(with.status == 0 && !(with.error + with.output).contains("s3cret"), "\(with.error)")
        let other = try StandIn(Office())
        office.next(Canned(302).with("Location", other.url + "/staff.csv"))
        #expect(try importFile("/staff.csv", "--header-file", fields).status == 0)
        #expect(other.log.map(\.authorization) == [nil] && office.log.last?.authorization == "Bearer s3cret-token")
        let bad = try importFile("/private", "--header-file", try fixture.write("bad", "s3cret-token\n"))
        #expect(bad.status == 1 && bad.error.contains("in line 1") && !bad.error.contains("s3cret"), "\(bad.error)")
    }

    @Test func anExportOfRollcallIsAskedForItsProof() throws {
        _ = try importFile("/team/export.csv?directory=a", "--directory", "b")
        #expect(office.targets == ["/team/export.csv?directory=a&proof=1"])
    }
}
