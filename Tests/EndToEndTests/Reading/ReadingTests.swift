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

    private func idsOfUsers(in answer: CurlAnswer) throws -> [Int] {
        if answer.fields["content-type"]?.hasPrefix("application/json") == true {
            let users = try JSONSerialization.jsonObject(with: answer.body) as? [[String: Any]]
            return (users ?? []).compactMap { $0["id"] as? Int }
        }
        return answer.text.matches(of: /data-id="(\d+)"/).compactMap { Int($0.1) }
    }
}
