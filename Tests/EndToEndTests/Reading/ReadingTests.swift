import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite("Reading a directory with curl", .onThreadsForPrograms)
struct ReadingTests {
    static let total = 245
    let program: SharedServer
    init() throws { program = try .demo(users: Self.total) }

    @Test func aWalkOverLinksVisitsEveryUserOnceAndInOrder() throws {
        for start in ["/?per_page=30", "/fragment", "/api/v3/users?per_page=100"] {
            var ids: [Int] = []
            var next: String? = start
            while let target = next {
                let answer = try get(target.hasPrefix("http") ? target : program.url + target)
                #expect(answer.status == 200)
                #expect(answer.fields["x-total-count"] == "\(Self.total)")
                ids += try idsOfUsers(in: answer)
                next = answer.link("next")
            }
            #expect(ids.count == Self.total, "\(start)")
            #expect(ids == Array(Set(ids)).sorted(), "\(start)")
        }
    }

    @Test(arguments: [("login", "asc"), ("name", "desc"), ("reputation", "desc")])
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
            let answer = try get(program.url + target)
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
        let plain = try get(program.url + "/")
        let raw = try get(program.url + "/", "Accept-Encoding: gzip")
        #expect(raw.fields["content-encoding"] == "gzip")
        #expect(raw.body.prefix(2) == Data([0x1F, 0x8B]))
        #expect(raw.body.count * 3 < plain.body.count)
        #expect(try curl("--compressed", program.url + "/").body == plain.body)
    }

    @Test func headIsGetWithoutTheBody() throws {
        let get = try get(program.url + "/")
        let head = try curl("-I", program.url + "/")
        #expect(head.body.isEmpty || head.text.hasPrefix("HTTP/"))
        for name in ["content-length", "etag", "link", "content-type", "x-total-count"] {
            #expect(head.fields[name] == get.fields[name], "\(name)")
        }
    }

    @Test func methodsThatAreNotAllowedAreRefused() throws {
        let post = try curl("-d", "a=b", program.url + "/")
        #expect(post.status == 405)
        #expect(post.fields["allow"] == "GET, HEAD, OPTIONS")
        #expect(try curl("-X", "BREW", program.url + "/").status == 501)
    }

    @Test func pagesHaveSecurityFieldsAndAreForTheirOwnOrigin() throws {
        let fields = try get(program.url + "/", "Origin: https://elsewhere.example").fields
        let policy = try #require(fields["content-security-policy"])
        #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
        #expect(fields["x-content-type-options"] == "nosniff" && fields["access-control-allow-origin"] == nil)
        #expect(fields["referrer-policy"] != nil && fields["x-frame-options"] != nil)
        let style = try get(program.url + "/style.css", "Origin: https://elsewhere.example")
        #expect(style.fields["access-control-allow-origin"] == "*")
    }

    @Test func machineReadableResourcesExist() throws {
        #expect(try get(program.url + "/healthz").text == "ok\n")
        #expect(try get(program.url + "/readyz").text == "ready\n")
        #expect(try get(program.url + "/robots.txt").text.hasPrefix("User-agent: *"))
        let icon = try get(program.url + "/favicon.ico")
        #expect(icon.status == 200 && icon.fields["content-type"] == "image/x-icon")
    }

    @Test func rawUTF8InAQueryIsAccepted() throws {
        #expect(try curl("--globoff", program.url + "/fragment?q=김").status == 200)
    }
}
