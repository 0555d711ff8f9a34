import Base
import People

/// The same person in other directories: somebody there with an equal public link.
///
/// The store has no index of links. The candidates are found by the indexes that it has, by login and by name: a link
/// such as `https://github.com/ada` ends in the login at the other directory, and people rarely change their name with
/// the directory. A candidate counts only if one of the public links is equal: a namesake with other links does not.
struct Elsewhere {
    let linked: LinkedDirectory
    /// One row.
    let users: UserRows

    /// Each directory costs up to two reads and a search.
    private static let maxDirectories = 20
    private static let maxCandidates = 5

    /// Returns the person of `page`, who has these details, in the other directories.
    static func find(
        _ page: Page, _ details: Details, _ directories: DirectoryList, _ language: Language,
        from reader: any UserReader
    ) throws -> [Elsewhere] {
        let others = directories.all.filter { $0.id != page.directory.id && $0.total > 0 }
        if others.isEmpty { return [] }
        let own = details.publicLinks
        if own.isEmpty { return [] }
        let users = page.users
        let name = Search(users[users.rows[0].name])
        // Services put the login at the end of the path.
        let lastParts = own.compactMap { link in
            let parts = link.split(separator: "/")
            return parts.count > 1 ? parts.last.map { String($0).folded } : nil
        }
        let logins = Set(lastParts + [users[users.rows[0].login].folded])
        return try others.prefix(maxDirectories).compactMap { other in
            do {
                let found = try find(own, logins, name, in: other, language, from: reader)
                return found.map { Elsewhere(linked: directories.linked(other), users: $0) }
            } catch let failure as any StoreFailure where failure.kind == .denied {
                return nil
            }
        }
    }

    private static func find(
        _ own: Set<String>, _ logins: Set<String>, _ name: Search?, in other: Directory, _ language: Language,
        from reader: any UserReader
    ) throws -> UserRows? {
        for login in logins.sorted() {
            let ids = try reader.ids(login: login, directory: other.id, limit: maxCandidates)
            if ids.isEmpty { continue }
            let users = try reader.users(ids: ids, sort: Sort(), directory: other.id)?.users
            if let found = match(own, among: users, other, language) { return found }
        }
        let query = name.map { UserQuery(directory: other.id, search: $0, limit: maxCandidates) }
        return match(own, among: try query.flatMap(reader.page)?.users, other, language)
    }

    /// Returns the candidate with an equal link.
    private static func match(
        _ own: Set<String>, among users: UserRows?, _ directory: Directory, _ language: Language
    ) -> UserRows? {
        guard var users else { return nil }
        let reader = directory.settings.makeReader()
        let match = users.rows.indices.first { index in
            reader.withProfile(of: users, at: index) { !Details(of: $0, language).publicLinks.isDisjoint(with: own) }
        }
        guard let match else { return nil }
        users.rows = [users.rows[match]]
        return users
    }
}

extension Details {
    /// The web pages of a person that the directory shows to everybody: without scheme, `www.` and last slash, so that
    /// both spellings of an address are equal.
    fileprivate var publicLinks: Set<String> { Set(webPages.compactMap(\.withoutScheme)) }
}

extension String {
    fileprivate var withoutScheme: String? {
        guard let rest = firstRange(of: "//") else { return nil }
        var link = self[rest.upperBound...].lowercased()
        if link.hasPrefix("www.") { link.removeFirst(4) }
        while link.hasSuffix("/") { link.removeLast() }
        return link
    }
}
