import Foundation
import People
import StoreEngine

/// Reads from the host that the process has chosen. If that host fails or is behind, the same read is done again on the
/// next one.
final class PostgresReader: ForwardingReader {
    private let store: PostgresStore
    private let withPrivate: Bool
    private let connection: ReadingConnection
    private var reader: (state: SharedState, reader: StoreReader)?

    /// How long to go on trying, in seconds. A promotion takes less.
    private static let patience = 2.0
    /// Between attempts when each host has had one, in seconds.
    private static let pause = 0.05

    init(_ store: PostgresStore, withPrivate: Bool = false) {
        self.store = store
        self.withPrivate = withPrivate
        connection = ReadingConnection(store)
    }

    func read<Result>(_ body: (StoreReader) throws -> Result) throws -> Result {
        store.hosts.noteConnection(isBusy: true)
        defer { store.hosts.noteConnection(isBusy: false) }
        let start = ContinuousClock.now
        var attempts = 0
        while true {
            connection.follow()
            // A newer version of Rollcall has changed the tables since the store was opened.
            if let trouble = store.state.trouble, trouble.reason == .newer { throw trouble }
            do {
                return try body(current())
            } catch let error where error is StaleHost || (error as? StoreError)?.isRetryable == true {
                connection.leave()
                attempts += 1
                guard ContinuousClock.now - start < .seconds(Self.patience) else {
                    throw error is StaleHost ? StoreError.allBehind : error
                }
                if attempts % store.hosts.count == 0 { Thread.sleep(forTimeInterval: Self.pause) }
            }
        }
    }

    private func current() -> StoreReader {
        let state = store.state
        if let reader, reader.state === state { return reader.reader }
        let new = StoreReader(
            connection.connection, state, pictures: PostgresPictureReader(connection.connection),
            withPrivate: withPrivate)
        reader = (state, new)
        return new
    }
}

extension StoreError {
    /// The error for reads while no host has the latest state that was shown.
    static let allBehind = StoreError(
        .unreachable, "no database server that answers has the latest changes yet; try again in a few seconds")
}

/// Reads pictures on the connection of a reader.
final class PostgresPictureReader: StoredPictureReader {
    private let connection: PostgresStoreConnection

    init(_ connection: PostgresStoreConnection) { self.connection = connection }

    func picture(_ key: PictureKey, _ size: PictureSize) throws -> [UInt8]? {
        try connection.picture(key, size)
    }
}
