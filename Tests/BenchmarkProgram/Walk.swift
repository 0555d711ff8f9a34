import Foundation
import TestSupport

/// Follows a directory's `next` links from end to end, and checks that every user appears exactly once and in order.
struct Walk {
    let people: People

    struct Figures {
        var users = 0
        var requests = 0
        var seconds = 0.0
    }

    /// Throws an error that says where a user is missing, repeated or out of order.
    func run() throws -> Figures {
        let rollcall = try RollcallProcess(["serve", "--database", people.database.path])
        defer { rollcall.stop() }
        let connection = try Connection(port: rollcall.port)
        defer { connection.close() }
        var figures = Figures()
        let start = ContinuousClock.now
        var last: Int64 = 0
        var target: String? = "/fragment?per_page=100"
        while let page = target {
            let answer = try connection.get(page)
            for id in ids(in: answer.body) {
                guard id > last else { throw Failure("\(page): id \(id) comes after \(last)") }
                last = id
                figures.users += 1
            }
            figures.requests += 1
            let total = answer.headers["x-total-count"] ?? "missing"
            guard total == "\(people.count)" else {
                throw Failure("\(page): the total is not \(people.count) but \(total)")
            }
            target = answer.link("next")
        }
        guard figures.users == people.count else {
            throw Failure("\(figures.users) users found, \(people.count) were imported")
        }
        figures.seconds = (ContinuousClock.now - start) / .seconds(1)
        return figures
    }

    /// Returns the numbers after each `data-id="`.
    private func ids(in body: [UInt8]) -> [Int64] {
        let mark = Array("data-id=\"".utf8)
        var ids: [Int64] = []
        var index = 0
        while index + mark.count < body.count {
            guard body[index] == mark[0], body[index..<(index + mark.count)].elementsEqual(mark) else {
                index += 1
                continue
            }
            index += mark.count
            var id: Int64 = 0
            while index < body.count, body[index] &- 48 < 10 {
                id = id * 10 + Int64(body[index] - 48)
                index += 1
            }
            ids.append(id)
        }
        return ids
    }
}

extension Connection {
    /// Returns the response to a `GET`. Throws unless its status is 200.
    func get(_ target: String) throws -> Exchange {
        let answer = try Exchange(on: self, target: target)
        guard answer.status == 200 else { throw Failure("GET \(target): status \(answer.status)") }
        return answer
    }
}
