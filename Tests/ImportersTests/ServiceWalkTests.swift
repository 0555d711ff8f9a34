import Foundation
import HTTPClient
import People
import Publishing
import Testing

@testable import Importers

/// A page of GitHub with the accounts `ids`, and with a link to those after `next`.
private func accounts(_ ids: Int..., next: Int? = nil) -> ClientAnswer {
    let users = ids.map { #"{"id":\#($0),"login":"u\#($0)"}"# }.joined(separator: ",")
    let link = next.map { ["link": "<https://api.example.org/users?since=\($0)>; rel=\"next\""] }
    return answer(200, "[\(users)]", link ?? [:])
}

/// A page of Stack Exchange.
private func users(_ ids: Int..., hasMore: Bool = false) -> ClientAnswer {
    let items = ids.map { #"{"user_id":\#($0),"display_name":"U \#($0)","reputation":1}"# }.joined(separator: ",")
    return answer(200, #"{"items":[\#(items)],"has_more":\#(hasMore)}"#)
}

private let gone = answer(404, #"{"message":"Not Found"}"#)

@Suite("Walks through the pages of a service")
struct ServiceWalkTests {
    private func ids(_ rehearsal: Rehearsal) -> [Int64] { rehearsal.writer.sorted.map(\.id) }

    @Test func peopleWhoseIDsThePublisherHidesAreImportedWithoutThem() throws {
        let rehearsal = try Rehearsal(accounts(70, 80))
        var (request, own) = (ImportRequest(), Settings())
        own.fields = [FieldSettings(key: "id", from: "id")]
        own.fields[0].show = .private
        request.own = own
        #expect(rehearsal.run(try GitHub(base: rehearsal.base), request: request).isComplete)
        #expect(rehearsal.rejections == [])
        #expect(rehearsal.writer.read.map(\.login) == ["u70", "u80"])
        #expect(!rehearsal.writer.read.contains { [70, 80].contains($0.id) })
    }

    // MARK: - The end

    @Test func aPageWithoutAnybodyIsNotTheEndIfItLinksToAnother() throws {
        let rehearsal = try Rehearsal(accounts(1, next: 1), accounts(next: 5), accounts(7))
        #expect(rehearsal.run(try GitHub(base: rehearsal.base)).isComplete)
        #expect(ids(rehearsal) == [1, 7])
        rehearsal.next(users(1, hasMore: true), users(hasMore: true), users(2))
        #expect(rehearsal.run(try StackExchange(base: rehearsal.base, site: "french")).isComplete)
        #expect(rehearsal.asked.suffix(3).map { $0.suffix(7) } == ["&page=1", "&page=2", "&page=3"])
    }

    @Test func aPageWithoutAnybodyThatLinksToItselfIsTheEnd() throws {
        let rehearsal = try Rehearsal(accounts(1, next: 1), accounts(next: 1))
        #expect(rehearsal.run(try GitHub(base: rehearsal.base)).isComplete)
        #expect(rehearsal.asked.count == 2)
    }

    @Test func pagesWithoutAnybodyDoNotFollowForEver() throws {
        let rehearsal = try Rehearsal()
        rehearsal.next(Array(repeating: users(hasMore: true), count: 1000))
        let key = try #require(Secret("key"))
        let failure = rehearsal.run(try StackExchange(base: rehearsal.base, site: "french", key: key)).serviceError
        #expect(failure?.kind == .unreachable && rehearsal.asked.count == 101, "\(String(describing: failure))")
    }

    @Test func withoutAKeyStackExchangeEndsAtPage25() throws {
        let rehearsal = try Rehearsal()
        rehearsal.next((1...26).map { users($0, hasMore: true) })
        let summary = try rehearsal.run(StackExchange(base: rehearsal.base, site: "french"), prunes: true)
        #expect(summary.isComplete && rehearsal.asked.count == 25)
        let reason = "without a key, Stack Exchange gives only the first 25 pages of a site"
        #expect(rehearsal.notes.contains(reason) && summary.keptBecause == reason)
        #expect(rehearsal.writer.checkpoints.last?.isComplete == true)
    }

    // MARK: - Who is removed

    @Test func whoSlipsBetweenNumberedPagesStays() throws {
        let rehearsal = try Rehearsal(users(1, 2, hasMore: true), users(3, 4))
        let exchange = try StackExchange(base: rehearsal.base, site: "french")
        #expect(rehearsal.run(exchange, prunes: true).removed == 0)
        // 1 is deleted after the first page was sent: 3 moves to it, and is on no page. Then 3 is back.
        for (first, second, left) in [
            (users(1, 2, hasMore: true), users(4), [1, 2, 3, 4]), (users(2, 3, hasMore: true), users(4), [1, 2, 3, 4]),
            (users(2, 4, hasMore: true), users(), [2, 3, 4]), (users(2, 4, hasMore: true), users(), [2, 4]),
        ] as [(ClientAnswer, ClientAnswer, [Int64])] {
            rehearsal.next(first, second)
            #expect(rehearsal.run(exchange, prunes: true).isComplete)
            #expect(ids(rehearsal) == left)
            let notes = rehearsal.notes.joined()
            #expect(notes.contains("was on no page of the service") == (left.count > 2), "\(notes)")
        }
    }

    @Test func anEmptyPageAmongOthersRemovesNobodyAtOnce() throws {
        let rehearsal = try Rehearsal(accounts(1, next: 1), accounts(2, next: 2), accounts(3))
        let github = try GitHub(base: rehearsal.base)
        #expect(rehearsal.run(github, prunes: true).isComplete)
        rehearsal.next(accounts(1, next: 1), accounts(next: 2), accounts(3))
        #expect(rehearsal.run(github, prunes: true).removed == 0 && ids(rehearsal) == [1, 2, 3])
        rehearsal.next(accounts(1, next: 1), accounts(3))
        #expect(rehearsal.run(github, prunes: true).removed == 1, "a walk of GitHub's cursors misses nobody")
    }

    // MARK: - What cannot be had

    private func stopped(at frontier: String..., scope: String) -> ProgressLedger {
        var last = Checkpoint(source: "\(scope) limit=0", pass: 4, startedAt: 0)
        last.frontier = frontier
        return ProgressLedger(last: last)
    }

    @Test func anImportBeginsAgainIfThePageWhereItStoppedIsGone() throws {
        let rehearsal = try Rehearsal(gone, accounts(1, next: 1), accounts(2))
        let github = try GitHub(base: rehearsal.base)
        let ledger = stopped(at: "https://api.example.org/users?since=90", scope: github.scope)
        let summary = rehearsal.run(github, ledger: ledger, prunes: true)
        #expect(summary.isComplete && ids(rehearsal) == [1, 2] && summary.removed == 0)
        #expect(rehearsal.writer.checkpoints.map(\.pass) == [5, 5])
        #expect(rehearsal.writer.checkpoints.last?.requests == 2)

        let character = #"{"info":{"count":1,"next":null},"results":[{"id":1,"name":"A","species":"B","status":"C"}]}"#
        rehearsal.next(answer(404, #"{"error":"There is nothing here"}"#), answer(200, character))
        let characters = try RickAndMorty(base: rehearsal.base)
        let place = stopped(at: "https://api.example.org/character?page=42", scope: characters.scope)
        #expect(rehearsal.run(characters, ledger: place).isComplete)

        // An earlier version stopped there, or a key has been taken away.
        let refusal = #"{"error_id":403,"error_name":"access_denied","error_message":"page above 25 requires a key"}"#
        rehearsal.next(answer(400, refusal), users(9))
        let exchange = try StackExchange(base: rehearsal.base, site: "french")
        let beyond = exchange.start.text.replacingOccurrences(of: "&page=1", with: "&page=26")
        #expect(rehearsal.run(exchange, ledger: stopped(at: beyond, scope: exchange.scope)).isComplete)
    }

    @Test func anImportThatContinuesAnotherRemovesNobody() throws {
        let rehearsal = try Rehearsal(accounts(1, next: 1), accounts(2), accounts(2))
        let github = try GitHub(base: rehearsal.base)
        #expect(rehearsal.run(github).isComplete)
        let ledger = stopped(at: "https://api.example.org/users?since=1", scope: github.scope)
        let summary = rehearsal.run(github, ledger: ledger, prunes: true)
        #expect(summary.isComplete && summary.removed == nil && ids(rehearsal) == [1, 2])
        #expect(summary.keptBecause?.hasPrefix("the import continued an interrupted one") == true)
    }

    @Test func aPageThatIsGoneEndsAWalkFromTheBeginning() throws {
        let rehearsal = try Rehearsal(accounts(1, next: 1), gone)
        let failure = rehearsal.run(try GitHub(base: rehearsal.base)).serviceError
        #expect(failure == ServiceError(.unreachable, "GitHub answered 404: Not Found"), "the next run begins again")
        #expect(rehearsal.asked.count == 2 && ids(rehearsal) == [1])
    }

    @Test func aRecordThatHasMovedIsReadAndOneThatIsGoneIsLeftOut() throws {
        let rehearsal = try Rehearsal(
            accounts(1, 2, 3, 4, 5), answer(301, "", ["location": "/user/1"]),
            answer(200, #"{"id":1,"login":"new","name":"Ada"}"#), answer(451), gone,
            answer(301, "", ["location": "/user/4"]), gone, answer(200, #"{"id":5,"login":"u5"}"#))
        let summary = rehearsal.run(try GitHub(base: rehearsal.base, details: true))
        #expect(summary.isComplete && ids(rehearsal) == [1, 5] && summary.progress.service.missing == 3)
        #expect(summary.keptBecause == nil, "nobody was to be removed")
        #expect(rehearsal.writer.users[1]?.name == "Ada")
        rehearsal.next(accounts(1, 5), gone, answer(200, #"{"id":5,"login":"u5"}"#))
        let pruning = rehearsal.run(try GitHub(base: rehearsal.base, details: true), prunes: true)
        #expect(pruning.removed == nil && pruning.keptBecause == "some people had no record of their own")
    }

    @Test(arguments: [answer(200, "<html>"), answer(301, "", ["location": "https://elsewhere.example/user/1"])])
    func aRecordThatStopsTwoRunsIsLeftOutByTheSecond(_ bad: ClientAnswer) throws {
        let github = try GitHub(base: WebAddress("https://api.example.org"), details: true)
        let rehearsal = try Rehearsal(accounts(1, 2), bad, bad, bad, bad)
        #expect(rehearsal.run(github).serviceError?.kind == .unreachable)
        let ledger = ProgressLedger(last: rehearsal.writer.checkpoints.last)
        let tries = rehearsal.asked.count - 1
        rehearsal.next(Array(repeating: bad, count: tries) + [answer(200, #"{"id":2,"login":"u2"}"#)])
        let summary = rehearsal.run(github, ledger: ledger)
        #expect(summary.isComplete && ids(rehearsal) == [2] && summary.progress.service.missing == 1)
    }

    /// Bytes that no JSON has: not UTF-8, half a character, control characters.
    @Test(arguments: [[0xFF], [0xC3], [0x00], [0x0A]] as [[UInt8]])
    func aBadByteRejectsItsRecordAndNotThePage(_ bad: [UInt8]) throws {
        var first = accounts(1, 2, 3, next: 3)
        let place = try #require(first.body.firstRange(of: Array("u2".utf8)))
        first.body.insert(contentsOf: bad, at: place.lowerBound + 1)
        first.body = [0xEF, 0xBB, 0xBF] + first.body
        let rehearsal = try Rehearsal(first, accounts(4))
        let summary = rehearsal.run(try GitHub(base: rehearsal.base))
        let rejections = rehearsal.rejections
        #expect(summary.isComplete && ids(rehearsal) == [1, 3, 4] && rejections.count == 1, "\(rejections)")
        #expect(rehearsal.waits.isEmpty)
    }

    @Test func invalidRecordsAreRejectedOneByOne() throws {
        let records = #"[{"login":"","id":7},{"login":"x","id":"ten"},null,{"login":"no-id"},{"login":"ada","id":1}]"#
        let rehearsal = try Rehearsal(answer(200, records))
        _ = rehearsal.run(try GitHub(base: rehearsal.base))
        let rejections = rehearsal.rejections
        let page = "of /users?since=0&per_page=100: expected"
        for (rejection, start) in zip(
            rejections, ["id 7: expected a login", "record 2 \(page) \"id\"", "record 3 of /users"])
        {
            #expect(rejection.hasPrefix(start), "\(rejection)")
        }
        #expect(rejections.count == 4 && rejections[3] == "record 4 \(page) an id, found none", "\(rejections)")
        #expect(ids(rehearsal) == [1])
    }

    @Test func aByteOrderMarkSpoilsNothing() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var (list, record) = (accounts(1), answer(200, #"{"id":1,"login":"u1"}"#))
        (list.body, record.body) = (mark + list.body, mark + record.body)
        let rehearsal = try Rehearsal(list, record)
        let summary = rehearsal.run(try GitHub(base: rehearsal.base, details: true))
        #expect(summary.isComplete && ids(rehearsal) == [1] && summary.progress.rejected == 0)
    }

    // MARK: - What is not stored

    @Test func whatAServerTellsAdministratorsIsNotStored() throws {
        let account = #"""
            {"id":1,"login":"ada","bio":"Counts","ldap_dn":"uid=s3cret","suspended_at":"s3cret",
            "two_factor_authentication":"s3cret","plan":{"name":"s3cret","space":4},"email":"s3cret@example.org"}
            """#
        let rehearsal = try Rehearsal(answer(200, "[\(account)]"))
        #expect(rehearsal.run(try GitHub(base: rehearsal.base)).isComplete)
        let stored = "\(rehearsal.writer.users)"
        #expect(stored.contains("Counts") && !stored.contains("s3cret"), "\(stored)")
    }

    @Test func aFileOfAnEnterpriseServersAccountsHasNoMore() throws {
        let account =
            #"{"id":1,"login":"ada","node_id":"x","avatar_url":"https://example.org/1.png","gravatar_id":"","#
            + #""html_url":"https://example.org/ada","type":"User","site_admin":false,"bio":"Counts","#
            + #""ldap_dn":"uid=s3cret","suspended_at":"s3cret","plan":{"name":"s3cret"}}"#
        let file = try FileImport()
        #expect(try file.run("[\(account)]", as: "accounts.json").summary.isComplete)
        let stored = "\(file.writer.users)"
        #expect(stored.contains("Counts") && !stored.contains("s3cret"), "\(stored)")
    }
}
