import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite("Reading a directory with curl", .onThreadsForPrograms)
struct ReadingTests {
    static let total = 245
    let program: RollcallProcess
    init() throws { program = try .demo(users: Self.total) }

    @Test func aWalkOverLinksVisitsEveryUserOnceAndInOrder() throws {
        for start in ["/?per_page=30", "/fragment", "/api/v3/users?per_page=100"] {
            var ids: [Int] = []
            var next: String? = start
            while let target = next {
                let answer = try curl(target.hasPrefix("http") ? target : program.url + target)
                #expect(answer.status == 200)
                #expect(answer.fields["x-total-count"] == "\(Self.total)")
                ids += try idsOfUsers(in: answer)
                next = answer.link("next")
            }
            #expect(ids.count == Self.total, "\(start)")
            #expect(ids == Array(Set(ids)).sorted(), "\(start)")
        }
    }

    @Test(arguments: ["login", "name", "reputation"], ["asc", "desc"])
    func everyOrderIsTotalInBothDirections(_ sort: String, _ order: String) throws {
        let forward = try walk("/fragment?per_page=60&sort=\(sort)&order=\(order)", "next")
        let backward = try walk("/fragment?per_page=60&sort=\(sort)&order=\(order)&before=", "prev")
        #expect(Set(forward.joined()).count == Self.total)
        #expect(forward.joined().count == Self.total)
        #expect(Array(backward.reversed().joined()) == Array(forward.joined()))
    }

    private func walk(_ start: String, _ relation: String) throws -> [[Int]] {
        var pages: [[Int]] = []
        var next: String? = start
        while let target = next {
            let answer = try curl(program.url + target)
            pages.append(try idsOfUsers(in: answer))
            next = answer.link(relation)
        }
        return pages
    }

    private func idsOfUsers(in answer: CurlAnswer) throws -> [Int] {
        if answer.fields["content-type"]?.hasPrefix("application/json") == true {
            let users = try JSONSerialization.jsonObject(with: answer.body) as? [[String: Any]]
            return (users ?? []).compactMap { $0["id"] as? Int }
        }
        return answer.text.matches(of: /data-id="(\d+)"/).compactMap { Int($0.1) }
    }

    @Test func gzipIsUsedOnRequest() throws {
        let plain = try curl(program.url + "/")
        let raw = try curl("-H", "Accept-Encoding: gzip", program.url + "/")
        #expect(raw.fields["content-encoding"] == "gzip")
        #expect(raw.body.prefix(2) == Data([0x1F, 0x8B]))
        #expect(raw.body.count * 3 < plain.body.count)
        #expect(try curl("--compressed", program.url + "/").body == plain.body)
    }

    @Test func anUnchangedPageIsNotSentAgain() throws {
        let first = try curl(program.url + "/fragment")
        let tag = try #require(first.fields["etag"])
        let second = try curl("-H", "If-None-Match: \(tag)", program.url + "/fragment")
        #expect(second.status == 304)
        #expect(second.body.isEmpty)
        #expect(second.fields["etag"] == tag)
    }

    @Test func headIsGetWithoutTheBody() throws {
        let get = try curl(program.url + "/")
        let head = try curl("-I", program.url + "/")
        #expect(head.body.isEmpty || head.text.hasPrefix("HTTP/"))
        for name in ["content-length", "etag", "link", "content-type", "x-total-count"] {
            #expect(head.fields[name] == get.fields[name], "\(name)")
        }
    }

    @Test func errorsHaveTheRequestedFormat() throws {
        let page = try curl(program.url + "/?per_page=0")
        #expect(page.status == 400 && page.text.contains("per_page"))
        let fragment = try curl(program.url + "/fragment?since=abc")
        #expect(
            fragment.status == 400 && fragment.text.hasPrefix("<p role=\"alert\">") && fragment.text.contains("since"))
        let json = try curl(program.url + "/api/v3/users/nobody")
        #expect(json.status == 404 && json.text.contains(#""message":"Not Found""#))
        #expect(try curl(program.url + "/nowhere").status == 404)
        let post = try curl("-d", "a=b", program.url + "/")
        #expect(post.status == 405)
        #expect(post.fields["allow"] == "GET, HEAD, OPTIONS")
        #expect(try curl("-X", "BREW", program.url + "/").status == 501)
    }

    @Test func otherOriginsMayReadFragmentsAndJSON() throws {
        for path in ["/fragment", "/api/v3/users", "/style.css"] {
            let answer = try curl("-H", "Origin: https://elsewhere.example", program.url + path)
            #expect(answer.fields["access-control-allow-origin"] == "*", "\(path)")
            #expect(answer.fields["access-control-expose-headers"]?.contains("X-Total-Count") == true, "\(path)")
        }
        #expect(try curl(program.url + "/").fields["access-control-allow-origin"] == nil)
        let preflight = try curl("-X", "OPTIONS", "-H", "Access-Control-Request-Method: GET", program.url + "/fragment")
        #expect(preflight.status == 204)
        #expect(preflight.fields["access-control-allow-methods"]?.contains("GET") == true)
    }

    @Test func pagesHaveSecurityFields() throws {
        let fields = try curl(program.url + "/").fields
        let policy = try #require(fields["content-security-policy"])
        #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
        #expect(fields["x-content-type-options"] == "nosniff")
        #expect(fields["referrer-policy"] != nil)
        #expect(fields["x-frame-options"] != nil)
    }

    @Test func machineReadableResourcesExist() throws {
        #expect(try curl(program.url + "/healthz").text == "ok\n")
        #expect(try curl(program.url + "/readyz").text == "ready\n")
        #expect(try curl(program.url + "/robots.txt").text.hasPrefix("User-agent: *"))
        let icon = try curl(program.url + "/favicon.ico")
        #expect(icon.status == 200 && icon.fields["content-type"] == "image/x-icon")
    }

    @Test func rawUTF8InAQueryIsAccepted() throws {
        #expect(try curl("--globoff", program.url + "/fragment?q=김").status == 200)
    }
}
