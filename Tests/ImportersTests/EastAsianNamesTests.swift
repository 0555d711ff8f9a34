import Foundation
import People
import Publishing
import Testing

@testable import Importers

@Suite("Names of first and last name in the scripts of East Asia")
final class EastAsianNamesTests: FileImport {
    @Test(arguments: [
        // The last name comes first in every directory.
        (
            "id,Vorname,Nachname\n1,서연,정\n2,娜,李\n3,Anna,Müller\n4,서연,Kim\n5,,정\n",
            ["정서연", "李娜", "Anna Müller", "서연 Kim", "정"]
        ),
        // Japanese directories have a space.
        ("id,姓,名,フリガナ\n1,渡辺,直美子,ワタナベ\n2,Brown,Bo,ブラウン\n", ["渡辺 直美子", "Brown Bo"]),
        // The template that is inferred for Korean ones has none.
        ("id,성,이름\n1,정,서연\n2,Müller,Anna\n", ["정서연", "Müller Anna"]),
    ])
    func namesAreWrittenAsTheirScriptIs(_ text: String, _ names: [String]) throws {
        _ = try run(text)
        #expect(writer.sorted.map(\.name) == names)
    }

    @Test func aColumnWithoutAValueLeavesNoTextAround() throws {
        _ = try run("id,First,Last\n1,Anna,Keller\n2,,Roth\n3,Bo,\n") {
            $0.map = [SettingsEdits.Assignment(key: "name", text: "{Last}, {First}")]
        }
        #expect(writer.sorted.map(\.name) == ["Keller, Anna", "Roth", "Bo"])
    }
}
