import Foundation
import HTTPClient
import People
import Publishing
import Synchronization
import Testing

@testable import Importers

/// A ledger with two pages that link to each other.
private struct CircleLedger: ImportLedger {
    func checkpoint() -> Checkpoint? {
        Checkpoint(source: "github https://api.example.org/ details=false limit=0", pass: 1, startedAt: 0)
    }

    func page(at address: String) -> VisitedPage? {
        guard let id = ["5": "7", "7": "5"][address.suffix(1)] else { return nil }
        let next = "https://api.example.org/users?since=\(id)"
        return VisitedPage(address: address, validator: "\"\(id)\"", next: [next], users: 1)
    }
}

/// A ledger in which the service has asked for no requests before a time, in seconds since 1970.
private struct HeldLedger: ImportLedger {
    let until: Int64

    func checkpoint() -> Checkpoint? {
        var checkpoint = CircleLedger().checkpoint()
        checkpoint?.heldUntil = until
        return checkpoint
    }

    func page(at address: String) -> VisitedPage? { nil }
}

private let page = answer(200, #"[{"id":1,"login":"ada"}]"#)
private let limit = #"{"message":"You have exceeded a secondary rate limit."}"#

@Suite("ServiceSource")
struct ServiceSourceTests {
    private func error(_ summary: ImportSummary) -> ServiceError? {
        if case .failed(let error) = summary.end { return error as? ServiceError }
        return nil
    }

    @Test func pausesBeforeRetriesGrow() throws {
        let rehearsal = try Rehearsal(answer(500), answer(502), answer(200, "[{"), page)
        #expect(rehearsal.run(try GitHub(base: rehearsal.base)).counts.added == 1)
        #expect(rehearsal.waits == [1.5, 3, 6], "1, 2 and 4 seconds, plus up to half of that")
    }

    @Test func lostConnectionsAreRetriedThreeTimes() throws {
        let rehearsal = try Rehearsal()
        let failure = error(rehearsal.run(try GitHub(base: rehearsal.base)))
        #expect(failure == ServiceError(.unreachable, "gone; tried 4 times"))
        #expect(rehearsal.asked.count == 4)
        #expect(rehearsal.writer.checkpoints.isEmpty, "a service that was never reached leaves no directory")
    }

    @Test func stackExchangeRequestsAreNotRepeatedWithinAMinute() throws {
        let rehearsal = try Rehearsal(answer(500), answer(200, #"{"items":[],"has_more":false}"#))
        _ = rehearsal.run(try StackExchange(base: rehearsal.base, site: "stackoverflow"))
        #expect(rehearsal.waits == [90])
    }

    @Test func aRateLimitWithoutATimeMeansMinutes() throws {
        let rehearsal = try Rehearsal(
            answer(403, limit), answer(429, limit), answer(403, limit, ["x-ratelimit-remaining": "7"]),
            answer(403, limit))
        let failure = error(rehearsal.run(try GitHub(base: rehearsal.base)))
        #expect(rehearsal.waits == [60, 120, 240])
        let pause = Date(timeIntervalSince1970: 1_800_000_420 + 480)
        #expect(failure?.kind == .comeBack(pause))
        #expect(
            rehearsal.writer.checkpoints.last?.heldUntil == Int64(pause.timeIntervalSince1970), "the next run waits")
    }

    @Test func theServersClockCounts() throws {
        // The service's clock is an hour ahead of ours; the limit resets in 100 seconds.
        let date = [
            "date": "Fri, 15 Jan 2027 09:00:00 GMT", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1800003700",
        ]
        let rehearsal = try Rehearsal(answer(403, limit, date), page)
        #expect(rehearsal.run(try GitHub(base: rehearsal.base)).counts.added == 1)
        #expect(rehearsal.waits == [100])
    }

    @Test(arguments: [("30", 30.0), ("Fri, 15 Jan 2027 08:00:40 GMT", 40.0)])
    func retryAfterIsSecondsOrADate(_ value: String, _ seconds: Double) throws {
        let rehearsal = try Rehearsal(answer(503, "", ["retry-after": value]), page)
        #expect(rehearsal.run(try GitHub(base: rehearsal.base)).counts.added == 1)
        #expect(rehearsal.waits == [seconds])
    }

    @Test(arguments: ["0", "-5", "Thu, 01 Jan 1970 00:00:00 GMT"])
    func aTimeInThePastCausesNoWait(_ value: String) throws {
        let busy = answer(503, "", ["retry-after": value])
        let rehearsal = try Rehearsal(busy, busy, busy, busy, page)
        let failure = error(rehearsal.run(try GitHub(base: rehearsal.base)))
        #expect(rehearsal.waits == [1.5, 3, 6])
        #expect(failure?.kind == .unreachable)
    }

    /// The service's clock is late, or the limit begins again at once.
    @Test(arguments: [
        ["x-ratelimit-remaining": "0", "x-ratelimit-reset": "1800000000"],
        ["x-ratelimit-remaining": "0", "x-ratelimit-reset": "1"], ["retry-after": "0"], ["retry-after": "-5"],
        ["retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"],
    ])
    func aLimitThatIsOverAlreadyIsWaitedForAndThenEndsTheImport(_ fields: [String: String]) throws {
        let spent = answer(429, limit, fields)
        let rehearsal = try Rehearsal(spent, spent, spent, page)
        #expect(rehearsal.run(try GitHub(base: rehearsal.base)).counts.added == 1)
        #expect(rehearsal.waits == [1, 2, 4])
        rehearsal.clearLog()
        rehearsal.next(spent, spent, spent, spent, page)
        let failure = error(rehearsal.run(try GitHub(base: rehearsal.base)))
        #expect(failure?.kind == .comeBack(Date(timeIntervalSince1970: 1_800_000_014 + 480)))
        #expect(rehearsal.asked.count == 4 && rehearsal.writer.checkpoints.last?.heldUntil == 1_800_000_494)
    }

    @Test func aRefusalIsNoLimit() throws {
        let words = "Resource protected by organization SAML enforcement."
        for fields in [["x-ratelimit-remaining": "4990"], [:]] {
            let rehearsal = try Rehearsal(answer(403, #"{"message":"\#(words)"}"#, fields), page)
            let failure = error(rehearsal.run(try GitHub(base: rehearsal.base)))
            #expect(failure == ServiceError(.refused, "GitHub answered 403: \(words)"))
            #expect(rehearsal.asked.count == 1 && rehearsal.waits.isEmpty)
        }
        // Limits of older Enterprise Servers, and of networks before a server.
        for busy in [
            answer(403, #"{"message":"You have triggered an abuse detection mechanism."}"#),
            answer(403, "", ["retry-after": "60"]),
        ] {
            let rehearsal = try Rehearsal(busy, page)
            #expect(rehearsal.run(try GitHub(base: rehearsal.base)).counts.added == 1 && rehearsal.waits == [60])
        }
    }

    @Test(arguments: ["9223372036854775807", "-1", "99999999999999"])
    func anImpossibleResetTimeIsIgnored(_ reset: String) throws {
        let fields = ["x-ratelimit-remaining": "0", "x-ratelimit-reset": reset]
        let rehearsal = try Rehearsal(answer(429, limit, fields), page)
        #expect(rehearsal.run(try GitHub(base: rehearsal.base)).counts.added == 1)
        #expect(rehearsal.waits == [60])
    }

    @Test func aTokenInAResponseIsNeitherSavedNorReported() throws {
        let token = try #require(Secret("ghpSECRETtoken123"))
        let people = #"[{"id":1,"login":"ada"},{"id":2,"login":"ghpSECRETtoken123"},{"id":"ghpSECRETtoken123"}]"#
        let link = "<https://api.example.org/users?t=ghpSECRETtoken123>; rel=\"next\""
        let rehearsal = try Rehearsal(
            answer(200, people, ["etag": "\"ghpSECRETtoken123\""]), answer(200, people, ["link": link]))
        var told = ""
        for _ in 1...2 {
            let github = try GitHub(base: rehearsal.base, token: token)
            let summary = rehearsal.run(
                github, observe: { if case .rejected(let rejection) = $0 { told += "\(rejection)\n" } })
            told += "\(summary.end)\n"
        }
        #expect(rehearsal.writer.users.count == 1)
        #expect(
            told.contains("contains the token of this import") && told.contains("an address that contains the token"))
        let kept = "\(told)\(rehearsal.writer.users)\(rehearsal.writer.checkpoints)"
        #expect(!kept.lowercased().contains("secrettoken"))
    }

    @Test func aLoginThatIsADotSegmentHasNoDetails() throws {
        let rehearsal = try Rehearsal(
            answer(200, #"[{"id":1,"login":"."},{"id":2,"login":".."},{"id":3,"login":"ada"}]"#),
            answer(200, #"{"id":3,"login":"ada","name":"Ada"}"#))
        let summary = rehearsal.run(try GitHub(base: rehearsal.base, details: true))
        #expect(rehearsal.asked.map { $0.prefix(10) } == ["/users?sin", "/users/ada"])
        #expect(rehearsal.writer.users.count == 1 && summary.progress.rejected == 2)
    }

    @Test func recordedPagesThatLinkInCirclesAreAnError() throws {
        let next = { (id: Int) in
            ["link": "<https://api.example.org/users?since=\(id)>; rel=\"next\"", "etag": "\"\(id)\""]
        }
        let rehearsal = try Rehearsal(
            answer(200, #"[{"id":1,"login":"ada"}]"#, next(5)), answer(304), answer(304), answer(304))
        let ledger = CircleLedger()
        let failure = error(rehearsal.run(try GitHub(base: rehearsal.base), ledger: ledger))
        #expect(failure?.reason.contains("leads in circles") == true, "\(String(describing: failure))")
        #expect(rehearsal.asked.count <= 4)
    }

    @Test func retryAfterOverridesTheReset() throws {
        let fields = ["retry-after": "5", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1800000600"]
        let rehearsal = try Rehearsal(answer(429, limit, fields), page)
        #expect(rehearsal.run(try GitHub(base: rehearsal.base)).counts.added == 1)
        #expect(rehearsal.waits == [5])
    }

    @Test func aLongWaitEndsTheImport() throws {
        let rehearsal = try Rehearsal(answer(429, limit, ["retry-after": "901"]))
        let failure = error(rehearsal.run(try GitHub(base: rehearsal.base)))
        #expect(failure?.kind == .comeBack(Date(timeIntervalSince1970: 1_800_000_901)))
        #expect("\(try #require(failure))".hasSuffix("; come back at 2027-01-15T08:15:01Z"))
        #expect(rehearsal.waits.isEmpty)
        #expect(rehearsal.writer.checkpoints.map(\.heldUntil) == [1_800_000_901])
    }

    @Test(arguments: ["9223372036854775807", "Fri, 31 Dec 9999 23:59:59 GMT"])
    func noPauseIsLongerThanAWeek(_ value: String) throws {
        let rehearsal = try Rehearsal(answer(429, limit, ["retry-after": value]))
        let failure = error(rehearsal.run(try GitHub(base: rehearsal.base)))
        #expect(failure?.kind == .comeBack(Date(timeIntervalSince1970: 1_800_604_800)), "in a week")
    }

    @Test func aFreshStartIgnoresAnEarlierPause() throws {
        let rehearsal = try Rehearsal(page, page)
        let ledger = HeldLedger(until: 1_900_000_000)
        let github = try GitHub(base: rehearsal.base)
        let failure = error(rehearsal.run(github, ledger: ledger))
        #expect(failure?.kind == .comeBack(Date(timeIntervalSince1970: 1_800_604_800)))
        #expect(rehearsal.run(github, change: { $0.isFresh = true }, ledger: ledger).counts.added == 1)
        #expect(rehearsal.asked.count == 1)
    }

    @Test func permanentErrorsEndTheImport() throws {
        for (status, body) in [
            (400, "{}"), (401, "{}"), (403, "Request forbidden by administrative rules."), (404, "{}"), (422, "{}"),
            (204, ""),
        ] {
            let rehearsal = try Rehearsal(answer(status, body))
            #expect(error(rehearsal.run(try GitHub(base: rehearsal.base)))?.kind == .refused, "\(status)")
            #expect(rehearsal.asked.count == 1)
        }
    }

    @Test(arguments: [
        ("//evil.example/users", "https://evil.example:443"),
        ("http://api.example.org/users", "http://api.example.org:80"),
        ("https://api.example.org:8443/", "https://api.example.org:8443"),
    ])
    func linksToOtherOriginsAreRejected(_ link: String, _ origin: String) throws {
        let rehearsal = try Rehearsal(
            answer(200, #"[{"id":1,"login":"ada"}]"#, ["link": "<\(link)>; rel=\"next\""]))
        let failure = error(rehearsal.run(try GitHub(base: rehearsal.base)))
        #expect(
            failure?.kind == .refused && failure?.reason.contains("leads to \(origin)") == true,
            "\(String(describing: failure))")
        #expect(rehearsal.writer.users.count == 1, "earlier users are kept")
    }

    @Test func aPageIsRequestedAfterThePreviousOneIsSaved() throws {
        let next = { (id: Int) in ["link": "<https://api.example.org/users?since=\(id)>; rel=\"next\""] }
        let rehearsal = try Rehearsal(
            answer(200, #"[{"id":1,"login":"ada"}]"#, next(1)), answer(200, #"[{"id":2,"login":"bob"}]"#, next(2)), page
        )
        rehearsal.writer.onWrite = { [writer = rehearsal.writer] in
            #expect(rehearsal.asked.count == writer.batches.count + 1)
        }
        _ = rehearsal.run(try GitHub(base: rehearsal.base))
        #expect(rehearsal.writer.checkpoints.map(\.frontier.count) == [1, 1, 0])
        #expect(rehearsal.writer.batches == [1, 1, 1])
    }

    @Test func aSecretIsNeverPrinted() throws {
        let secret = try #require(Secret(" t0ken\n"))
        var dumped = ""
        dump(secret, to: &dumped)
        dump(try GitHub(base: try WebAddress("https://a.example"), token: secret), to: &dumped)
        #expect(!"\(secret) \(String(reflecting: secret)) \(dumped)".contains("t0ken"))
        #expect(secret.hidden(in: "t0ken is bad") == "(secret) is bad")
        for text in ["", " \n", "a b", "a\nb", "é"] { #expect(Secret(text) == nil) }
    }
}
