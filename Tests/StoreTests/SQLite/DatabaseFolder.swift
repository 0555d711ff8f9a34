import TestSupport

/// A folder of a test's own, with a database in it. Suites inherit it.
class DatabaseFolder: TestFolder {
    var database: String { path("store.sqlite") }
}
