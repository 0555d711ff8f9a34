import People
import Publishing
import Server
import Testing

@testable import Site

@Suite("The language of a response")
struct NegotiationTests {
    private let client: SiteClient

    init() throws { client = try SiteClient(Staff.users, directories: [.people, Self.team]) }

    /// A directory whose publisher set its language.
    private static let team: Directory = {
        var team = Directory.second("team", title: "Team")
        team.settings = .own { $0.language = "de-CH" }
        return team
    }()

    private func language(_ response: Response) -> String? {
        let tag = response.text.firstMatch(of: /<html lang="([^"]*)"/).map { String($0.1) }
        #expect(response.fields["content-language"] == tag)
        return tag
    }

    @Test(arguments: [
        // The target, Accept-Language, the language, and whether the field decided.
        ("/", nil, "en", true), ("/", "ko", "ko", true), ("/", "pt-BR, ja;q=0.5", "ja", true),
        ("/", "zh-TW", "zh-Hans", true), ("/", "it", "en", true), ("/?lang=", "fr", "fr", true),
        ("/?lang=es", "ko", "es", false), ("/?lang=zh", nil, "zh-Hans", false), ("/?directory=team", "ko", "de", false),
        ("/?directory=team", nil, "de", false), ("/?directory=team&lang=ar", "ko", "ar", false),
        ("/users/kim", "ko", "ko", true), ("/users/kim?lang=fr", "ko", "fr", false), ("/embed", "ja", "ja", true),
        ("/directories", "es", "es", true), ("/directories?lang=de", "es", "de", false),
        ("/users/nobody", "ko", "ko", true), ("/nothing?lang=de", "ko", "de", false),
        ("/?since=x&directory=team", "ko", "de", false),
    ])
    func theLinkDecidesThenTheDirectoryThenTheReader(
        _ target: String, _ accepted: String?, _ expected: String, _ isByHeader: Bool
    ) {
        let response = client.get(target, "Accept-Language: \(accepted ?? "")")
        #expect(language(response) == expected)
        let vary = response.fields["vary"]?.replacing(", Save-Data", with: "")
        #expect(vary == (isByHeader ? "Accept-Encoding, Accept-Language" : "Accept-Encoding"))
    }

    @Test func anInferredLanguageIsNotTheInterfaces() throws {
        var (directory, settings) = (Directory.people, Settings())
        settings.language = "de"
        directory.settings = ResolvedSettings(DirectorySettings(inferred: settings)).shown
        let client = try SiteClient(Staff.users, directories: [directory])
        #expect(language(client.get("/", "Accept-Language: ko")) == "ko")
    }

    @Test func arabicIsWrittenFromRightToLeft() {
        #expect(client.get("/?lang=ar").text.contains(#"<html lang="ar" dir="rtl" data-directory="#))
    }

    @Test(arguments: ["/?lang=xx", "/?lang=EN", "/users/kim?lang=de-DE", "/embed?lang=pt", "/directories?lang=nl"])
    func otherLanguagesAreRefused(_ target: String) {
        let response = client.get(target)
        #expect(response.status == .badRequest)
        #expect(response.text.contains("lang: expected one of en, ko, de, fr, es, ja, zh, ar, found “"))
    }

    @Test(arguments: ["/api/v3/users?lang=xx", "/2.3/users?site=x&lang=xx", "/fields.json?lang=xx"])
    func responsesForProgramsHaveNoLanguage(_ target: String) {
        let response = client.get(target, "Accept-Language: ko")
        #expect(response.fields["content-language"] == nil)
        #expect(response.fields["vary"]?.contains("Accept-Language") != true)
    }

    @Test func aCachedPageIsNeverServedInAnotherLanguage() {
        // Twice, because the second request is found under its own spelling.
        for _ in 0..<3 {
            for (field, expected) in [("ko", "ko"), ("de", "de"), ("it", "en"), ("ar,ko", "ar"), ("ko;q=0.1,de", "de")]
            {
                #expect(language(client.get("/", "Accept-Language: \(field)")) == expected)
                #expect(language(client.get("/?view=list", "Accept-Language: \(field)")) == expected)
            }
            #expect(language(client.get("/?lang=fr", "Accept-Language: ko")) == "fr")
        }
    }

    @Test func validatorsDifferByLanguage() throws {
        let tags = ["en", "ko", "ar", "zh"].map { client.get("/", "Accept-Language: \($0)").fields["etag"] }
        #expect(Set(tags).count == 4)
        let korean = try #require(tags[1])
        #expect(client.get("/", "Accept-Language: ko", "If-None-Match: \(korean)").status == .notModified)
        #expect(client.get("/", "Accept-Language: de", "If-None-Match: \(korean)").status == .ok)
        #expect(client.get("/?lang=ko", "If-None-Match: \(korean)").status == .ok, "its links differ")
    }

    @Test(arguments: ["/?per_page=1&lang=ko", "/users/kim?lang=ko", "/embed?lang=ko", "/directories?lang=ko"])
    func linksToPagesKeepTheLanguageOfTheLink(_ target: String) {
        let text = client.get(target).text
        let links = text.matches(of: /<a [^>]*?href="(\/[^"]*)"/).map { String($0.1) }
        let pages = links.filter { !$0.hasPrefix("/api/") && !$0.hasPrefix("/export") && !$0.hasSuffix(".vcf") }
        #expect(!pages.isEmpty)
        for link in pages { #expect(link.contains("lang=ko"), "\(link)") }
        for form in text.matches(of: /<form[\s\S]*?<\/form>/) {
            #expect(form.0.contains(#"name="lang" value="ko""#), "\(form.0)")
        }
    }

    @Test(arguments: ["/?per_page=1", "/users/kim", "/embed", "/directories"])
    func linksNameNoLanguageUnlessTheRequestDid(_ target: String) {
        #expect(!client.get(target, "Accept-Language: ko").text.contains("lang=ko"))
    }

    /// Follows the next links from the first page to the end mark.
    @Test(arguments: [("ko", "모두 보았습니다."), ("ar", "هذه نهاية القائمة.")])
    func aReaderWithoutScriptsWalksToTheEnd(_ language: String, _ end: String) throws {
        let client = try SiteClient((1...40).map { .make($0, name: "Person \($0)") })
        var target: String? = "/?lang=\(language)&per_page=15"
        var users: [String] = []
        while let page = target {
            let text = client.get(page).text
            #expect(text.contains("<html lang=\"\(language)\"") && page.contains("lang=\(language)"))
            users += text.matches(of: /data-id="(\d+)"/).map { String($0.1) }
            let next = text.firstMatch(of: /<a class="next"[^>]* href="([^"]*)"/)
            target = next.map { String($0.1).replacing("&amp;", with: "&") }
            if target == nil { #expect(text.contains(end)) }
        }
        #expect(users == (1...40).map { "\($0)" })
        let missing = client.get("/users/nobody?lang=\(language)").text
        #expect(missing.contains("<html lang=\"\(language)\"") && !missing.contains("There is nothing here"))
    }
}
