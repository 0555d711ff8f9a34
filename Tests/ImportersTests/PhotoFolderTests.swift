import Base
import Foundation
import TestSupport
import Testing

@testable import Importers

@Suite("Photos beside a file")
struct PhotoFolderTests {
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46, 0, 1]
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let temporary: TestFolder
    let folder: PhotoFolder

    init() throws {
        temporary = try TestFolder()
        for (name, bytes) in [
            ("photos/anna.jpg", Self.jpeg), ("photos/bo.webp", Array("RIFF....WEBPVP8 ".utf8)),
            ("photos/page.jpg", Array("<html>".utf8)), ("Anna Müller.PNG", Self.png), ("bo-lee.jpg", Self.jpeg),
            ("bo-lee.png", Self.png), ("../secret.jpg", Self.jpeg),
        ] { try temporary.write("team/" + name, bytes) }
        folder = try PhotoFolder(path: temporary.path("team"), matchesNames: true)
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: temporary.path("team/" + name), withDestinationPath: target)
    }

    @Test(arguments: ["photos/anna.jpg", "./photos/anna.jpg", "photos\\anna.jpg", " photos//anna.jpg "])
    func aPathInACellIsFoundBeneathTheFolder(_ cell: String) {
        #expect(folder.match(cell: cell) == .matched(.jpeg, path: ["photos", "anna.jpg"]))
    }

    @Test(arguments: [("photos/anna", "photos/anna.jpg"), ("Anna Müller", "Anna Müller.PNG")])
    func theEndingMayBeMissing(_ cell: String, _ file: String) {
        #expect(folder.match(cell: cell).path == file)
    }

    @Test(arguments: [
        ("김민수", ["김민수", "민수 김", "김 민수"]), ("남궁예린", ["예린 남궁", "남궁 예린"]), ("欧阳娜娜", ["娜娜 欧阳"]), ("王伟", ["伟 王"]),
        ("Ann Lee", ["Ann Lee", "Lee Ann"]),
    ])
    func aPhotoHasTheNamesOfAPersonInAnyOrder(_ name: String, _ files: [String]) {
        #expect(Set(files).isSubset(of: PhotoFolder.names(from: name)), "\(PhotoFolder.names(from: name))")
    }

    @Test func theContentTellsTheType() {
        #expect(folder.match(cell: "photos/bo.webp") == .matched(.webp, path: ["photos", "bo.webp"]))
        #expect(folder.match(cell: "photos/page.jpg") == .dropped("it is not a JPEG, PNG or WebP"))
        #expect(folder.match(cell: "photos") == .dropped("it is not a file"))
        #expect(folder.match(cell: "photos/none.jpg") == .notFound)
        let whole = PhotoMatch.matched(.jpeg, path: ["bo-lee.jpg"])
        #expect(folder.match(cell: "other/bo-lee.jpg") == whole, "the folder may be named in the path")
    }

    @Test(arguments: [
        "../secret.jpg", "photos/../../secret.jpg", "/etc/passwd", "C:\\photos\\anna.jpg", "..", "", "a\0b",
    ])
    func nothingAboveTheFolderIsRead(_ cell: String) {
        #expect(folder.match(cell: cell) == .dropped("it leads out of the folder"))
    }

    @Test func linksAreNotFollowed() throws {
        try link("outside.jpg", to: "../secret.jpg")
        try link("inside.jpg", to: "photos/anna.jpg")
        try link("up", to: "..")
        #expect(folder.match(cell: "outside.jpg") == .dropped("it is a symbolic link"))
        #expect(folder.match(cell: "inside.jpg") == .dropped("it is a symbolic link"))
        #expect(folder.match(cell: "up/secret.jpg") == .dropped("it is behind a symbolic link"))
        #expect(folder.match(names: ["outside"]) == .dropped("it is a symbolic link"))
    }

    @Test func aFIFODoesNotMakeTheImportWait() {
        #expect(mkfifo(temporary.path("team/pipe.jpg"), 0o600) == 0)
        #expect(folder.match(cell: "pipe.jpg") == .dropped("it is not a file"))
    }

    @Test func aPictureOfMoreThan32MiBIsDropped() throws {
        let path = try temporary.write("team/large.jpg", Self.jpeg)
        #expect(truncate(path, 32 << 20) == 0)
        #expect(folder.match(cell: "large.jpg") == .matched(.jpeg, path: ["large.jpg"]))
        #expect(truncate(path, 32 << 20 + 1) == 0)
        #expect(folder.match(cell: "large.jpg") == .dropped("it has more than 32 MiB"))
    }

    @Test func eachUnusedFileHasItsReason() throws {
        try temporary.write("team/IMG_1.heic", [0, 0, 0, 24] + Array("ftypheic....".utf8))
        try temporary.write("team/notes.txt", "text")
        try temporary.write("team/.hidden.jpg", Self.jpeg)
        let unused = folder.unused(besides: ["Anna Müller.PNG"]).map { "\($0.file): \($0.reason)" }
        #expect(
            unused == [
                "IMG_1.heic: HEIC cannot be read; export it as JPEG", "bo-lee.jpg: nobody has this name",
                "bo-lee.png: bo-lee.jpg has the same name", "notes.txt: it is not a JPEG, PNG or WebP",
            ])
    }

    @Test func aFolderOfPhotosInTheFolderCounts() {
        #expect(folder.match(names: ["Anna"]) == .matched(.jpeg, path: ["photos", "anna.jpg"]))
    }

    @Test func aNameMatchesByItself() {
        let png = PhotoMatch.matched(.png, path: ["Anna Müller.PNG"])
        #expect(folder.match(names: ["nobody", "anna-muller", "Anna Müller"]) == png)
        let first = PhotoMatch.matched(.jpeg, path: ["bo-lee.jpg"])
        #expect(folder.match(names: ["bo lee"]) == first, "the first of two files counts")
        #expect(folder.match(names: ["nobody", "", "Lee Bo"]) == nil)
    }

    @Test func aPhotoIsReadBeneathTheFolderOnly() throws {
        try link("inside.jpg", to: "photos/anna.jpg")
        #expect(try folder.read(["photos", "anna.jpg"]) == Self.jpeg)
        #expect(folder.files == ["Anna Müller.PNG", "bo-lee.jpg", "bo-lee.png", "inside.jpg"])
        #expect(throws: RollcallError("it is a symbolic link")) { try folder.read(["inside.jpg"]) }
        #expect(throws: RollcallError("it was not found")) { try folder.read(["none.jpg"]) }
        #expect(throws: RollcallError("it is not a JPEG, PNG or WebP")) { try folder.read(["photos", "page.jpg"]) }
    }

    @Test func aPhotoIsNamedInEitherOrderOfNames() {
        #expect(
            PhotoFolder.names(from: "Anna Lee Müller") == ["Anna Lee Müller", "Müller Anna Lee", "Lee Müller Anna"])
        #expect(PhotoFolder.names(from: "").isEmpty)
    }

    @Test func aMissingFolderIsAnError() {
        #expect(throws: RollcallError.self) { try PhotoFolder(path: "/nonexistent/photos") }
    }
}

extension PhotoMatch {
    fileprivate var path: String? { if case .matched(_, let path) = self { path.joined(separator: "/") } else { nil } }
}
