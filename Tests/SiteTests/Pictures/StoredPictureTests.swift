import Foundation
import People
import Publishing
import Server
import Testing

@testable import Site

@Suite("Stored pictures")
struct StoredPictureTests {
    private static let name = "00abcdef01234567"
    private let store: FakeStore

    init() throws { store = try .withPictures() }

    private func client(_ mode: PictureMode? = nil, publicURL: String? = nil) throws -> SiteClient {
        try SiteClient(store: store) { configuration in
            if let mode { configuration.pictures = mode }
            configuration.publicURL = publicURL
        }
    }

    private func images(_ page: String) -> [String] { page.matches(of: /<img src="([^"]*)"/).map { String($0.1) } }

    private func avatars(_ client: SiteClient) -> [String] {
        client.get("/api/v3/users").text.matches(of: /"avatar_url":"([^"]*)"/).map { String($0.1) }
    }

    // MARK: Where pictures come from

    @Test func byDefaultPagesShowStoredPicturesAndAskNobodyElse() throws {
        let client = try client()
        for path in ["/", "/fragment"] {
            let page = client.get(path)
            #expect(images(page.text) == ["/pictures/\(Self.name).webp", "/pictures/faces/7.svg"], "\(path)")
            #expect(page.fields["Content-Security-Policy"]?.contains("img-src 'self';") == true)
        }
        for path in [
            "/", "/?view=grid", "/?view=photos", "/fragment", "/users/ada", "/users/ada.vcf", "/api/v3/users/ada",
        ] { #expect(!client.get(path).text.contains("a.example"), "\(path)") }
    }

    @Test func linksAreThoseOfTheSource() throws {
        let client = try client(.link)
        let page = client.get("/")
        #expect(images(page.text) == [FakeStore.pictureAddress, "/pictures/faces/7.svg"])
        #expect(page.fields["Content-Security-Policy"]?.contains("img-src 'self' https: http:;") == true)
        #expect(avatars(client)[0] == FakeStore.pictureAddress)
    }

    @Test func aPhotoOfOnesOwnWinsOverTheLink() throws {
        store.state.withLock { _ = $0.ownPictures.insert(1) }
        #expect(try images(client(.link).get("/").text)[0] == "/pictures/\(Self.name).webp")
    }

    @Test func withoutPicturesThereAreInitialsAndDrawnFaces() throws {
        let client = try client(.off)
        let page = client.get("/")
        #expect(images(page.text) == ["/pictures/faces/7.svg"])
        #expect(page.text.contains(">AL</span>"))
        #expect(page.fields["Content-Security-Policy"]?.contains("img-src 'self';") == true)
        #expect(client.get("/pictures/\(Self.name).webp").status == .notFound)
        let initials = { (id: Int64, letters: String) in "initials/\(Profile.hue(of: id))/\(letters).svg" }
        let expected = [initials(1, "AL"), initials(2, "BP"), "faces/7.svg"]
        #expect(avatars(client) == expected.map { "http://people.example/pictures/\($0)" })
    }

    @Test(arguments: PictureMode.allCases, [nil] + PictureMode.allCases.map(Optional.some))
    func aDirectoryMayHaveASettingOfItsOwn(_ server: PictureMode, _ own: PictureMode?) throws {
        store.state.withLock { $0.directories[0].settings = .own { $0.pictures = own } }
        let expected = server == .off ? .off : own ?? server
        let images = try images(client(server).get("/").text)
        switch expected {
        case .link: #expect(images.first == FakeStore.pictureAddress)
        case .cache: #expect(images.first == "/pictures/\(Self.name).webp")
        case .off: #expect(images.count == 1)
        }
    }

    /// The hue of a stored picture is the last digit of its key, and that of a drawn face is known.
    @Test func aPersonsPageHasTheHueOfThePicture() throws {
        func hero(_ path: String, _ mode: PictureMode = .cache) throws -> String? {
            try client(mode).get(path).text.firstMatch(of: /<div class="hero ([^"]*)">/).map { String($0.1) }
        }
        #expect(try hero("/users/ada") == "hue-7")
        #expect(try hero("/users/eve") == "hue-\(Face(7).hue)")
        #expect(try hero("/users/bo") == "hue-\(Profile.hue(of: 2))")
        #expect(try hero("/users/ada", .link) == "hue-\(Profile.hue(of: 1))")
        store.state.withLock { $0.pictureKeys[1] = PictureKey(0x00AB_CDEF_0123_456C) }
        #expect(try hero("/users/ada") == "grey")
    }

    @Test func anEmptyListShowsPeopleAroundTheOneWhoIsMissing() throws {
        store.change { users in users.append(.make(4, "fay", name: "Fay")) }
        let text = try client().get("/?q=nobody-is-called-so").text
        let faces = try #require(text.firstMatch(of: /<p class="faces"[^\n]*/)).0
        #expect(faces.matches(of: /<span class="avatar hue-/).count == 4 && images(String(faces)).count == 2)
        #expect(faces.contains(#"<span class="avatar absent">?</span>"#))
    }

    // MARK: Sizes

    @Test func eachViewHasPicturesOfItsSize() throws {
        let client = try client()
        #expect(images(client.get("/?view=grid").text)[0] == "/pictures/\(Self.name).jpg")
        let large = #"<img src="/pictures/\#(Self.name).jpg" srcset="/pictures/\#(Self.name)-512.jpg 2x""#
        #expect(client.get("/?view=photos").text.contains(large))
        #expect(client.get("/users/ada").text.contains(large))
        #expect(!client.get("/users/eve").text.contains("srcset"))
        #expect(images(client.get("/fragment?view=wall").text)[0] == "/pictures/\(Self.name).webp")
    }

    @Test func theFirstTenOfAPageDoNotWait() throws {
        store.change { users in
            users = (1...12).map { .make(Int64($0), avatarURL: DrawnPicture.path(ofFace: $0)) }
        }
        let client = try client()
        #expect(client.get("/").text.matches(of: /loading="lazy"/).count == 2)
        #expect(client.get("/fragment").text.matches(of: /loading="lazy"/).count == 10)
        // With data saving, all of them wait: another body, so another strong validator (RFC 9110 §8.8.1).
        let (plain, saving) = (client.get("/"), client.get("/", "Save-Data: on"))
        #expect(saving.text.matches(of: /loading="lazy"/).count == 12)
        let tag = try #require(saving.fields["ETag"])
        #expect(tag != plain.fields["ETag"])
        #expect(client.get("/", "If-None-Match: \(tag)").status == .ok)
        #expect(client.get("/", "If-None-Match: \(tag)\r\nSave-Data: on").status == .notModified)
        #expect(client.get("/fragment", "Save-Data: on").fields["ETag"] == client.get("/fragment").fields["ETag"])
    }

    // MARK: Programs

    @Test func programsGetAbsoluteAddresses() throws {
        let client = try client(publicURL: "https://people.example")
        let url = "https://people.example/pictures/\(Self.name).jpg"
        let page = client.get("/users/ada").text
        #expect(page.contains(#"<meta property="og:image" content="\#(url)">"#))
        #expect(page.contains(#""image":"\#(url)""#))
        #expect(client.get("/users/ada.vcf").text.contains("PHOTO:\(url)\r\n"))
        #expect(avatars(client)[0] == url)
        #expect(client.get("/2.3/users").text.contains(#""profile_image":"\#(url)""#))
        #expect(client.get("/api/character/1").text.contains(#""image":"\#(url)""#))
        // A drawing is of no use to programs that show links.
        #expect(!client.get("/users/eve").text.contains("og:image"))
    }

    /// Programs that show links read no relative addresses. Without a public URL, the request says where the server is.
    @Test func theImageOfAPersonsPageIsAbsolute() throws {
        let client = try client()
        for host in ["a.example", "b.example"] {
            let image = #"<meta property="og:image" content="http://\#(host)/pictures/\#(Self.name).jpg">"#
            for _ in 0..<2 { #expect(client.get("/users/ada", host: host).text.contains(image)) }
        }
    }

    @Test(arguments: ["html", "htmx", "turbo", "unpoly"])
    func embeddedPicturesAreAbsolute(_ form: String) throws {
        let page = try client().get("/fragment?embed=\(form)&view=photos").text
        #expect(page.contains(#"src="http://people.example/pictures/\#(Self.name).jpg""#))
        #expect(page.contains(#"srcset="http://people.example/pictures/\#(Self.name)-512.jpg 2x""#))
    }

    // MARK: The picture itself

    @Test func aPictureIsKeptForAMonth() throws {
        let client = try client()
        let picture = client.get("/pictures/\(Self.name).webp")
        #expect(picture.status == .ok && picture.text == "RIFF0000WEBPsmall")
        for (name, value) in [
            ("Content-Type", "image/webp"), ("ETag", "\"\(Self.name)\""),
            ("Cache-Control", "public, max-age=2592000, immutable"), ("X-Content-Type-Options", "nosniff"),
            ("Content-Security-Policy", "default-src 'none'; sandbox"), ("X-Robots-Tag", "noindex"),
            ("Cross-Origin-Resource-Policy", "cross-origin"), ("Access-Control-Allow-Origin", "*"),
        ] { #expect(picture.fields[name] == value, "\(name)") }
        for end in [".jpg", "-512.jpg"] {
            #expect(client.get("/pictures/\(Self.name)\(end)").fields["Content-Type"] == "image/jpeg")
        }
        let known = client.get("/pictures/\(Self.name).webp", "If-None-Match: \"\(Self.name)\"")
        #expect(known.status == .notModified && known.text.isEmpty)
    }

    @Test func aPictureIsReadOnceUntilADirectoryChanges() throws {
        let client = try client()
        for _ in 0..<3 { #expect(client.get("/pictures/\(Self.name).webp").status == .ok) }
        #expect(store.state.withLock { $0.pictureReads } == 1)
        // Somebody is forgotten.
        store.state.withLock { $0.pictures = [:] }
        store.change { $0.remove(at: 0) }
        let gone = client.get("/pictures/\(Self.name).webp")
        #expect(gone.status == .notFound && gone.fields["Cache-Control"] == "no-store")
    }

    @Test(arguments: ["ab.webp", "00ABCDEF01234567.webp", "00abcdef01234567.png", "00abcdef01234567-256.jpg", "x"])
    func theStoreIsNotAskedForOtherNames(_ name: String) throws {
        #expect(try client().get("/pictures/\(name)").status == .notFound)
        #expect(store.state.withLock { $0.pictureReads } == 0)
    }

    @Test func anUnknownKeyIsNotFound() throws {
        let answer = try client().get("/pictures/0000000000000001.webp")
        #expect(answer.status == .notFound && answer.fields["Cache-Control"] == "no-store")
    }
}
