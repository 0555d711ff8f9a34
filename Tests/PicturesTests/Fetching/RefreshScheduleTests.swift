import Foundation
import HTTPClient
import People
import Testing

@testable import Pictures

@Suite("When a picture is asked for again")
struct RefreshScheduleTests {
    private let now: Int64 = 1_800_000_000
    private let day: Int64 = 86_400

    private func pause(_ outcome: PictureOutcome, address: String = "https://a.org/1", failures: Int = 0) -> Int64 {
        return PictureSource(address: address, failures: failures).due(after: outcome, at: now) - now
    }

    @Test func aPictureIsRefreshedAfterSevenDaysMoreOrLess() {
        let pauses = (0..<1000).map { pause(.unchanged, address: "https://a.org/\($0)") }
        #expect(pauses.allSatisfy { (7 * day * 9 / 10...7 * day * 11 / 10).contains($0) })
        #expect(Set(pauses).count > 900, "they are spread")
        #expect(pauses == (0..<1000).map { pause(.missing, address: "https://a.org/\($0)") }, "and always the same")
    }

    @Test(arguments: [(0, 3600), (1, 86_400), (2, 604_800), (3, 2_592_000), (4, 2_592_000), (400, 2_592_000)])
    func failuresAreRepeatedLessAndLess(_ failures: Int, _ expected: Int64) {
        #expect(pause(.failed(reason: ""), failures: failures) == expected)
    }

    @Test func aRefusedFileIsTriedAgainAfterAMonth() { #expect(pause(.refused(reason: "")) == 30 * day) }
}

@Suite("Responses to requests for pictures")
struct PictureResponseTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func response(_ status: Int, _ fields: [String: String] = [:]) throws -> PictureResponse {
        let answer = ClientAnswer(status: status, fields: fields, body: [1])
        return PictureResponse(answer, from: try WebAddress("https://a.org/1"), isConditional: true, now: now)
    }

    @Test func theStatusDecides() throws {
        guard case .file([1], _) = try response(200, ["content-type": "text/html"]) else {
            Issue.record("the first bytes of a file decide, whatever its media type")
            return
        }
        #expect(try response(304) == .unchanged)
        for status in [404, 410] { #expect(try response(status) == .missing) }
        for status in [301, 302, 303, 307, 308] {
            #expect(try response(status, ["location": "/2"]) == .moved(WebAddress("https://a.org/2")))
        }
        #expect(try response(429) == .limited(until: nil))
        for status in [429, 503] { #expect(try response(status, ["retry-after": "7"]) == .limited(until: now + 7)) }
    }

    @Test(arguments: [(500, true), (503, true), (401, true), (403, true), (400, false), (206, false), (204, false)])
    func otherStatusesAreFailures(_ status: Int, _ isOfHost: Bool) throws {
        let failure = PictureFailure("the host answered \(status)", host: "a.org", isOfHost: isOfHost)
        #expect(try response(status) == .failed(failure))
        #expect("\(failure)" == "a.org: the host answered \(status)")
    }

    @Test func a304ToAnUnconditionalRequestIsAFailure() throws {
        let answer = ClientAnswer(status: 304)
        let found = PictureResponse(answer, from: try WebAddress("https://a.org/1"), isConditional: false, now: now)
        #expect(found == .failed(PictureFailure("the host answered 304", host: "a.org")))
    }

    @Test func redirectsToOtherSchemesAreFailures() throws {
        for link in ["file:///etc/passwd", "gopher://a.org/"] {
            let failure = PictureFailure("it redirects to something that is not a web address", host: "a.org")
            #expect(try response(302, ["location": link]) == .failed(failure))
        }
        #expect(try response(302) == .failed(PictureFailure("it redirects without an address", host: "a.org")))
    }

    @Test func failedRequestsAreCountedByReasonAndNameTheHost() throws {
        let address = try WebAddress("https://a.org/1")
        let lost = PictureResponse(ClientError.lost("https://a.org:443: Couldn't connect to server"), from: address)
        #expect(lost == .failed(PictureFailure("Couldn't connect to server", host: "a.org", isOfHost: true)))
        let refused = PictureResponse(ClientError.refused("a.org: its address is private"), from: address)
        #expect(refused == .failed(PictureFailure("its address is private", host: "a.org")))
        let slow = PictureResponse(ClientError.slow("https://a.org:443 did not answer in time"), from: address)
        #expect(slow == .failed(PictureFailure("did not answer in time", host: "a.org", isOfHost: true)))
    }
}
