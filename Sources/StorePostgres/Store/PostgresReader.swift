import Publishing
import StoreEngine

/// Reads on the connections of the store's pool.
final class PostgresReader: EngineReader {
    private let store: PostgresStore
    private let audience: Audience

    init(_ store: PostgresStore, for audience: Audience) {
        (self.store, self.audience) = (store, audience)
    }

    func read<Result>(_ body: (StoreReader) throws -> Result) throws -> Result {
        try store.pool.withConnection { connection in
            let state = store.state
            // A newer version of Rollcall has changed the tables since the store was opened.
            if let trouble = state.trouble, trouble.reason == .newer { throw trouble }
            return try body(connection.reader(of: state, for: audience))
        }
    }
}
