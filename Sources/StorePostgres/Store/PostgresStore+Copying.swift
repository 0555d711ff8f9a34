import StoreEngine

extension PostgresStore: CopyableStore {
    package func withWholeSnapshot<Result>(
        _ body: (_ database: any StoreConnection, _ pictures: (any StoreConnection)?) throws -> Result
    ) throws -> Result {
        // The settings of readers would end statements and pauses that take long.
        let connection = makePrimaryConnection()
        return try connection.reading { try body(connection, connection) }
    }

    package func continueNumbers(after generation: Int64, on connection: any StoreConnection) throws {
        try connection.execute(
            """
            SELECT setval('generation', greatest((SELECT last_value FROM generation), \(generation)));
            SELECT setval(pg_get_serial_sequence('directory', 'id'), greatest(
                (SELECT coalesce(max(id), 1) FROM directory), (SELECT last_value FROM directory_id_seq)))
            """)
    }
}
