import Foundation
import People
import Testing

@testable import Importers

@Suite("Names of first and last name in the scripts of East Asia")
struct EastAsianNamesTests {
    private func names(_ text: String, _ settings: ImportSettings = ImportSettings()) throws -> [String?] {
        let folder = try TemporaryFolder()
        let writer = MemoryWriter()
        let path = try folder.write(Array(text.utf8), to: "people.csv")
        _ = ImportRun(writer: writer).run(FileSource(path: path, settings: settings))
        return writer.sorted.map(\.name)
    }

    @Test func theLastNameComesFirstInEveryDirectory() throws {
        let people = "1,서연,정\n2,娜,李\n3,Anna,Müller\n4,서연,Kim\n5,,정\n"
        #expect(try names("id,Vorname,Nachname\n" + people) == ["정서연", "李娜", "Anna Müller", "서연 Kim", "정"])
    }

    @Test func japaneseDirectoriesHaveASpace() throws {
        #expect(
            try names("id,姓,名,フリガナ\n1,渡辺,直美子,ワタナベ\n2,Brown,Bo,ブラウン\n")
                == ["渡辺 直美子", "Brown Bo"])
    }

    /// The template that is inferred for them has no space.
    @Test func otherNamesInAKoreanDirectoryAreTwoWords() throws {
        #expect(try names("id,성,이름\n1,정,서연\n2,Müller,Anna\n") == ["정서연", "Müller Anna"])
    }
}
