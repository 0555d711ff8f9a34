import People
import Synchronization

/// A store of one user, who changes from one input to the next.
final class PersonStore: UserStore {
    static let shared = PersonStore()

    private let state = Mutex<(user: User, generation: Int64)>((User(id: 1, login: "a"), 0))
    let instance = "one"

    func put(_ user: User) { state.withLock { $0 = (user, $0.generation + 1) } }

    var page: Page {
        let (user, generation) = state.withLock { $0 }
        let directory = Directory(
            id: 1, slug: Slug(literal: "people"), title: user.login, source: "file", total: 1, generation: generation)
        return Page(
            users: UserRows([user]), directory: directory, firstPosition: 1, total: 1, hasPrevious: false,
            hasNext: false)
    }

    var directories: [Directory] { [page.directory] }
    func makeReader() -> any UserReader { PersonReader(store: self) }
    func checkHealth() {}
    func refresh() {}
    func close() {}
    let statistics = StoreStatistics(), status = StoreStatus()
    func pictureTotals() -> PictureTotals { PictureTotals() }
    func lastImports() -> [Int64: LastImport] { [:] }
    func size() -> StoreSize { StoreSize() }
}

private final class PersonReader: UserReader {
    private let store: PersonStore
    init(store: PersonStore) { self.store = store }

    func page(_ query: UserQuery) -> Page? { store.page }
    func user(login: String, id: Int64?, directory: Int64) -> Page? { store.page }
    func ids(login: String, directory: Int64, limit: Int) -> [Int64] { [] }
    func users(ids: [Int64], sort: Sort, directory: Int64) -> Page? { store.page }
    func letters(_ query: UserQuery) -> [LetterCount]? { nil }
    func currentLogin(ofFormer handle: String, directory: Int64) -> String? { nil }
    func picture(_ key: PictureKey, _ size: PictureSize, of directories: [Int64]) -> [UInt8]? { nil }
    func logo(of directory: Int64) -> Logo? { nil }
    func counts(of filters: [ChosenFilter], among search: Search, in directory: Int64) -> [[Int]?]? { nil }
    func additions(among search: Search?, in directory: Int64, after generation: Int64) -> Additions? { nil }
    func suggestions(for search: Search, directory: Int64, limit: Int) -> [SimilarPerson] { [] }
}
