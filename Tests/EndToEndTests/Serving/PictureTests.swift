import Foundation
import FoundationXML
import StandIn
import TestSupport
import Testing

@Suite("Pictures", .onThreadsForPrograms)
final class PictureTests: Stage {
    private let host: PictureHost

    /// Three people: the first two have equal pictures at different addresses, the third has none.
    override init() throws {
        host = try PictureHost()
        try super.init()
        let text = """
            id,login,name,avatar_url
            1,ada,Ada Lovelace,\(host.url)/picture/1
            2,bo,Bo Peep,\(host.url)/picture/1?1
            3,cy,Cy Young,
            """
        try load(text)
        try rollcall("pictures", "--allow-network", "127.0.0.2/32").expect()
    }

    /// The paths of the pictures on a page.
    private func pictures(_ page: Exchange) -> [String] {
        page.text.matches(of: /<img src="([^"]*)"/).map { String($0.1) }
    }

    @Test func aPageShowsPicturesOfItsOwnServerOnly() throws {
        let server = try serve()
        let page = try get(server.url + "/")
        let paths = pictures(page)
        #expect(paths.count == 2 && paths[0] == paths[1] && paths[0].hasSuffix(".webp"))
        #expect(page.fields["content-security-policy"]?.contains("img-src 'self';") == true)
        #expect(!page.text.contains(host.url))
        let path = try #require(paths.first)
        let picture = try get(server.url + path)
        #expect(picture.status == 200 && picture.fields["content-type"] == "image/webp")
        #expect(picture.body.starts(with: "RIFF".utf8) && picture.fields["content-encoding"] == nil)
        for end in [".jpg", "-512.jpg"] {
            let other = try get(server.url + path.replacing(".webp", with: end))
            #expect(other.fields["content-type"] == "image/jpeg" && other.body.starts(with: [0xFF, 0xD8]))
        }
        #expect(try get(server.url + "/metrics").text.contains("rollcall_pictures 1\n"))
        // All lists agree on the pictures.
        try check(server, users: 3)
    }

    /// The address of a picture opens it only while its person may be seen.
    @Test func picturesOfPrivateDirectoriesAreNotServed() throws {
        let (open, closed) = try (serve(), serve("--private"))
        let path = try #require(try pictures(get(open.url + "/")).first)
        #expect(try get(open.url + path).status == 200)
        #expect(try rollcall("directories", "describe", "team", "--private").status == 0)
        try eventually { try get(open.url + path).status == 404 }
        #expect(try get(closed.url + path).status == 200)
    }

    @Test func aForgottenPersonsPictureIsGoneUnlessOthersHaveIt() throws {
        let server = try serve()
        let path = try #require(try pictures(get(server.url + "/")).first)
        #expect(try get(server.url + path).status == 200)
        #expect(try !rollcall("forget", "ada").output.contains("/pictures/"))
        #expect(try get(server.url + path).status == 200)
        let last = try rollcall("forget", "bo").output
        #expect(last.contains("erased, purge from a CDN: \(path) "), "\(last)")
        try eventually { try get(server.url + path).status == 404 }
        #expect(try get(server.url + "/").text.contains("cy"))
    }

    @Test func whoObjectsGetsInitials() throws {
        try rollcall("pictures", "remove", "ada").expect()
        let (cache, link) = try (serve(), serve("--pictures", "link"))
        #expect(try pictures(get(cache.url + "/")).count == 1)
        #expect(try pictures(get(link.url + "/")) == ["\(host.url)/picture/1?1"])
    }

    @Test func theListOfDirectoriesCountsPictures() throws {
        let list = try rollcall("directories").output
        #expect(list.contains("pictures  last import") && list.contains("1 pictures are stored"), "\(list)")
        let json = try rollcall("directories", "--format", "json").output
        #expect(json.contains(#""storedPictures" : 2"#) && json.contains(#""ownPhotos" : 0"#))
    }

    @Test func aBackupHasFetchedPicturesOnlyIfWanted() throws {
        for (name, options) in [("small", []), ("whole", ["--with-pictures"])] {
            let copy = path("\(name).sqlite")
            try rollcall(["backup", copy] + options).expect()
            let server = try serve(database: copy)
            let paths = try pictures(get(server.url + "/"))
            #expect(paths.count == (options.isEmpty ? 0 : 2))
            for path in paths { #expect(try get(server.url + path).status == 200) }
        }
    }

    @Test func theWallHasStoredPicturesInIt() throws {
        let server = try serve()
        let wall = try get(server.url + "/wall.svg?max=2").text
        let faces = wall.matches(of: /href="data:image\/webp;base64,([^"]*)"/).map { String($0.1) }
        let stored = try pictures(get(server.url + "/")).map { try Data(get(server.url + $0).body) }
        #expect(faces.map { Data(base64Encoded: $0) } == stored && !wall.contains(host.url))
        // Exports have the addresses of the source, so that an import makes the same directory.
        #expect(try get(server.url + "/export.ndjson").text.contains("\(host.url)/picture/1"))
        // Somebody who is forgotten is gone from the wall, too.
        #expect(try rollcall("forget", "ada").status == 0)
        try eventually { try !get(server.url + "/wall.svg").text.contains("Lovelace") }
    }
}
