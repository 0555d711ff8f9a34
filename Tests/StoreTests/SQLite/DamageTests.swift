import Foundation
import People
import Publishing
import TestDatabases
import TestSupport
import Testing

@testable import StoreEngine
@testable import StoreSQLite

/// Opens damaged databases, reads them and writes to them. Errors are expected; a trap would end the test process.
///
/// `ROLLCALL_DAMAGED_FILES` sets the number of files (100 by default). If the process ends, the file that did it stays
/// in a folder of the temporary one, and its name says the number of the damage.
@Suite("Damaged databases")
final class DamageTests: DatabaseFolder {
    private static let pageSize = 4096
    private var good: [UInt8] = []

    override init() throws {
        try super.init()
        do {
            let store = try SQLiteStore(path: database, for: .importing)
            let writer = try store.openDirectory(StoreSuite.slug, title: nil, source: "github")
            var checkpoint = Checkpoint(source: "a", pass: 1, startedAt: 5)
            checkpoint.frontier = ["/2"]
            checkpoint.page = VisitedPage(address: "/1", validator: "x", next: ["/2"], users: 3)
            _ = try writer.write(UserBatch((1...700).map(Self.user)), checkpoint: checkpoint)
            _ = try store.forget(.login("user13"), in: nil)
        }
        good = [UInt8](try #require(FileManager.default.contents(atPath: database)))
    }

    private static func user(_ number: Int) -> User {
        User(
            id: Int64(number), login: "user\(number)", name: number % 3 == 0 ? nil : "Annabel Çelik \(number)",
            type: number % 9 == 0 ? "Bot" : "User",
            more: number % 5 == 0 ? #"{"bio":"naïve"}"# : nil)
    }

    @Test func noneEndsTheProcess() throws {
        let count = ProcessInfo.processInfo.environment["ROLLCALL_DAMAGED_FILES"].flatMap { Int($0) } ?? 100
        var outcomes: [String: Int] = [:]
        for number in 0..<count {
            let path = path("damaged-\(number).sqlite")
            defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
            var random = SplitMix(walk: UInt64(number))
            try damage(path, using: &random)
            let start = ContinuousClock.now
            outcomes[try use(path, using: &random), default: 0] += 1
            #expect(ContinuousClock.now - start < .seconds(60), "damage \(number)")
        }
        // If nearly all were refused at once, the test would look at nothing.
        #expect(outcomes["read and written", default: 0] > count / 20, "\(outcomes)")
        #expect(outcomes["refused", default: 0] < count * 3 / 4, "\(outcomes)")
    }

    /// Scans of a table with exchanged pages find rows that lookups do not.
    @Test func pruningExchangedPagesEnds() throws {
        let path = try write("exchanged.sqlite", good)
        let leaves = try SQLiteFile(path).numbers(
            "SELECT pageno FROM dbstat WHERE name = 'userText1' AND pagetype = 'leaf' ORDER BY path"
        ).map(Int.init)
        try #require(leaves.count > 4)
        var bytes = good
        for offset in 0..<Self.pageSize {
            bytes.swapAt((leaves[1] - 1) * Self.pageSize + offset, (leaves[3] - 1) * Self.pageSize + offset)
        }
        try Data(bytes).write(to: URL(filePath: path))
        let store = try SQLiteStore(path: path, for: .importing)
        let writer = try store.openDirectory(StoreSuite.slug, title: nil, source: "github")
        try writer.beginPruning()
        #expect(failure { _ = try writer.removeUsersNotWritten(.missing) }?.kind == .damage)
    }

    /// Only the search for namesakes reads the order by name.
    @Test func whoeverIsForgottenHearsOfADamagedOrder() throws {
        let path = try write("disordered.sqlite", good)
        try SQLiteFile(path).execute(
            "UPDATE userBlock1 SET entries = x'07' WHERE id IN (SELECT block FROM userBlockDirectory1 WHERE sort = 2)")
        let store = try SQLiteStore(path: path, for: .importing)
        #expect(throws: StoreError.damagedOrder) { try store.forget(.id(20), in: nil) }
    }

    // MARK: Damage

    private func damage(_ path: String, using random: inout SplitMix) throws {
        var bytes = good
        let pages = bytes.count / Self.pageSize
        let kind = Int.random(in: 0..<10, using: &random)
        switch kind {
        case 0, 1:
            // Not the first page: SQLite refuses most changes of it at once.
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let (one, other) = (
                    Int.random(in: 1..<pages, using: &random), Int.random(in: 1..<pages, using: &random)
                )
                for offset in 0..<Self.pageSize {
                    bytes.swapAt(one * Self.pageSize + offset, other * Self.pageSize + offset)
                }
            }
        case 2, 3, 4:
            for _ in 0..<(1 << Int.random(in: 0...9, using: &random)) {
                bytes[Int.random(in: 100..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
        case 5:
            let page = Int.random(in: 1..<pages, using: &random)
            let start = page * Self.pageSize + Int.random(in: 0..<Self.pageSize, using: &random)
            let end = min(start + Int.random(in: 1...512, using: &random), bytes.count)
            for index in start..<end { bytes[index] = UInt8.random(in: 0...255, using: &random) }
        default: break
        }
        try Data(bytes).write(to: URL(filePath: path))
        guard kind > 5 else { return }
        let file = try SQLiteFile(path)
        try file.execute("PRAGMA ignore_check_constraints = ON; BEGIN IMMEDIATE")
        for _ in 0..<Int.random(in: 1...2, using: &random) { try damage(file, using: &random) }
        try file.execute("COMMIT")
    }

    private static let numbers: [Int64] = [
        .min, .min + 1, -1 << 62, -1, 0, 1, 255, 256, 1 << 31, 1 << 40, 1 << 41, 1 << 62, .max - 1, .max,
    ]

    private func damage(_ file: SQLiteFile, using random: inout SplitMix) throws {
        let number = Self.numbers.randomElement(using: &random) ?? 0
        let row =
            "rowid = (SELECT rowid FROM %@ ORDER BY rowid LIMIT 1 OFFSET \(Int.random(in: 0..<9, using: &random)))"
        let columns: [(table: String, columns: [String])] = [
            ("database", ["generation"]), ("directory", ["total", "generation", "importedAt", "total"]),
            ("checkpoint", ["users", "pass", "startedAt", "requests", "bytes", "heldUntil", "rejected", "added"]),
            ("visitedPage", ["users"]), ("filterValue", ["count", "number", "filter"]),
            ("userBlockDirectory1", ["count", "block", "id", "count"]),
            ("user1", ["id", "flags", "addedAt", "picture"]),
            ("userText1", ["id"]), ("userBlock1", ["id"]), ("userNGram1", ["id"]),
        ]
        // A change may break a rule that cannot be switched off, such as that of a primary key.
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
            guard let (table, names) = columns.randomElement(using: &random),
                let name = names.randomElement(using: &random)
            else { return }
            let isWithoutRowid = ["filterValue", "visitedPage", "userBlockDirectory1"].contains(table)
            let condition = isWithoutRowid ? "abs(random()) % 4 = 0" : row.replacingOccurrences(of: "%@", with: table)
            try? file.execute("UPDATE OR IGNORE \(table) SET \(name) = ? WHERE \(condition)", number: number)
        case 2:
            let table = ["userBlock1", "userNGram1", "userText1"].randomElement(using: &random) ?? ""
            let column = table == "userText1" ? "content" : "entries"
            let condition = row.replacingOccurrences(of: "%@", with: table)
            guard var blob = try file.blobs("SELECT \(column) FROM \(table) WHERE \(condition)").first, !blob.isEmpty
            else { return }
            for _ in 0..<(1 << Int.random(in: 0...6, using: &random)) {
                blob[Int.random(in: 0..<blob.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try file.execute("UPDATE \(table) SET \(column) = ? WHERE \(condition)", bytes: blob)
        default:
            let column = ["login", "name", "avatarURL", "more"].randomElement(using: &random) ?? ""
            let text = ["x'C3'", "x'FFFE80'", "x'00'", "x'7B'", "''"].randomElement(using: &random) ?? ""
            try file.execute("UPDATE user1 SET \(column) = CAST(\(text) AS TEXT) WHERE id % 7 = 0")
            // Two halves of one character, which the columns of a row must not make whole.
            try file.execute(
                "UPDATE user1 SET name = CAST(x'61C3' AS TEXT), more = CAST(x'BC62' AS TEXT) WHERE id % 7 = 1")
            try file.execute(
                "UPDATE user1 SET name = CAST(x'61C3' AS TEXT), avatarURL = CAST(x'BC62' AS TEXT) WHERE id % 7 = 2")
        }
    }

    // MARK: Use

    /// Returns how far that went. Throws errors that are not the store's.
    private func use(_ path: String, using random: inout SplitMix) throws -> String {
        var failures = 0
        @discardableResult func attempt<Result>(_ body: () throws -> Result) throws -> Result? {
            do { return try body() } catch is StoreError {
                failures += 1
                return nil
            }
        }
        var isOpen = false
        if let store = try attempt({ try SQLiteStore(path: path) }) {
            isOpen = true
            for query in queries(using: &random) {
                try attempt {
                    let page = try store.makeReader().page(query)
                    guard let page else { return }
                    for row in page.users.rows {
                        let slices = [row.login, row.name, row.avatarURL, row.more]
                        #expect(
                            slices.allSatisfy { String(validating: page.users.text[$0.range], as: UTF8.self) != nil })
                    }
                    if let first = page.firstPosition, let total = page.total {
                        #expect(first >= 1 && first - 1 + page.users.rows.count <= max(total, first - 1), "\(path)")
                    }
                    for index in page.users.rows.indices { _ = page.users.cursor(of: index, in: query.sort.key) }
                }
            }
            try attempt {
                let reader = try store.makeReader()
                _ = try reader.user(login: "USER20", id: nil, directory: 1)
                _ = try reader.users(ids: [1, 20, 699], sort: Sort(.name), directory: 1)
            }
            for key in Sort.Key.common {
                for direction in Sort.Direction.allCases {
                    try attempt { try follow(store, Sort(key, direction), path) }
                }
            }
            try attempt { try store.checkHealth() }
        }
        let failuresOfReading = failures
        if let store = try attempt({ try SQLiteStore(path: path, for: .importing) }) {
            try attempt { try store.ledger(of: StoreSuite.slug).checkpoint() }
            try attempt { try store.ledger(of: StoreSuite.slug).page(at: "/1") }
            if let writer = try attempt({ try store.openDirectory(StoreSuite.slug, title: nil, source: "github") }) {
                try attempt { try writer.beginPruning() }
                let numbers = [7, 14, 21, 300, 699, 701, 900]
                var users = numbers.map(Self.user)
                for index in users.indices { users[index].name = "Renamed \(index)" }
                users[0].more = #"{"type":"Bot"}"#
                var checkpoint = Checkpoint(source: "a", pass: 1, startedAt: 5)
                checkpoint.frontier = ["/3"]
                try attempt { try writer.write(UserBatch(users), checkpoint: checkpoint) }
                try attempt { try writer.removeUsersNotWritten(.missing) }
            }
            try attempt { try store.forget(.login("user14"), in: nil) }
            try attempt { try store.rename(StoreSuite.slug, to: Slug(literal: "renamed")) }
        }
        if failures == 0 { return "read and written" }
        if failuresOfReading == 0 { return "read" }
        return isOpen ? "partly read" : "refused"
    }

    /// Follows pages from user to user, as exports do, which must come to an end.
    private func follow(_ store: SQLiteStore, _ sort: Sort, _ path: String) throws {
        let reader = try store.makeReader()
        var query = UserQuery(directory: 1, sort: sort, limit: 100)
        for _ in 0..<30 {
            guard let page = try reader.page(query), page.hasNext, let last = page.users.rows.indices.last else {
                return
            }
            query.start = .after(page.users.cursor(of: last, in: sort.key))
        }
        Issue.record("pages by \(sort.key) lead in a circle: \(path)")
    }

    private func queries(using random: inout SplitMix) -> [UserQuery] {
        var queries: [UserQuery] = []
        let searches = [
            nil, Search("user1"), Search("annabel celik"), Search("an"), Search("lik 1"),
            Search("", filters: [ChosenFilter(.type, "Bot")]),
        ]
        for key in Sort.Key.common {
            for direction in Sort.Direction.allCases {
                let search = searches.randomElement(using: &random) ?? nil
                let starts: [UserQuery.Start] = [
                    .first, .last, .at(350), .at(.max), .after(cursor(key)), .before(cursor(key)),
                ]
                for start in starts {
                    let isFar = search != nil && start == .at(.max)
                    queries.append(
                        UserQuery(
                            directory: 1, search: search, sort: Sort(key, direction), start: isFar ? .at(9000) : start,
                            limit: [1, 30, 100].randomElement(using: &random) ?? 30))
                }
            }
        }
        return queries
    }

    private func cursor(_ key: Sort.Key) -> People.Cursor {
        switch key {
        case .id, .relevance: .id(400)
        case .login: .text("user4", id: 400)
        case .name, .field:
            .key(collationKey("annabel celik 4", "und"), stamp: CollationStamp(language: "und").hash, id: 400)
        }
    }
}
