import Foundation
import People
import Publishing
import TestDatabases
import TestSupport
import Testing

@testable import StoreEngine
@testable import StoreSQLite

@Suite("Pictures in files")
final class PictureFileTests: DatabaseFolder {
    let team = StoreSuite.slug

    /// Makes a database of three people, whose pictures are fetched; the first two have the same, the third also has a
    /// photo of the publisher's own.
    private func makeStore() throws -> SQLiteStore {
        let store = try SQLiteStore(path: database)
        let address = { (name: String) in "https://pictures.example/\(name)" }
        _ = try store.openDirectory(team, title: nil, source: "test").write([
            User(id: 1, login: "ada", avatarURL: address("a")), User(id: 2, login: "bo", avatarURL: address("b")),
            User(id: 3, login: "cy", avatarURL: address("c")),
        ])
        let writer = try store.makePictureWriter()
        let results = try writer.due(in: nil, at: 1, after: nil, limit: 9).sources.map { source in
            let text = source.address.hasSuffix("c") ? "face of cy" : "identicon"
            return PictureResult(source, .made(try .make(text), etag: "validator", lastModified: ""), dueAt: 100)
        }
        _ = try writer.save(results, at: 1)
        #expect(try writer.set([3: .make("photo of cy")], in: team) == [3])
        return store
    }

    private func has(_ text: String, _ database: String) -> Bool {
        ["", "-wal"].contains { end in
            (try? Data(ofFile: URL(filePath: database + end)))?.range(of: Data(text.utf8)) != nil
        }
    }

    private func keys(_ store: SQLiteStore) throws -> [Int64: PictureKey] {
        let page = try #require(try store.makeReader().page(UserQuery(directory: 1, limit: 9)))
        return Dictionary(uniqueKeysWithValues: page.users.rows.compactMap { row in row.picture.map { (row.id, $0) } })
    }

    @Test func forgettingErasesAPictureThatNobodyElseHas() throws {
        let store = try makeStore()
        let keys = try keys(store)
        #expect(keys[1] == keys[2])
        #expect(try store.forget(.login("ada"), in: nil) == [Forgetting(directory: team, count: 1)])
        #expect(has("identicon", database + "-pictures"))
        let key = try #require(keys[2])
        #expect(try store.makeReader().picture(key, .small) != nil)
        #expect(try store.forget(.login("bo"), in: nil) == [Forgetting(directory: team, count: 1, pictures: [key])])
        #expect(try store.makeReader().picture(key, .small) == nil)
        #expect(!has("identicon", database + "-pictures"))
        #expect(!has("pictures.example/b", database))
    }

    @Test func forgettingErasesAPhotoOfOnesOwn() throws {
        let store = try makeStore()
        #expect(has("photo of cy", database + "-pictures"))
        #expect(try store.forget(.id(3), in: team).first?.pictures.count == 1)
        for text in ["face of cy", "photo of cy"] { #expect(!has(text, database + "-pictures")) }
    }

    @Test func aBackupHasPhotosAlwaysAndFetchedPicturesIfWanted() throws {
        let store = try makeStore()
        let keys = try keys(store)
        for isWhole in [false, true] {
            let copy = path("copy-\(isWhole).sqlite")
            try SQLiteStore.backUp(database, to: copy, withPictures: isWhole)
            let copied = try SQLiteStore(path: copy)
            #expect(try self.keys(copied) == (isWhole ? keys : keys.filter { $0.key == 3 }))
            let reader = try copied.makeReader()
            #expect(try reader.picture(#require(keys[3]), .large) == MadePicture.make("photo of cy").large)
            #expect(try (reader.picture(#require(keys[1]), .large) != nil) == isWhole)
            let mode = try FileManager.default.attributesOfItem(atPath: copy + "-pictures")[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let due = try copied.makePictureWriter().due(in: nil, at: 2, after: nil, limit: 9).sources
            #expect(due.count == (isWhole ? 0 : 2))
            #expect(throws: StoreError.self) { try SQLiteStore.backUp(database, to: copy, withPictures: isWhole) }
        }
    }

    @Test func aBackupWithoutPhotosIsOneFile() throws {
        let store = try makeStore()
        #expect(try store.makePictureWriter().removeOwnPicture(of: 3, in: team))
        let copy = path("copy.sqlite")
        try SQLiteStore.backUp(database, to: copy)
        #expect(!FileManager.default.fileExists(atPath: copy + "-pictures"))
    }

    @Test func anotherProgramsFileIsAnError() throws {
        let store = try makeStore()
        let key = try #require(try keys(store)[1])
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + "-pictures" + end) }
        try SQLiteFile(database + "-pictures").execute("CREATE TABLE picture (id INTEGER PRIMARY KEY)")
        #expect(throws: StoreError.self) { try store.makePictureWriter() }
        #expect(throws: StoreError.self) { try store.makeReader().picture(key, .small) }
    }

    @Test func aServerThatMayOnlyReadShowsPictures() throws {
        var keys: [Int64: PictureKey] = [:]
        do { keys = try self.keys(makeStore()) }
        for name in try files {
            try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path(name))
        }
        let reader = PictureFileReader(besideDatabase: database)
        #expect(try reader.current()?.picture(#require(keys[3]), .medium) == MadePicture.make("photo of cy").medium)
    }
}
