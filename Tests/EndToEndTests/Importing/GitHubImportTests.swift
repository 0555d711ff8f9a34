import Foundation
import Base
import StandIn
import TestSupport
import Testing

@Suite("Importing from GitHub", .onThreadsForPrograms)
final class GitHubImportTests: Stage {
    @Test func everyAccountIsImported() throws {
        let github = try StandIn(GitHubWorld(accounts: 1234))
        try runImport(from: "github", at: github.url).expect(
            output: "1,234 added", "13 requests",
            error: "all accounts, 100 at a time, without a token", "budget: 4999 of 5000 requests left")
        let people = try people("github")
        #expect(people.count == 1234)
        #expect(people[3]["login"] as? String == "user-11" && people[3]["type"] as? String == "User")
        #expect(Set(github.targets).count == 13, "no page is requested twice")
        let asked = github.log[0]
        #expect(asked.userAgent?.hasPrefix("rollcall/") == true && asked.acceptsGzip && asked.authorization == nil)
    }

    @Test func aRepeatedImportSendsConditionalRequests() throws {
        let world = GitHubWorld(accounts: 1000)
        let github = try StandIn(world)
        #expect(try runImport(from: "github", at: github.url).status == 0)
        github.clearLog()
        world.change { $0.remaining = 1 }
        // A 304 costs nothing.
        try runImport(from: "github", at: github.url).expect(output: "1,000 unchanged")
        #expect(github.log.allSatisfy { $0.validator?.hasPrefix("W/\"") == true } && github.log.count == 10)
        github.clearLog()
        world.change { $0.remaining = 100 }
        #expect(try runImport(from: "github", at: github.url, "--restart").output.contains("1,000 unchanged"))
        #expect(github.log.allSatisfy { $0.validator == nil })
    }

    @Test func anExhaustedRateLimitEndsTheImportWithATime() throws {
        let world = GitHubWorld(accounts: 1000)
        let github = try StandIn(world)
        world.change { $0.remaining = 3 }
        try runImport(from: "github", at: github.url).expect(75, error: "GitHub's limit is used up; come back at 20")
        #expect(github.log.count == 3, "the fourth request would be rejected")
        // Before that time, the import sends no request at all.
        try runImport(from: "github", at: github.url).expect(75)
        #expect(github.log.count == 3)
        // A token has its own rate limit.
        world.change { $0.remaining = 5000 }
        try runImport(from: "github", at: github.url, environment: ["GITHUB_TOKEN": "t"]).expect()
        #expect(github.log.count == 10 && Set(github.targets).count == 10)
        #expect(try ids("github").count == 1000)
    }

    @Test func aTokenMayComeFromAPipe() throws {
        let github = try StandIn(GitHubWorld(accounts: 100))
        let pipe = path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let program = try startImport(from: "github", at: github.url, ["--token-file", pipe])
        try "right\n".write(to: URL(fileURLWithPath: pipe), atomically: false, encoding: .utf8)
        #expect(program.wait() == 0 && github.log.last?.authorization == "Bearer right", "\(program.errors)")
    }

    @Test func aTokenForThisMachineIsNotSentToAProxy() throws {
        let github = try StandIn(GitHubWorld(accounts: 5))
        let proxy = try StandIn(GitHubWorld(accounts: 5))
        let environment = ["GITHUB_TOKEN": "very-secret", "http_proxy": proxy.url, "ALL_PROXY": proxy.url]
        #expect(try runImport(from: "github", at: github.url, environment: environment).status == 0)
        #expect(proxy.log.isEmpty && github.log.count == 1)
    }

    @Test func anInterruptedImportDoesNotNameForgottenUsers() throws {
        let world = GitHubWorld(accounts: 100)
        let github = try StandIn(world)
        #expect(try runImport(from: "github", at: github.url).status == 0)
        try rollcall("forget", "user-53").expect()
        world.change { $0.remaining = 3 }
        #expect(try runImport(from: "github", at: github.url, "--details").status == 75)
        #expect(holds("/users/user-55"), "the import resumes there")
        #expect(!holds("user-53"))
    }

    /// Their page is read again, so that they are reported again.
    @Test func invalidRecordsAreReportedByEachImport() throws {
        let github = try StandIn(
            GitHubWorld(accounts: 5) { $0 == 7 ? #"{"login":"","id":7}"# : GitHubWorld.account($0) })
        for _ in 1...2 {
            try runImport(from: "github", at: github.url).expect(2, error: "rejected id 7: expected a login")
        }
        #expect(try ids("github").count == 4)
    }

    @Test func forgottenUsersStayOutUnnamedUntilUndone() throws {
        let github = try StandIn(GitHubWorld(accounts: 20))
        for options in [[], ["--details"]] {
            #expect(try startImport(from: "github", at: github.url, options).wait() == 0)
            #expect(try rollcall("forget", "user-11").status == 0)
            #expect(!holds("user-11\"") && !holds("/user-11"))
            for _ in 0..<2 {
                try startImport(from: "github", at: github.url, options).result().expect(output: "1 forgotten left out")
                #expect(try ids("github").count == 19 && !holds("/user-11"))
            }
            try rollcall("forget", "--undo", "user-11").expect()
            #expect(try startImport(from: "github", at: github.url, options).wait() == 0)
            #expect(try ids("github").count == 20)
        }
    }

    @Test func pruningReadsEverythingAgain() throws {
        let github = try StandIn(GitHubWorld(accounts: 500))
        #expect(try runImport(from: "github", at: github.url).status == 0)
        let smaller = try StandIn(GitHubWorld(accounts: 300))
        // So many people are not removed by mistake. The people that the service sent are saved.
        let reason = "--prune would remove 200 of 500 people (40 %): nobody was removed. If that is right: --prune=all"
        try runImport(from: "github", at: smaller.url, "--prune").expect(
            1, output: "300 unchanged", error: "rollcall: github: \(reason)\n")
        #expect(try ids("github").count == 500)
        try runImport(from: "github", at: smaller.url, "--prune=all").expect(output: "200 removed")
        #expect(smaller.log.allSatisfy { $0.validator == nil })
    }

    @Test func anInterruptDuringAWaitEndsTheImportAtOnce() throws {
        let github = try StandIn(GitHubWorld(accounts: 250))
        github.next(nil, Canned(429).with("Retry-After", "600"))
        let program = try startImport(from: "github", at: github.url)
        try eventually("it has sent two requests") { github.log.count == 2 }
        #expect(program.stop(SIGINT) == 130)
        #expect(try ids("github").count == 100)
    }

    /// ROLLCALL_PAGES=10000 makes the import as long as one of a million users; ROLLCALL_BINARY runs it with another
    /// build.
    @Test func memoryDoesNotGrowWithTheLengthOfAnImport() throws {
        let environment = ProcessInfo.processInfo.environment
        let pages = environment["ROLLCALL_PAGES"].flatMap { Int($0) } ?? 150
        let world = GitHubWorld(accounts: pages * 100)
        world.change { $0.remaining = .max }
        let github = try StandIn(world)
        let proxy = try FaultProxy(to: github.port, for: "/users")
        defer { proxy.stop() }
        let third = [FaultProxy.Fault](repeating: .pass, count: pages / 3) + [.hold]
        let rest = [FaultProxy.Fault](repeating: .pass, count: pages - third.count - 1) + [.hold]
        proxy.set(next: third + rest)
        let program = try Program(
            environment["ROLLCALL_BINARY"].map { URL(filePath: $0) } ?? RollcallProcess.executable(),
            ["import", "github", "--base-url", proxy.url, "--database", database, "--timeout", "600s"])
        func most(whenItWaitsForPage page: Int) throws -> Int {
            try program.wait(until: "it requests page \(page)") { proxy.fragments.count >= page }
            return program.mostResidentKiB
        }
        let early = try most(whenItWaitsForPage: third.count)
        proxy.release(onlyWaiting: true)
        let late = try most(whenItWaitsForPage: pages)
        proxy.release()
        #expect(program.wait() == 0, "\(program.errors)")
        #expect(github.count == pages)
        #expect(early > 0 && late - early < 16 << 10, "grew from \(early) to \(late) KiB")
        if environment["ROLLCALL_PAGES"] != nil {
            print("\(pages) pages: at most \(early) KiB in the first third, \(late) KiB in all; \(program.output)")
        }
    }
}
