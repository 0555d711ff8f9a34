import Foundation
import HTTPClient
import People
import Publishing
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

private let page = answer(200, #"[{"id":1,"login":"ada"}]"#)
private let limit = #"{"message":"You have exceeded a secondary rate limit."}"#

private func limited(_ fields: [String: String]) -> ClientAnswer { answer(429, limit, fields) }

/// A service's answers, one request after the other, and how the import ends.
struct Course: CustomTestStringConvertible, Sendable {
    enum End { case added, refused, unreachable, held }

    let testDescription: String
    let answers: [ClientAnswer]
    var service: @Sendable (WebAddress) throws -> any Service = { try GitHub(base: $0) }
    /// The seconds between the requests.
    let waits: [Double]
    let end: End
    /// A part of the error's message.
    let message: String
    /// The seconds from the start in which no later import asks.
    let held: Int64

    init(
        _ sentence: String, _ answers: [ClientAnswer], waits: [Double] = [], _ end: End = .added,
        _ message: String = "",
        held: Int64 = 0
    ) {
        (testDescription, self.answers, self.waits) = (sentence, answers, waits)
        (self.end, self.message, self.held) = (end, message, held)
    }

    private func at(_ service: @escaping @Sendable (WebAddress) throws -> any Service) -> Course {
        var course = self
        course.service = service
        return course
    }

    var kind: ServiceError.Kind? {
        switch end {
        case .added: nil
        case .refused: .refused
        case .unreachable: .unreachable
        case .held: .comeBack(Date(timeIntervalSince1970: 1_800_000_000 + Double(held)))
        }
    }

    private static let forbidden = #"{"message":"Resource protected by organization SAML enforcement."}"#
    private static let busy = answer(503, "", ["retry-after": "0"])
    private static let circle = answer(302, "", ["location": "/users"])
    /// The service's clock is an hour ahead of ours; the limit resets in 100 seconds.
    private static let ahead = [
        "date": "Fri, 15 Jan 2027 09:00:00 GMT", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1800003700",
    ]

    static let gitHub = [
        // 1, 2 and 4 seconds, plus up to half of that.
        Course("pauses before retries grow", [answer(500), answer(502), answer(200, "[{"), page], waits: [1.5, 3, 6]),
        Course(
            "the fourth failure ends it", [answer(503), answer(500), answer(504), answer(502)], waits: [1.5, 3, 6],
            .unreachable, "GitHub answered 502; tried 4 times"),
        Course(
            "a rate limit without a time means minutes",
            [
                answer(403, limit), answer(429, limit), answer(403, limit, ["x-ratelimit-remaining": "7"]),
                answer(403, limit),
            ],
            waits: [60, 120, 240], .held, held: 420 + 480),
        Course("the server's clock counts", [answer(403, limit, ahead), page], waits: [100]),
        Course("retry-after is seconds", [answer(503, "", ["retry-after": "30"]), page], waits: [30]),
        Course(
            "or a date", [answer(503, "", ["retry-after": "Fri, 15 Jan 2027 08:00:40 GMT"]), page], waits: [40]),
        Course(
            "retry-after overrides the reset",
            [limited(["retry-after": "5", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1800000600"]), page],
            waits: [5]),
        Course(
            "limits of older Enterprise Servers",
            [answer(403, #"{"message":"You have triggered an abuse detection mechanism."}"#), page], waits: [60]),
        Course("limits of networks before a server", [answer(403, "", ["retry-after": "60"]), page], waits: [60]),
        Course(
            "a long wait ends it", [limited(["retry-after": "901"])], .held, "; come back at 2027-01-15T08:15:01Z",
            held: 901),
        Course("a refusal is no limit", [answer(403, forbidden)], .refused, "GitHub answered 403: Resource protected"),
        Course("nor with requests left", [answer(403, forbidden, ["x-ratelimit-remaining": "4990"])], .refused),
        Course("a firewall refuses", [answer(403, "Request forbidden by administrative rules.")], .refused),
        Course(
            "a token that is wrong", [answer(401, #"{"message":"Bad credentials"}"#)], .refused,
            "does not accept the token: Bad credentials"),
        Course("nothing at all", [answer(204)], .refused),
        Course("a redirect within the origin", [answer(301, "", ["location": "/users?since=0&per_page=100"]), page]),
        Course(
            "a redirect to another origin", [answer(302, "", ["location": "https://evil.example/users"])], .refused,
            "redirects to https://evil.example:443"),
        Course("a circle", Array(repeating: circle, count: 6), .refused, "redirects in a circle"),
    ]

    static let fields =
        [400, 401, 404, 422].map { Course("status \($0)", [answer($0, "{}")], .refused) }
        + ["0", "-5", "Thu, 01 Jan 1970 00:00:00 GMT"].map { past in
            let busy = answer(503, "", ["retry-after": past])
            return Course(
                "a time in the past causes no wait", [busy, busy, busy, busy], waits: [1.5, 3, 6], .unreachable)
        }
        + ["9223372036854775807", "-1", "99999999999999"].map { reset in
            let answers = [limited(["x-ratelimit-remaining": "0", "x-ratelimit-reset": reset]), page]
            return Course("an impossible reset time is ignored", answers, waits: [60])
        }
        + ["9223372036854775807", "Fri, 31 Dec 9999 23:59:59 GMT"].map {
            Course("no pause is longer than a week", [limited(["retry-after": $0])], .held, held: 604_800)
        }

    private static func exchange(_ number: Int, _ name: String, _ text: String, _ more: String = "") -> ClientAnswer {
        answer(400, #"{"error_id":\#(number),"error_name":"\#(name)","error_message":"\#(text)"\#(more)}"#)
    }

    private static func users(_ more: String) -> ClientAnswer {
        answer(200, #"{"items":[{"user_id":1,"display_name":"U","reputation":1}],\#(more)}"#)
    }

    private static func violation(_ seconds: Int) -> ClientAnswer {
        exchange(502, "throttle_violation", "too many requests, more requests available in \(seconds) seconds")
    }

    private static let last = users(#""has_more":false"#)

    static let stackExchange = [
        Course("no request is repeated within a minute", [answer(500), last], waits: [90]),
        Course("a backoff is extended by two seconds", [users(#""has_more":true,"backoff":1"#), last], waits: [3]),
        Course("that of the last page is remembered", [users(#""has_more":false,"backoff":1000"#)], held: 1002),
        Course(
            "that of an error is waited for", [exchange(503, "x", "later", #","backoff":200"#), last], waits: [202]),
        Course(
            "or remembered", [exchange(400, "bad_parameter", "no", #","backoff":1000"#)], .refused, "bad_parameter: no",
            held: 1002),
        Course(
            "a quota that is used up ends it until tomorrow", [users(#""has_more":true,"quota_remaining":0"#)], .held,
            "daily quota is used up; come back at 2027-01-16T00:00:00Z", held: 57_600),
        Course("a short throttle is waited for", [violation(1), last], waits: [1]),
        Course(
            "a long one is reported", [violation(80365)], .held, "available in 80365 seconds; come back at", held: 80365
        ),
    ].map { $0.at { try StackExchange(base: $0, site: "stackoverflow") } }

    static let rickAndMorty = [
        Course(
            "a wrong path", [answer(404, #"{"error":"There is nothing here."}"#)], .refused, "There is nothing here."),
        Course("too many requests", [answer(429, "{}")], .held, "10,000 times today; come back at", held: 43_200),
    ].map { $0.at { try RickAndMorty(base: $0) } }
}

@Suite("ServiceSource")
struct ServiceSourceTests {
    @Test(arguments: Course.gitHub + Course.fields + Course.stackExchange + Course.rickAndMorty)
    func answersAreWaitedForOrEndTheImport(_ course: Course) throws {
        let rehearsal = try Rehearsal()
        rehearsal.next(course.answers)
        let summary = rehearsal.run(try course.service(rehearsal.base))
        #expect(rehearsal.waits == course.waits && rehearsal.asked.count == course.answers.count)
        #expect(summary.serviceError?.kind == course.kind && (summary.counts.added > 0 || course.end != .added))
        #expect(course.message.isEmpty || summary.message.contains(course.message), "\(summary.message)")
        let until = course.held == 0 ? 0 : 1_800_000_000 + course.held
        #expect((rehearsal.writer.checkpoints.last?.heldUntil ?? 0) == until, "the next run waits")
    }

    @Test func thePathOfAnEnterpriseServerIsKept() throws {
        let start = try GitHub(base: WebAddress("https://git.example.org/api/v3")).start.text
        #expect(start == "https://git.example.org/api/v3/users?since=0&per_page=100")
    }

    @Test func aRecordLimitEndsTheImportInTheMiddleOfAPage() throws {
        let people = answer(
            200, #"[{"id":1,"login":"ada"},{"id":2,"login":"bo"}]"#, ["link": "</users?since=2>; rel=\"next\""])
        let rehearsal = try Rehearsal(people)
        let summary = rehearsal.run(try GitHub(base: rehearsal.base), change: { $0.limit = 1 })
        #expect(summary.isComplete && summary.counts.added == 1 && rehearsal.asked.count == 1)
    }

    @Test func lostConnectionsAreRetriedThreeTimes() throws {
        let rehearsal = try Rehearsal()
        let failure = rehearsal.run(try GitHub(base: rehearsal.base)).serviceError
        #expect(failure == ServiceError(.unreachable, "gone; tried 4 times"))
        #expect(rehearsal.asked.count == 4)
        #expect(rehearsal.writer.checkpoints.isEmpty, "a service that was never reached leaves no directory")
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
        let failure = rehearsal.run(try GitHub(base: rehearsal.base)).serviceError
        #expect(failure?.kind == .comeBack(Date(timeIntervalSince1970: 1_800_000_014 + 480)))
        #expect(rehearsal.asked.count == 4 && rehearsal.writer.checkpoints.last?.heldUntil == 1_800_000_494)
    }

    @Test func aTokenInAResponseIsNeitherSavedNorReported() throws {
        let token = try #require(Secret("ghpSECRETtoken123"))
        let people = #"[{"id":1,"login":"ada"},{"id":2,"login":"ghpSECRETtoken123"},{"id":"ghpSECRETtoken123"}]"#
        let link = "<https://api.example.org/users?t=ghpSECRETtoken123>; rel=\"next\""
        let rehearsal = try Rehearsal(
            answer(200, people, ["etag": "\"ghpSECRETtoken123\""]), answer(200, people, ["link": link]))
        var told = ""
        for _ in 1...2 {
            let summary = try rehearsal.run(GitHub(base: rehearsal.base, token: token))
            told += "\(rehearsal.rejections)\n\(summary.end)\n"
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
        let failure = rehearsal.run(try GitHub(base: rehearsal.base), ledger: ledger).serviceError
        #expect(failure?.reason.contains("leads in circles") == true, "\(String(describing: failure))")
        #expect(rehearsal.asked.count <= 4)
    }

    @Test func aFreshStartIgnoresAnEarlierPause() throws {
        let rehearsal = try Rehearsal(page, page)
        var held = CircleLedger().checkpoint()
        held?.heldUntil = 1_900_000_000
        let ledger = ProgressLedger(last: held)
        let github = try GitHub(base: rehearsal.base)
        let failure = rehearsal.run(github, ledger: ledger).serviceError
        #expect(failure?.kind == .comeBack(Date(timeIntervalSince1970: 1_800_604_800)))
        #expect(rehearsal.run(github, change: { $0.isFresh = true }, ledger: ledger).counts.added == 1)
        #expect(rehearsal.asked.count == 1)
    }

    @Test(arguments: [
        ("//evil.example/users", "https://evil.example:443"),
        ("http://api.example.org/users", "http://api.example.org:80"),
        ("https://api.example.org:8443/", "https://api.example.org:8443"),
    ])
    func linksToOtherOriginsAreRejected(_ link: String, _ origin: String) throws {
        let rehearsal = try Rehearsal(answer(200, #"[{"id":1,"login":"ada"}]"#, ["link": "<\(link)>; rel=\"next\""]))
        let failure = rehearsal.run(try GitHub(base: rehearsal.base)).serviceError
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
        defer { rehearsal.writer.onWrite = {} }
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
