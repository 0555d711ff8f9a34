import Foundation
import PictureFiles
import TestSupport
import Testing

@Suite("Photos of the publisher's own", .onThreadsForPrograms)
final class PhotoTests: Stage {
    override init() throws {
        try super.init()
        try write("photos/ada.jpg", TestImage.portrait(side: 300).jpeg())
        try write("photos/Bob Miller.png", TestImage.chequer(side: 300).png())
    }

    private func importTeam(_ text: String, _ options: String...) throws -> Output {
        try rollcall(["import", "file", write("team.csv", text)] + options)
    }

    private let plain = "id,login,name\n7,ada,Ada Lovelace\n9,bob,Bob Miller\n11,cy,Cy Young\n"

    /// The address of a person's small picture, if the list has one.
    private func picture(of id: Int, at server: RollcallProcess) throws -> String? {
        let article = try get(server.url + "/").text.components(separatedBy: "id=\"user-\(id)\"").dropFirst().first?
            .components(separatedBy: "</article>").first
        return article?.firstMatch(of: #/\/pictures\/[0-9a-f]{16}\.webp/#).map { String($0.output) }
    }

    @Test func aPhotoOfANameThatSeveralPeopleHaveIsNobodys() throws {
        let team = "Name,Mail\nBob Miller,b@x.org\nBob Miller,m@x.org\nAda,a@x.org\n"
        try importTeam(team, "--key", "Mail", "--photos", path("photos")).expect(
            error: "photo Bob Miller.png: 2 people are called Bob Miller; ", "\n1 photo saved\n")
    }

    @Test func aPhotoBesideTheFileIsServed() throws {
        let text = "id,login,name,photo\n7,ada,Ada Lovelace,photos/ada.jpg\n9,bob,Bob Miller,photos/page.jpg\n"
        try write("photos/page.jpg", [0xFF, 0xD8, 0xFF] + Array("<script>".utf8))
        let output = try importTeam(text).expect()
        let lines = output.error.split(separator: "\n")
        #expect(lines.contains("1 photo saved"), "\(output.error)")
        #expect(lines.contains { $0.hasPrefix("photo photos/page.jpg: expected a whole JPEG") }, "\(output.error)")

        let server = try serve()
        let small = try get(server.url + #require(try picture(of: 7, at: server)))
        #expect(small.status == 200 && small.fields["content-type"] == "image/webp")
        #expect(try picture(of: 9, at: server) == nil)
    }

    @Test func droppingTheColumnAsksAndErasesThePhotos() throws {
        #expect(try importTeam("id,login,name,photo\n7,ada,Ada Lovelace,photos/ada.jpg\n").status == 0)
        try rollcall("directories", "settings", "team", "--drop", "photo").expect(
            1, error: "this erases photo of 1 person: nothing was saved. --yes")
        let server = try serve()
        let address = try #require(try picture(of: 7, at: server))
        #expect(try rollcall("directories", "settings", "team", "--drop", "photo", "--yes").status == 0)
        try eventually("the page shows no picture") { try picture(of: 7, at: server) == nil }
        #expect(try get(server.url + address).status == 404)
    }

    @Test func aFolderOfPhotosIsImported() throws {
        #expect(try importTeam(plain).status == 0)
        try write("photos/nobody.jpg", TestImage.chequer().jpeg())
        try write("photos/11.png", Array("<svg/>".utf8))
        try rollcall("pictures", "import", path("photos")).expect(
            2, whole: "2 photos imported into team\n",
            error: "nobody.jpg: nobody in team has this name", "11.png: it is not a JPEG, PNG or WebP")
        let server = try serve()
        let (ada, bob) = (try picture(of: 7, at: server), try picture(of: 9, at: server))
        #expect(ada != nil && bob != nil && ada != bob)

        // A later import of the people keeps them.
        #expect(try importTeam(plain).status == 0)
        #expect(try picture(of: 7, at: server) == ada)
    }

    @Test func photosAreRemovedAgain() throws {
        #expect(try importTeam(plain).status == 0)
        let photos = path("photos")
        #expect(try rollcall("pictures", "import", photos).status == 0)
        let server = try serve()
        let address = try #require(try picture(of: 9, at: server))
        try rollcall("pictures", "import", photos, "--remove").expect(whole: "2 photos removed from team\n")
        try eventually { try picture(of: 9, at: server) == nil }
        #expect(try get(server.url + address).status == 404)
    }

    @Test func aNameOfTwoPeopleIsNotGuessed() throws {
        #expect(try importTeam(plain + "12,bob2,Bob Miller\n").status == 0)
        try rollcall("pictures", "import", path("photos")).expect(
            2, whole: "1 photo imported into team\n",
            error: "Bob Miller.png: 2 people in team have this name; use the id or the handle")
    }
}
