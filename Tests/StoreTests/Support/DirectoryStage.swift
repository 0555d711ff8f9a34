import People
import Publishing

@testable import StoreEngine

/// A suite whose tests have a store of their own.
class StoreStage {
    let database: TestedDatabase
    let store: any EngineStore

    init() throws {
        database = try TestedDatabase()
        store = try database.open()
    }
}

/// A suite whose tests have a directory of their own, in which there is nobody.
class DirectoryStage {
    let database: TestedDatabase
    let store: any EngineStore
    let slug = StoreSuite.slug
    let writer: any DirectoryWriter
    let reader: any UserReader

    init() throws {
        database = try TestedDatabase()
        store = try database.open()
        writer = try store.openDirectory(slug, title: nil, source: "test")
        reader = try store.makeReader()
    }
}
