import People
import StandIn
import TestSupport
import Testing

@testable import rollcall

/// A web server with a list of staff, a page to sign in, and redirects.
private final class Office: World {
    func answer(_ asked: StandIn.Asked) -> Canned {
        switch asked.path {
        case "/staff.csv": Canned(200, "login,name\nann,Ann Lee\nbo,Bo Ray\n")
        case "/spreadsheets/d/1aB_c-9/export": Canned(200, "login,name\nann,Ann Lee\n")
        case "/private": Canned(asked.authorization == "Bearer s3cret-token" ? 200 : 401, "login,name\na,A\n")
        case "/sign-in": Canned(200, "<!DOCTYPE html>\n<title>Sign in</title>")
        case "/plain": Canned(302).with("Location", "http://example.org/staff.csv")
        case "/moved": Canned(301).with("Location", "/staff.csv")
        case "/loop": Canned(307).with("Location", "/loop")
        default: Canned(404)
        }
    }
}

@Suite("Files on web servers")
final class RemoteFileTests: Desk {
    private let office: StandIn

    override init() throws {
        office = try StandIn(Office())
        try super.init()
    }

    private func importing(_ target: String, _ options: String...) throws -> Report {
        try importFile(office.url + target, options: options)
    }

    @Test(arguments: [
        ("/spreadsheets/d/1aB_c-9/edit#gid=5", "/spreadsheets/d/1aB_c-9/export?format=csv&gid=5"),
        ("/spreadsheets/d/1aB_c-9/edit?usp=sharing", "/spreadsheets/d/1aB_c-9/export?format=csv"),
        ("/spreadsheets/d/1aB_c-9/edit?gid=7#gid=7", "/spreadsheets/d/1aB_c-9/export?format=csv&gid=7"),
        // An export of Rollcall is asked for its proof.
        ("/team/export.csv?directory=a", "/team/export.csv?directory=a&proof=1"),
    ])
    func addressesOfTablesAreAskedForTheirText(_ target: String, _ asked: String) throws {
        let report = try importing(target)
        #expect(office.targets == [asked])
        #expect(target.hasPrefix("/team") || report.counts.added == 1, "\(report)")
    }

    @Test(arguments: [
        ("/sign-in", "127.0.0.1 answered with a web page instead of a list: publish the sheet or share its link"),
        ("/plain", "redirects to an http URL, expected an https URL"), ("/loop", "redirects more than 5 times"),
        ("/none", "answered with status 404: it has no such file"), ("/private", "status 401"),
        ("/private", "--header-file"),
    ])
    func whatIsNoFileIsRefused(_ target: String, _ message: String) throws {
        let report = try importing(target)
        #expect(report.error.contains(message), "\(report)")
        #expect(store.storedDirectories.isEmpty)
    }

    @Test func redirectsLeadToTheFile() throws { #expect(try importing("/moved").counts.added == 2) }

    @Test func headerFieldsAreSentToTheirHostAloneAndNeverShown() throws {
        let fields = try write("fields", "# for the office\nAuthorization: Bearer s3cret-token\n")
        let report = try importing("/private", "--header-file", fields)
        #expect(report.counts.added == 1 && !"\(report)".contains("s3cret"), "\(report)")
        let other = try StandIn(Office())
        office.next(Canned(302).with("Location", other.url + "/staff.csv"))
        #expect(try importing("/staff.csv", "--header-file", fields).counts.added == 2)
        #expect(other.log.map(\.authorization) == [nil] && office.log.last?.authorization == "Bearer s3cret-token")
        let error = #expect(throws: (any Error).self) {
            try self.importing("/private", "--header-file", self.write("bad", "s3cret-token\n"))
        }
        let message = Rollcall.message(for: try #require(error))
        #expect(message.contains("in line 1") && !message.contains("s3cret"), "\(message)")
    }
}
