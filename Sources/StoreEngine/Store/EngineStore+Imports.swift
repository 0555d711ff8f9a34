import People

extension EngineStore {
    public func note(_ record: LastImport, of slug: Slug) throws {
        try transaction { connection in
            guard let directory = try connection.directory(slug) else { return }
            let numbers = [
                directory.id, record.endedAt, record.milliseconds, Int64(record.status), Int64(record.added),
                Int64(record.changed), Int64(record.removed), Int64(record.rejected),
            ]
            let columns = ["endedAt", "milliseconds", "status", "added", "changed", "removed", "rejected"]
            let insert = try connection.statement(
                """
                INSERT INTO lastImport (directory, \(columns.joined(separator: ", "))) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (directory) DO UPDATE SET \(columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
                """)
            for (index, number) in numbers.enumerated() { insert.bind(number, at: Int32(index + 1)) }
            try insert.run()
        }
    }

    public func lastImports() throws -> [Int64: LastImport] {
        try reading { connection in
            let rows = try connection.statement(
                "SELECT directory, endedAt, milliseconds, status, added, changed, removed, rejected FROM lastImport")
            defer { rows.reset() }
            var records: [Int64: LastImport] = [:]
            while try rows.step() {
                let count = { (column: Int32) in try rows.count(column, "a number of the last import") }
                records[rows.number(0)] = LastImport(
                    endedAt: try rows.time(1, "the time of an import"), milliseconds: Int64(try count(2)),
                    status: try count(3), added: try count(4), changed: try count(5), removed: try count(6),
                    rejected: try count(7))
            }
            return records
        }
    }
}
