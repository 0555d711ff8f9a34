import Foundation
import TestDatabases
import TestSupport
import Testing

/// The interface in eight languages, as curl sees it.
@Suite("Languages of the interface", .onThreadsForPrograms)
struct LanguageTests {
    private let program: SharedServer

    init() throws {
        let people = (1...40).map { #"{"login":"user\#($0)","name":"Person \#($0)"}"# }
        program = try SharedServer.of([("people", people)])
    }

    private func get(_ target: String, accepting languages: String) throws -> CurlAnswer {
        try EndToEndTests.get(program.url + target, "Accept-Language: \(languages)")
    }

    @Test func theBrowsersLanguageIsSpoken() throws {
        let answer = try get("/", accepting: "ko-KR,ko;q=0.9,en;q=0.5")
        #expect(answer.text.contains(#"<html lang="ko" data-directory="#) && answer.fields["content-language"] == "ko")
        #expect(answer.fields["vary"] == "Accept-Encoding, Accept-Language, Save-Data")
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
        let person = try get("/users/user7?lang=\(language)", accepting: "en").text
        #expect(person.contains("<html lang=\"\(language)\"") && person.contains("Person 7"))
        let missing = try get("/users/nobody?lang=\(language)", accepting: "en").text
        #expect(missing.contains("<html lang=\"\(language)\"") && !missing.contains("There is nothing here"))
    }
}
