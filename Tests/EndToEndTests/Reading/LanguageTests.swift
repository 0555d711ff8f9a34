import Foundation
import TestSupport
import Testing

/// The interface in eight languages, as curl sees it.
@Suite("Languages of the interface", .onThreadsForPrograms)
struct LanguageTests {
    private let program: RollcallProcess

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-languages-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let database = folder.appending(path: "people.sqlite").path
        let people = (1...40).map { #"{"login":"user\#($0)","name":"Person \#($0)"}"# }.joined(separator: "\n")
        for (slug, options) in [("people", []), ("team", ["--language", "de"])] {
            let imported = try EndToEndTests.run(
                binary(), ["import", "file", "-", "--database", database, "--directory", slug] + options,
                input: Data(people.utf8))
            #expect(imported.status == 0, "\(imported.error)")
        }
        program = try RollcallProcess(["serve", "--database", database, "--directory", "people"])
    }

    private func get(_ target: String, accepting languages: String? = nil) throws -> CurlAnswer {
        try curl((languages.map { ["-H", "Accept-Language: \($0)"] } ?? []) + [program.url + target])
    }

    @Test func theBrowsersLanguageIsSpoken() throws {
        let answer = try get("/", accepting: "ko-KR,ko;q=0.9,en;q=0.5")
        #expect(answer.text.contains(#"<html lang="ko" data-directory="#) && answer.fields["content-language"] == "ko")
        #expect(answer.fields["vary"] == "Accept-Encoding, Accept-Language, Save-Data")
    }

    @Test func arabicIsWrittenFromRightToLeft() throws {
        let answer = try get("/?lang=ar", accepting: "ko")
        #expect(
            answer.text.contains(#"<html lang="ar" dir="rtl" data-directory="#)
                && answer.fields["content-language"] == "ar")
        #expect(answer.fields["vary"] == "Accept-Encoding, Save-Data")
    }

    @Test func theDirectorysSettingWinsOverTheBrowser() throws {
        let answer = try get("/?directory=team", accepting: "ko")
        #expect(answer.text.contains(#"<html lang="de""#) && answer.fields["vary"] == "Accept-Encoding, Save-Data")
        #expect(try get("/?directory=team&lang=ja").text.contains(#"<html lang="ja""#))
    }

    @Test func anUnknownLanguageIsRefused() throws {
        let answer = try get("/?lang=tlh", accepting: "de")
        #expect(answer.status == 400 && answer.text.contains(#"<html lang="de""#))
        #expect(answer.text.contains("en, ko, de, fr, es, ja, zh, ar"))
        #expect(try get("/fragment?lang=tlh").text.contains("en, ko, de, fr, es, ja, zh, ar"))
    }

    /// Follows the next links from the first page to the end mark, as a reader without scripts does.
    @Test(arguments: [("ko", "모두 보았습니다."), ("ar", "هذه نهاية القائمة.")])
    func aReaderWithoutScriptsWalksToTheEnd(_ language: String, _ end: String) throws {
        var target = "/?lang=\(language)&per_page=15"
        var users: [String] = []
        for _ in 0..<4 {
            let body = try get(target, accepting: "en").text
            #expect(body.contains("<html lang=\"\(language)\""), "\(target)")
            users += body.matches(of: /data-id="(\d+)"/).map { String($0.1) }
            guard let next = body.firstMatch(of: /<a class="next"[^>]* href="([^"]*)"/) else {
                #expect(body.contains(end))
                break
            }
            target = String(next.1).replacing("&amp;", with: "&")
            #expect(target.contains("lang=\(language)"))
        }
        #expect(users.count == 40 && Set(users).count == 40)
        let person = try get("/users/user7?lang=\(language)").text
        #expect(person.contains("<html lang=\"\(language)\"") && person.contains("Person 7"))
        let missing = try get("/users/nobody?lang=\(language)").text
        #expect(missing.contains("<html lang=\"\(language)\"") && !missing.contains("There is nothing here"))
    }
}
