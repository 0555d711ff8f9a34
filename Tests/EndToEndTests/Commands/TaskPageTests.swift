import TestSupport
import Testing

/// The pages of Documentation that are followed from top to bottom.
@Suite("Pages by task", .onThreadsForPrograms)
struct TaskPageTests {
    @Test(arguments: [
        "Company", "Conference", "Contributors", "Club", "LDAP", "FrontEnd", "Server", "ManyServers", "Visibility",
    ])
    func everyCommandOfThePageSucceeds(_ page: String) throws {
        let package = RollcallProcess.packageFolder
        let document = package.appending(path: "Documentation/\(page).md").path
        try run(package.appending(path: "Tests/try-page").path, [binary(), document]).expect()
    }
}
