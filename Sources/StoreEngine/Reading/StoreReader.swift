import People
import Publishing

/// Reads users on a connection of its own: each page in one transaction.
///
/// ``PageReader`` reads pages without a search, ``SearchEngine`` those with one.
package final class StoreReader: EngineReader {
    fileprivate let connection: any StoreConnection
    private let state: SharedState
    let orders: OrderReader
    let searchEngine: SearchEngine
    fileprivate let pages: PageReader
    fileprivate let letterReader: LetterReader
    fileprivate let pictures: any StoredPictureReader
    /// The directory of the last page. It is read again only when its generation has changed.
    private var lastDirectory: ShownDirectory?

    private let audience: Audience

    /// Reads what `audience` gets.
    package init(
        _ connection: any StoreConnection, _ state: SharedState, pictures: any StoredPictureReader,
        for audience: Audience = .everyone
    ) {
        self.audience = audience
        self.connection = connection
        self.state = state
        orders = OrderReader(connection, state)
        let rows = UserRowReader(connection)
        pages = PageReader(connection, orders, rows)
        searchEngine = SearchEngine(connection, orders, rows, state)
        letterReader = LetterReader(searchEngine)
        self.pictures = pictures
    }

    package func read<Result>(_ body: (StoreReader) throws -> Result) throws -> Result { try body(self) }

    fileprivate func has(_ key: PictureKey, in directory: ShownDirectory) throws -> Bool {
        // The second condition lets SQLite use the partial index.
        try connection.statement(
            .picture(of: directory.id),
            "SELECT 1 FROM user\(directory.id) WHERE picture = ? AND picture > 0 LIMIT 1"
        ).withRow(of: key.number) { _ in true } == true
    }

    /// Calls `body` with the directory in one transaction. Returns `nil` if the directory does not exist.
    fileprivate func read<Result>(_ id: Int64, _ body: (ShownDirectory) throws -> Result?) throws -> Result? {
        try connection.withSnapshot(of: id) { generation in
            if lastDirectory?.id != id || lastDirectory?.generation != generation {
                // A directory with thousands of values of filters takes milliseconds to read.
                var stored = try state.directory(id, generation: generation) ?? connection.directory(id)
                stored?.origin = state.origin
                lastDirectory = stored.map { ShownDirectory($0, for: audience) }
            }
            return try lastDirectory.flatMap(body)
        }
    }
}

/// Reads the tables with pictures, wherever a store keeps them. Confined to one queue at a time.
package protocol StoredPictureReader: AnyObject {
    /// Returns a connection to the tables that are there now, or `nil` if there are none.
    func current() throws -> (any StoreConnection)?
}

extension StoreConnection {
    /// Returns the bytes of a picture in one of its three sizes, or `nil` if no picture has that key.
    package func picture(_ key: PictureKey, _ size: PictureSize) throws -> [UInt8]? {
        try first("SELECT \(size.rawValue) FROM picture WHERE key = ?", key.number) { Array($0.blob(0)) }
    }
}

/// A reader that reads with a ``StoreReader``, which it chooses for each read: one of the file or the server that is
/// the right one at this moment.
package protocol EngineReader: UserReader {
    /// Calls `body` with the reader to use now. May call it again with another one if that fails.
    func read<Result>(_ body: (StoreReader) throws -> Result) throws -> Result
}

extension EngineReader {
    package func page(_ query: UserQuery) throws -> Page? {
        try read(query.directory) { reader, directory in
            var query = try reader.pages.placing(query, in: directory)
            if case .letter(let label) = query.start {
                query.start = try reader.letterReader.start(of: label, query, in: directory)
            }
            let page =
                try query.search.map { try reader.searchEngine.page(query, search: $0, in: directory) }
                ?? reader.pages.page(query, in: directory)
            try page.checkOrder(of: query)
            return page
        }
    }

    package func letters(_ query: UserQuery) throws -> [LetterCount]? {
        try read(query.directory) { try $0.letterReader.letters(query, in: $1) }
    }

    package func user(login: String, id: Int64?, directory: Int64) throws -> Page? {
        try read(directory) { try $0.pages.page(ofLogin: login, id: id, in: $1) }
    }

    package func ids(login: String, directory: Int64, limit: Int) throws -> [Int64] {
        try read(directory) { try $0.pages.ids(login: login, limit: limit, in: $1) } ?? []
    }

    package func users(ids: [Int64], sort: Sort, directory: Int64) throws -> Page? {
        try read(directory) { try $0.pages.page(of: ids, sort, in: $1) }
    }

    package func currentLogin(ofFormer handle: String, directory: Int64) throws -> String? {
        try read(directory) { try $0.pages.currentLogin(ofFormer: handle, in: $1) }
    }

    package func counts(of filters: [ChosenFilter], among search: Search, in directory: Int64) throws -> [[Int]?]? {
        try read(directory) { try $0.searchEngine.counts(of: filters, among: search, in: $1) }
    }

    package func additions(among search: Search?, in directory: Int64, after generation: Int64) throws -> Additions? {
        try read(directory) { try $0.searchEngine.additions(among: search, in: $1, after: generation) }
    }

    package func suggestions(for search: Search, directory: Int64, limit: Int) throws -> [SimilarPerson] {
        try read(directory) { try $0.searchEngine.suggestions(for: search, in: $1, limit: limit) } ?? []
    }

    package func picture(_ key: PictureKey, _ size: PictureSize, of directories: [Int64]) throws -> [UInt8]? {
        try read { reader in
            for directory in directories {
                do {
                    if try reader.read(directory, { try reader.has(key, in: $0) }) == true {
                        return try reader.pictures.current()?.picture(key, size)
                    }
                } catch let error as StoreError where error.kind == .denied {
                    // Another one may have it.
                }
            }
            return nil
        }
    }

    package func logo(of directory: Int64) throws -> Logo? { try read { try $0.connection.logo(of: directory) } }

    /// Calls `body` with the reader to use now and the directory, in one transaction. Returns `nil` if the directory
    /// does not exist.
    private func read<Result>(
        _ id: Int64, _ body: (StoreReader, ShownDirectory) throws -> Result?
    ) throws -> Result? {
        try read { reader in try reader.read(id) { try body(reader, $0) } }
    }
}
