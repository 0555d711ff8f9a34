import Foundation
import Publishing

// Removes the users that the source of an import no longer has.

extension UserWriter {
    func noteWritten(_ id: Int64) throws {
        guard let written else { return }
        try tables.connection.run("INSERT INTO \(written) VALUES (?) ON CONFLICT DO NOTHING", id)
    }

    func beginPruning() throws {
        let name = written ?? "written\(UUID().uuidString.filter { $0 != "-" })"
        try store.transaction { connection in
            try connection.execute("DROP TABLE IF EXISTS \(name); CREATE TEMP TABLE \(name) (id bigint PRIMARY KEY)")
            try checkSession(of: connection)
            totalBefore = try Self.directory(directory.id, connection).total + tables.hidden.count()
        }
        written = name
    }

    func pruning(_ rule: PruningRule) throws -> Pruning {
        guard let written else { return Pruning(gone: 0, total: 0) }
        return try store.transaction { connection in
            try checkSession(of: connection)
            let gone = try tables.count(notIn: written, wasMissing: rule.wasMissing)
            let once = rule == .missing ? 0 : try tables.count(notIn: written, wasMissing: false)
            return Pruning(gone: gone, missingOnce: once, total: totalBefore)
        }
    }

    func removeUsersNotWritten(_ rule: PruningRule) throws -> Int {
        guard let written else { return 0 }
        var removed = 0
        while case let count = try removeSome(notIn: written, wasMissing: rule.wasMissing), count > 0 {
            removed += count
        }
        if rule == .missingTwice { try change { _ in try tables.noteMissing(notIn: written) } }
        try store.transaction { connection in
            tables.connection.removeStatements()
            try connection.execute("DROP TABLE \(written)")
        }
        self.written = nil
        return removed
    }

    /// Those who are departing, but for whoever another row says is here.
    private func departed() throws -> [Int64] {
        if departing.isEmpty { return [] }
        let people = try tables.finder()
        return departing.filter { !people.hasFound($0) }
    }

    func departures() throws -> Pruning { Pruning(gone: try departed().count, total: totalBefore) }

    func removeDeparted() throws -> Int {
        let ids = try departed()
        departing = []
        for start in stride(from: 0, to: ids.count, by: Self.maxRemoved) {
            try change { _ in
                for id in ids[start...].prefix(Self.maxRemoved) { try tables.remove(id) }
            }
        }
        return ids.count
    }

    /// A transaction that removes a million would keep all other writers waiting.
    private static let maxRemoved = 20_000

    private func removeSome(notIn written: String, wasMissing: Bool?) throws -> Int {
        try change { _ in
            let ids = try tables.ids(notIn: written, wasMissing: wasMissing, limit: Self.maxRemoved)
            for id in ids {
                // In a damaged database, a scan may find rows that a lookup does not: the next scan would find them
                // again.
                guard try tables.remove(id) != nil else { throw StoreError.damagedOrder }
            }
            return ids.count
        }
    }

    /// Removes unchanged users and those who have left from a batch, and notes who of them is in the directory: pruning
    /// keeps the former.
    func leaveOut(_ batch: UserBatch) throws {
        let people = try tables.finder()
        try people.note(batch)
        let known = try people.peek { try $0.recognize(batch) }
        // Whoever has come back has two rows; one is of the time before.
        let present = Set(zip(batch.records, known).filter { !$0.0.isLeftOut }.compactMap(\.1.id))
        for (user, person) in zip(batch.records, known) where user.isLeftOut {
            guard let id = person.id, try tables.has(id) else { continue }
            if user.fate == .leftOut {
                people.noteLeftOut(id)
                try noteWritten(id)
            } else if !present.contains(id) {
                departing.insert(id)
            }
        }
        _ = batch.remove(where: \.isLeftOut)
    }

    func keep(_ ids: [Int64]) throws {
        if written == nil || ids.isEmpty { return }
        try store.transaction { connection in
            try checkSession(of: connection)
            for id in ids { try noteWritten(id) }
        }
    }

    func goneNamesakes() throws -> [(id: Int64, handle: String, newHandle: String)] {
        try store.transaction { connection in
            try store.lock(directory.id, on: connection)
            return try tables.finder().goneNamesakes()
        }
    }
}

extension PruningRule {
    /// Whether those who are removed were ``UserFlags/missing`` before; `nil` for all.
    fileprivate var wasMissing: Bool? { self == .missingTwice ? true : nil }
}
