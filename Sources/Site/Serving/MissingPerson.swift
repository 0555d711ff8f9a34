import Directories

/// The person that an address names in vain, for the error page.
struct MissingPerson: Equatable {
    /// The handle in the address.
    let asked: String
    let directory: Directory
    let isDefaultDirectory: Bool
    /// The person whose name is nearest; `nil` if no name is near.
    var nearest: Nearest?

    struct Nearest: Equatable {
        let name: String
        let login: String
    }
}

extension MissingPerson {
    /// Looks for the nearest name: a person that a search for the handle finds, or else one with a similar name.
    init(_ asked: String, in directory: Directory, isDefault: Bool, from reader: any UserReader) throws {
        self.init(asked: asked, directory: directory, isDefaultDirectory: isDefault)
        let text = String(asked.map { $0 == "-" || $0 == "_" || $0 == "." ? " " : $0 })
        guard text.utf8.count <= SearchText.maxBytes, let search = Search(text) else { return }
        nearest = try Self.best(search, directory, reader)
        guard nearest == nil else { return }
        let names = try reader.suggestions(for: search, directory: directory.id, limit: 1)
        nearest = try names.first.flatMap { Search($0) }.flatMap { try Self.best($0, directory, reader) }
    }

    private static func best(_ search: Search, _ directory: Directory, _ reader: any UserReader) throws -> Nearest? {
        let sort = Sort(.relevance(then: directory.defaultSort))
        let query = UserQuery(directory: directory.id, search: search, sort: sort, limit: 1)
        guard let users = try reader.page(query)?.users, let row = users.rows.first else { return nil }
        let (name, login) = (users[row.name], users[row.login])
        return Nearest(name: name.isEmpty ? login : name, login: login)
    }
}
