import Foundation
import People
import Publishing
import TestSupport
import Testing

@testable import StoreEngine
@testable import StoreSQLite

@Suite("Writing pictures", .onEveryStore)
final class PictureWriterTests: StoreStage {
    let team = StoreSuite.slug
    /// In seconds since 1970; far enough from 0 for everything to be older than a day.
    private let now: Int64 = 1_800_000_000

    private func address(_ name: String) -> String { "https://pictures.example/\(name).png" }

    private func user(_ id: Int64, _ login: String, _ picture: String?) -> User {
        User(id: id, login: login, avatarURL: picture.map(address))
    }

    private func write(_ users: [User], to slug: Slug = StoreSuite.slug) throws {
        _ = try store.openDirectory(slug, title: nil, source: "test").write(users)
    }

    private func keys(_ slug: Slug = StoreSuite.slug) throws -> [String: PictureKey] {
        let directory = try #require(store.directories.first { $0.slug == slug })
        let users = try #require(try store.makeReader().page(UserQuery(directory: directory.id, limit: 100))).users
        return Dictionary(
            uniqueKeysWithValues: users.rows.compactMap { row in row.picture.map { (users[row.login], $0) } })
    }

    private func due(_ writer: any PictureWriter, at time: Int64? = nil) throws -> [PictureSource] {
        try writer.due(in: nil, at: time ?? now, after: nil, limit: 100).sources
    }

    /// Fetches everything that is due. The picture of an address has its last component as text.
    @discardableResult
    private func fetch(_ writer: any PictureWriter) throws -> [PictureSource] {
        let sources = try due(writer)
        _ = try writer.save(sources.map(made), at: now)
        return sources
    }

    /// Writes users, and fetches their pictures.
    private func fetch(of users: [User]) throws -> any PictureWriter {
        try write(users)
        let writer = try store.makePictureWriter()
        try fetch(writer)
        return writer
    }

    private func made(_ source: PictureSource) throws -> PictureResult {
        let name = try #require(source.address.split(separator: "/").last)
        let outcome = PictureOutcome.made(try .make(String(name)), etag: "\"1\"", lastModified: "")
        return PictureResult(source, outcome, dueAt: now + 1000)
    }

    @Test func picturesAreReadByTheKeyInTheRow() throws {
        try write([user(1, "ada", "ada"), user(2, "bo", "bo"), user(3, "cy", nil)])
        let generation = store.directories[0].generation
        try fetch(store.makePictureWriter())
        let keys = try keys()
        #expect(Set(keys.keys) == ["ada", "bo"])
        let reader = try store.makeReader()
        for size in PictureSize.allCases {
            #expect(try reader.picture(#require(keys["ada"]), size) == MadePicture.make("ada.png")[size])
        }
        #expect(try reader.picture(#require(PictureKey(5)), .small) == nil)
        #expect(store.directories[0].generation > generation)
        #expect(try store.pictureTotals().pictures == 2)
        #expect(try store.pictureCounts() == [store.directories[0].id: PictureCounts(pictures: 2)])
    }

    @Test func withoutTheFileThereAreNoPictures() throws {
        guard let path = database.path else { return }  // On a server, pictures are in tables beside the people.
        _ = try fetch(of: [user(1, "ada", "ada")])
        let key = try #require(try keys()["ada"])
        let reader = try store.makeReader()
        #expect(try reader.picture(key, .small) != nil)
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + "-pictures" + end) }
        #expect(try reader.picture(key, .small) == nil)
        #expect(try store.pictureTotals() == PictureTotals())
        // They come again, under the same keys.
        #expect(try fetch(store.makePictureWriter()).map(\.etag) == [""])
        #expect(try reader.picture(key, .small) != nil)
    }

    @Test func theFileBelongsToTheOwnerAlone() throws {
        guard let path = database.path else { return }
        _ = try store.makePictureWriter()
        let mode = try FileManager.default.attributesOfItem(atPath: path + "-pictures")[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let file = try SQLiteConnection(reading: path + "-pictures", cacheKiB: 64)
        #expect(try file.number("PRAGMA page_size") == 16384)
        #expect(try file.number("SELECT journal_mode = 'wal' FROM pragma_journal_mode") == 1)
    }

    @Test func anAddressOfSeveralPeopleIsFetchedOnce() throws {
        let slug = Slug(literal: "others")
        try write([user(1, "ada", "same"), user(2, "bo", "same")])
        try write([user(1, "cy", "same")], to: slug)
        let writer = try store.makePictureWriter()
        #expect(try fetch(writer).map(\.address) == [address("same")])
        #expect(try Set(keys().values).count == 1)
        #expect(try keys(slug)["cy"] == keys()["ada"])
        // A later person gets the picture at once.
        try write([user(3, "di", "same")])
        #expect(try due(writer).isEmpty)
        #expect(try keys()["di"] == keys()["ada"])
    }

    @Test func anAddressIsDueAgainWithItsValidators() throws {
        let writer = try fetch(of: [user(1, "ada", "ada")])
        #expect(try due(writer).isEmpty)
        let source = try #require(try due(writer, at: now + 1000).first)
        #expect(source.etag == "\"1\"" && source.key != nil)
        #expect(try due(writer, at: now + 1000).isEmpty)
        let before = try keys()
        let generation = store.directories[0].generation
        _ = try writer.save([PictureResult(source, .unchanged, dueAt: now + 2000)], at: now + 1000)
        #expect(try keys() == before && store.directories[0].generation == generation)
        #expect(try due(writer, at: now + 1500).isEmpty)
    }

    @Test func aPictureThatIsGoneIsTakenAwayAtOnceAndAFailureKeepsIt() throws {
        let writer = try fetch(of: [user(1, "ada", "ada"), user(2, "bo", "bo")])
        let sources = try due(writer, at: now + 1000)
        _ = try writer.save(
            [
                PictureResult(sources[0], .missing, dueAt: now + 5000),
                PictureResult(sources[1], .failed(reason: "no route"), dueAt: now + 1500),
            ], at: now + 1000)
        #expect(try Set(keys().keys) == ["bo"])
        let again = try due(writer, at: now + 2000)
        #expect(again.map(\.failures) == [1] && again.map(\.etag) == ["\"1\""])
    }

    @Test func dueAddressesComeInPieces() throws {
        try write((1...5).map { user($0, "user\($0)", "\($0)") })
        let writer = try store.makePictureWriter()
        var position: (directory: Int64, user: Int64)?
        var addresses: [[String]] = []
        repeat {
            let due = try writer.due(in: team, at: now, after: position, limit: 2)
            addresses.append(due.sources.map(\.address))
            position = due.position
        } while position != nil
        #expect(addresses == [["1", "2"], ["3", "4"], ["5"]].map { $0.map(address) })
    }

    @Test func onlyAddressesOnTheWebAreDue() throws {
        try write([
            User(id: 1, login: "ada", avatarURL: "/pictures/faces/1.svg"), user(2, "bo", nil),
            User(id: 3, login: "cy", avatarURL: "HTTPS://pictures.example/cy"),
        ])
        #expect(try due(store.makePictureWriter()).map(\.address) == ["HTTPS://pictures.example/cy"])
    }

    @Test func anotherAddressClearsThePicture() throws {
        let writer = try fetch(of: [user(1, "ada", "ada"), user(2, "bo", "bo")])
        try write([user(1, "ada", "ada"), user(2, "bo", "new")])
        #expect(try Set(keys().keys) == ["ada"])
        #expect(try fetch(writer).map(\.address) == [address("new")])
        #expect(try Set(keys().keys) == ["ada", "bo"])
    }

    @Test func aChangeOfSomethingElseKeepsThePicture() throws {
        _ = try fetch(of: [user(1, "ada", "ada")])
        let before = try keys()
        var ada = user(1, "ada", "ada")
        ada.name = "Ada"
        try write([ada])
        #expect(try keys() == before)
    }

    @Test func aPhotoOfOnesOwnWinsOverTheAddressUntilItIsRemoved() throws {
        let writer = try fetch(of: [user(1, "ada", "ada"), user(2, "bo", nil)])
        let fetched = try keys()
        let photo = try MadePicture.make("photo")
        #expect(try writer.set([1: photo, 2: photo, 9: photo], in: team) == [1, 2])
        let own = try #require(try keys()["bo"])
        #expect(try keys()["ada"] == own && fetched["ada"] != own)
        #expect(try store.pictureCounts() == [store.directories[0].id: PictureCounts(pictures: 2, own: 2)])
        // An import with another address keeps it, and nothing is fetched for it.
        try write([user(1, "ada", "other")])
        #expect(try keys()["ada"] == own)
        #expect(try due(writer).isEmpty)
        try write([user(1, "ada", "ada")])
        #expect(try writer.removeOwnPicture(of: 1, in: team))
        #expect(try !writer.removeOwnPicture(of: 1, in: team))
        #expect(try fetch(writer).map(\.address) == [address("ada")])
        #expect(try keys()["ada"] == fetched["ada"])
        #expect(try keys()["bo"] == own)
    }

    @Test func aHiddenPersonKeepsAPhotoOfTheirOwn() throws {
        try write([user(1, "ada", nil)])
        let writer = try store.makePictureWriter()
        #expect(try writer.set([1: .make("photo")], in: team) == [1])
        let before = try keys()
        let directory = try store.openDirectory(team, title: nil, source: "test")
        for isHidden in [true, false] {
            _ = try directory.write(.make(1, "ada", isHidden: isHidden))
            #expect(try keys() == (isHidden ? [:] : before))
        }
        _ = try writer.collectGarbage(at: now * 2)
        #expect(try store.pictureTotals().pictures == 1)
    }

    @Test func photosOfOnesOwnAreErasedWithTheirField() throws {
        try write([user(1, "ada", nil), user(2, "bo", nil)])
        #expect(try store.makePictureWriter().set([1: .make("photo"), 2: .make("another")], in: team) == [1, 2])
        let directory = try store.openDirectory(team, title: nil, source: "test")
        _ = try directory.write(.make(2, "bo", isHidden: true))
        try directory.adopt(.field("photo", .never))
        #expect(try store.pictureTotals().pictures == 0)
        // Nothing comes back with the field.
        try directory.adopt(DirectorySettings(own: Settings()))
        _ = try directory.write(.make(2, "bo", isHidden: false))
        #expect(try keys().isEmpty)
        #expect(try store.pictureCounts().isEmpty)
    }

    @Test func whoObjectsHasNoPictureInLaterImportsEither() throws {
        let writer = try fetch(of: [user(1, "ada", "ada"), user(2, "bo", "bo")])
        let key = try #require(try keys()["ada"])
        let removals = try writer.removePicture(of: .login("ADA"), in: nil)
        #expect(removals.map(\.directory) == [team] && removals.map(\.erased) == [[key]])
        #expect(try Set(keys().keys) == ["bo"])
        #expect(try store.makeReader().picture(key, .large) == nil)
        let rows = try store.makeReader().page(UserQuery(directory: 1, limit: 9))?.users.users
        #expect(rows?.map(\.avatarURL) == [nil, address("bo")])
        #expect(try due(writer, at: now + 2000).map(\.address) == [address("bo")])
        #expect(try writer.set([1: .make("photo")], in: team).isEmpty)
        // Removed, and added again with another address.
        let directory = try store.openDirectory(team, title: nil, source: "test")
        try directory.beginPruning()
        #expect(try directory.removeUsersNotWritten(.missing) == 2)
        try write([user(1, "ada", "new"), user(2, "bo", "bo")])
        #expect(try due(store.makePictureWriter(), at: now + 9000).map(\.address) == [address("bo")])
        #expect(try writer.allowPicture(of: .login("ada"), in: nil))
        #expect(try !writer.allowPicture(of: .login("ada"), in: nil))
        #expect(try due(store.makePictureWriter(), at: now + 9000).map(\.address) == ["new", "bo"].map(address))
    }

    @Test func garbageIsWhatNobodyHasForADay() throws {
        let writer = try fetch(of: [user(1, "ada", "ada"), user(2, "bo", "bo")])
        try write([user(2, "bo", "new")])
        let garbage = try [10, 100_000, 100_000].map { try writer.collectGarbage(at: now + $0) }
        #expect(garbage.map(\.pictures) == [0, 1, 0] && garbage.map(\.addresses) == [0, 1, 0])
        #expect(try Set(keys().keys) == ["ada"])
        #expect(try store.pictureTotals().pictures == 1)
    }

    /// Somebody is forgotten while their picture is on its way.
    @Test func aPictureOfNobodyIsErasedAtOnce() throws {
        try write([user(1, "ada", "ada")])
        let writer = try store.makePictureWriter()
        let sources = try due(writer)
        #expect(try store.forget(.login("ada"), in: nil).count == 1)
        _ = try writer.save(sources.map(made), at: now)
        #expect(try store.pictureTotals().pictures == 0)
        #expect(try !database.holds("ada.png"))
    }

    @Test func aRemovedDirectoryLeavesNoPictures() throws {
        try write([user(1, "ada", "ada"), user(2, "bo", "same")])
        try write([user(1, "cy", "same")], to: Slug(literal: "others"))
        try fetch(store.makePictureWriter())
        try store.remove(team)
        #expect(try store.pictureTotals().pictures == 1)
        #expect(try !database.holds("ada.png"))
        #expect(try database.holds("same.png"))
    }
}
