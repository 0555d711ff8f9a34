import People

/// A reader that reads with another one, which it chooses for each read: one of the file or the server that is the
/// right one at this moment.
package protocol ForwardingReader: UserReader {
    /// Calls `body` with the reader to use now. May call it again with another one if that fails.
    func read<Result>(_ body: (StoreReader) throws -> Result) throws -> Result
}

extension ForwardingReader {
    package func page(_ query: UserQuery) throws -> Page? { try read { try $0.page(query) } }

    package func letters(_ query: UserQuery) throws -> [LetterCount]? { try read { try $0.letters(query) } }

    package func user(login: String, id: Int64?, directory: Int64) throws -> Page? {
        try read { try $0.user(login: login, id: id, directory: directory) }
    }

    package func ids(login: String, directory: Int64, limit: Int) throws -> [Int64] {
        try read { try $0.ids(login: login, directory: directory, limit: limit) }
    }

    package func users(ids: [Int64], sort: Sort, directory: Int64) throws -> Page? {
        try read { try $0.users(ids: ids, sort: sort, directory: directory) }
    }

    package func currentLogin(ofFormer handle: String, directory: Int64) throws -> String? {
        try read { try $0.currentLogin(ofFormer: handle, directory: directory) }
    }

    package func counts(of filters: [ChosenFilter], among search: Search, in directory: Int64) throws -> [[Int]?]? {
        try read { try $0.counts(of: filters, among: search, in: directory) }
    }

    package func additions(among search: Search?, in directory: Int64, after generation: Int64) throws -> Additions? {
        try read { try $0.additions(among: search, in: directory, after: generation) }
    }

    package func suggestions(for search: Search, directory: Int64, limit: Int) throws -> [SimilarPerson] {
        try read { try $0.suggestions(for: search, directory: directory, limit: limit) }
    }

    package func picture(_ key: PictureKey, _ size: PictureSize, of directories: [Int64]) throws -> [UInt8]? {
        try read { try $0.picture(key, size, of: directories) }
    }

    package func logo(of directory: Int64) throws -> Logo? { try read { try $0.logo(of: directory) } }
}
