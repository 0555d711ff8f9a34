import Base
import People
import Publishing
import Synchronization

/// A store of a few users in memory, sorted by id or by name, for tests of what the site makes of a page.
final class FakeStore: UserStore {
    struct Unreadable: Error {}

    struct State {
        var directories: [Directory]
        var users: [User]
        /// The users of other directories, by id. A directory that is not here has ``users``.
        var others: [Int64: [User]] = [:]
        var reads = 0
        /// The current logins, by former handles.
        var formerHandles: [String: String] = [:]
        var logo: Logo?
        /// The keys of users' pictures, by id; the users whose picture is their own photo; and the pictures.
        var pictureKeys: [Int64: PictureKey] = [:]
        var ownPictures: Set<Int64> = []
        var pictures: [PictureKey: MadePicture] = [:]
        var pictureReads = 0
        /// The result of counting filters, and the filters that were counted last.
        var counts: [[Int]?]?
        var counted: [ChosenFilter]?
        /// The names that a search without matches may mean.
        var suggestions: [SimilarPerson] = []
        /// The number of readers that were made.
        var readers = 0
        /// The generations that added users after the start, by id.
        var additions: [Int64: Int64] = [:]
        /// The ids of users with `noindex`.
        var unindexed: Set<Int64> = []
        /// The error of every request; `nil` while the store can be read.
        var failure: (any Error)?
        /// The error of every read, which the store does not know before.
        var damage: (any Error)?
        /// The directories before a change that the store has not noticed yet.
        var earlier: [Directory]?
        var refreshes = 0
        var isRemote = false
        var status = StoreStatus()
    }
    let state: Mutex<State>

    init(_ users: [User], directories: [Directory] = [.people]) {
        var directories = directories
        directories[0].total = users.count
        state = Mutex(State(directories: directories, users: users))
    }

    let instance = "fake"
    let statistics = StoreStatistics()
    var isRemote: Bool { state.withLock { $0.isRemote } }
    var status: StoreStatus { state.withLock { $0.status } }
    var directories: [Directory] { state.withLock { $0.earlier ?? $0.directories } }
    var reads: Int { state.withLock { $0.reads } }

    func makeReader() -> any UserReader {
        state.withLock { $0.readers += 1 }
        return FakeReader(self)
    }

    func close() {}
    func pictureTotals() -> PictureTotals { PictureTotals() }
    func lastImports() -> [Int64: LastImport] { [:] }
    func size() -> StoreSize { StoreSize() }
    func checkHealth() throws { if let failure = state.withLock({ $0.failure }) { throw failure } }

    /// Changes the users, as an import would.
    func change(_ body: (inout [User]) -> Void) {
        state.withLock { state in
            let before = Set(state.users.map(\.id))
            body(&state.users)
            state.directories[0].total = state.users.count
            state.directories[0].generation += 1
            for user in state.users where !before.contains(user.id) {
                state.additions[user.id] = state.directories[0].generation
            }
        }
    }

    /// Changes the directory, as another process would: it is noticed later.
    func changeUnnoticed(_ body: (inout Directory) -> Void) {
        state.withLock { state in
            state.earlier = state.directories
            body(&state.directories[0])
            state.directories[0].generation += 1
        }
    }

    func refresh() {
        state.withLock { state in
            state.earlier = nil
            state.refreshes += 1
            if (state.failure as? Outdated) != nil { state.failure = nil }
        }
    }

    /// The failure of a query for an order that the directory no longer has.
    struct Outdated: StoreFailure {
        let kind: StoreFailureKind? = .outdated
    }

    /// Replaces the database with another one.
    func replace() { state.withLock { $0.directories[0].origin += 1 } }

    func breakDown(with failure: any Error = Unreadable()) { state.withLock { $0.failure = failure } }
}

final class FakeReader: UserReader {
    private let store: FakeStore
    init(_ store: FakeStore) { self.store = store }

    func page(_ query: UserQuery) throws -> Page? {
        try read(query.directory) { users in
            let found = users.filter { user in
                (query.search?.words.distinct ?? []).allSatisfy {
                    "\(user.login) \(user.name ?? "")".loose.contains($0.text)
                }
                    && (query.search?.filters ?? []).allSatisfy { filter in
                        filter.values.contains { (user.more ?? "").contains("\"\($0)\"") }
                    }
            }
            let matching = query.sort.key == .name ? found.sortedByName(query.sort.direction) : found
            // Cursors of the order by name have an id, too. Ids are unique, so it leads to the place.
            func place(_ cursor: Cursor) -> Int? { matching.firstIndex { $0.id == cursor.id } }
            let isByID = query.sort.key != .name
            let range: Range<Int>
            switch query.start {
            case .first, .letter: range = 0..<min(query.limit, matching.count)
            case .last: range = max(0, matching.count - query.limit)..<matching.count
            case .at(let position):
                let start = min(position, matching.count)
                range = start..<min(start + query.limit, matching.count)
            case .after(let cursor):
                let next = isByID ? matching.firstIndex { $0.id > cursor.id } : place(cursor).map { $0 + 1 }
                let start = next ?? matching.count
                range = start..<min(start + query.limit, matching.count)
            case .before(let cursor):
                let end = (isByID ? matching.firstIndex { $0.id >= cursor.id } : place(cursor)) ?? matching.count
                range = max(0, end - query.limit)..<end
            }
            return (matching, range)
        }
    }

    func letters(_ query: UserQuery) -> [LetterCount]? { nil }

    func ids(login: String, directory: Int64, limit: Int) throws -> [Int64] {
        store.state.withLock { state in
            Array(
                (state.others[directory] ?? state.users).filter { $0.login.folded == login.folded }.map(\.id).reversed()
                    .prefix(limit))
        }
    }

    func additions(among search: Search?, in directory: Int64, after generation: Int64) throws -> Additions? {
        let query = UserQuery(directory: directory, search: search, limit: 100)
        guard let page = try page(query) else { return nil }
        let generations = store.state.withLock { $0.additions }
        let changes = Set(generations.values).sorted(by: >).map { generation in
            var change = Additions.Change(generation: generation, count: 0)
            for row in page.users.rows where generations[row.id] == generation { change.add(row.id) }
            return change
        }
        return Additions(page.directory, knownSince: 0, changes: changes)
    }

    func currentLogin(ofFormer handle: String, directory: Int64) throws -> String? {
        store.state.withLock { $0.formerHandles[handle] }
    }

    func counts(of filters: [ChosenFilter], among search: Search, in directory: Int64) throws -> [[Int]?]? {
        store.state.withLock { state in
            state.counted = filters
            return state.counts ?? filters.map { _ in nil }
        }
    }

    func picture(_ key: PictureKey, _ size: PictureSize, of directories: [Int64]) throws -> [UInt8]? {
        store.state.withLock { state in
            state.pictureReads += 1
            return directories.isEmpty ? nil : state.pictures[key]?[size]
        }
    }

    func logo(of directory: Int64) throws -> Logo? { store.state.withLock { $0.logo } }

    func suggestions(for search: Search, directory: Int64, limit: Int) throws -> [SimilarPerson] {
        store.state.withLock { Array($0.suggestions.prefix(limit)) }
    }

    func user(login: String, id: Int64?, directory: Int64) throws -> Page? {
        let page = try read(directory) { users in
            let index = users.lastIndex { $0.login.folded == login.folded && (id == nil || id == $0.id) }
            return (users, index.map { $0..<$0 + 1 } ?? 0..<0)
        }
        return page?.users.rows.isEmpty == true ? nil : page
    }

    func users(ids: [Int64], sort: Sort, directory: Int64) throws -> Page? {
        try read(directory) { users in
            let found = users.filter { ids.contains($0.id) }
            return (found, found.indices)
        }
    }

    private func read(_ directory: Int64, _ select: ([User]) -> ([User], Range<Int>)) throws -> Page? {
        try store.state.withLock { state in
            if let failure = state.failure ?? state.damage { throw failure }
            state.reads += 1
            guard let directory = state.directories.first(where: { $0.id == directory }) else { return nil }
            let (users, range) = select(state.others[directory.id] ?? state.users)
            var rows = UserRows(users[range])
            for index in rows.rows.indices {
                let id = rows.rows[index].id
                rows.rows[index].isNoIndex = state.unindexed.contains(id)
                rows.rows[index].picture = state.pictureKeys[id]
                rows.rows[index].hasOwnPicture = state.ownPictures.contains(id)
            }
            return Page(
                users: rows, directory: directory, firstPosition: range.lowerBound + 1,
                total: users.count, hasPrevious: range.lowerBound > 0, hasNext: range.upperBound < users.count)
        }
    }
}

extension UserRows {
    init(_ users: some Sequence<User>) {
        self.init()
        for user in users {
            func keep(_ text: String?) -> ByteSlice {
                Array((text ?? "").utf8).withUnsafeBytes { $0.isEmpty ? .empty : self.keep($0) }
            }
            var row = UserRow(user.columns.map(keep))
            row.sortText = keep(user.login.folded)
            row.generated = user.generated
            rows.append(row)
        }
    }
}

extension [User] {
    fileprivate func sortedByName(_ direction: Sort.Direction) -> [User] {
        let sorted = sorted { ($0.name ?? $0.login, $0.id) < ($1.name ?? $1.login, $1.id) }
        return direction == .ascending ? sorted : sorted.reversed()
    }
}

extension Directory {
    static let people = Directory(
        id: 1, slug: Slug("people")!, title: "People", source: "test", total: 0, generation: 7)

    /// A directory of a service, or of none.
    static func of(_ service: BuiltInSettings? = nil, _ filters: FilterCounts...) -> Directory {
        var directory = people
        if let service { directory.settings = .of(service) }
        directory.filters = filters
        return directory
    }

    /// A directory beside ``people``.
    static func second(_ slug: StaticString, title: String, source: String = "file") -> Directory {
        Directory(id: 2, slug: Slug(literal: slug), title: title, source: source, total: 0, generation: 9)
    }
}

extension User {
    static func make(
        _ id: Int64, _ login: String? = nil, name: String? = nil, avatarURL: String? = nil, more: String? = nil
    ) -> User {
        User(id: id, login: login ?? "user\(id)", name: name, avatarURL: avatarURL, more: more)
    }
}
