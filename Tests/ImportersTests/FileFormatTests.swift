import Foundation
import People
import Testing

@testable import Importers

private let ada = User(id: 1, login: "ada", name: "Ada")
private let bo = User(id: 2, login: "bo", name: "Bo, \"B\"")

@Suite("File formats")
struct FileFormatTests {
    static let files = [
        "{\"id\":1,\"login\":\"ada\",\"name\":\"Ada\"}\n{\"id\":2,\"login\":\"bo\",\"name\":\"Bo, \\\"B\\\"\"}\n",
        "\n{\"id\":1,\"login\":\"ada\",\"name\":\"Ada\"}\r\n\r\n  {\"id\":2,\"login\":\"bo\",\"name\":\"Bo, \\\"B\\\"\"}",
        "[{\"id\":1,\"login\":\"ada\",\"name\":\"Ada\"},\n{\"id\":2,\"login\":\"bo\",\"name\":\"Bo, \\\"B\\\"\"}]",
        "{\"has_more\":false,\"items\":[{\"id\":1,\"login\":\"ada\",\"name\":\"Ada\"},{\"id\":2,\"login\":\"bo\",\"name\":\"Bo, \\\"B\\\"\"}]}",
        "{\n \"info\":{\"count\":2},\n \"results\":[\n{\"id\":1,\"login\":\"ada\",\"name\":\"Ada\"},{\"id\":2,\"login\":\"bo\",\"name\":\"Bo, \\\"B\\\"\"}\n]\n}\n",
        "id,login,name\n1,ada,Ada\n2,bo,\"Bo, \"\"B\"\"\"\n",
        "\r\nID;Login;Name;\r\n1;ada;Ada;\r\n\r\n2;bo;\"Bo, \"\"B\"\"\"",
        "Id\tLogin\tName\n 1 \tada\tAda\n2\tbo\tBo, \"B\"\n",
    ]

    @Test(arguments: files)
    func theFormatIsDetectedFromTheContent(_ text: String) {
        let sink = read(text)
        #expect(sink.users == [ada, bo])
        #expect(sink.rejections.isEmpty)
    }

    @Test(arguments: files)
    func everySplitGivesTheSameUsers(_ text: String) {
        let bytes = Array(text.utf8)
        for place in 0...bytes.count { #expect(read([bytes[..<place], bytes[place...]]).users == [ada, bo]) }
        #expect(read(bytes.indices.map { bytes[$0...$0] }).users == [ada, bo])
    }

    /// The export of a directory with one user is also a single line.
    @Test func theOnlyUserOfAnExportMayHaveMembersLikeAWrapper() {
        let text = #"{"id":1,"login":"ada","name":null,"items":[{"id":2,"login":"bob"}]}"# + "\n"
        #expect(read(text).users.map(\.login) == ["ada"])
        #expect(read(text).users.first?.more == #"{"items/0/id":2,"items/0/login":"bob"}"#)
    }

    /// Graph, SCIM, OData 2, HAL, a web application, and a member of any name.
    @Test(arguments: [
        #"{"@odata.context":"x","value":[P]}"#, #"{"schemas":["x"],"totalResults":1,"Resources":[P]}"#,
        #"{"d":{"results":[P]}}"#, #"{"_embedded":{"people":[P]},"page":{"size":1}}"#,
        #"{"meta":{"a":[{"b":1}]},"data":{"more":null,"people":[P]}}"#, #"{"count":1,"angestellte":[P],"links":[]}"#,
    ])
    func peopleInsideOtherObjectsAreFound(_ layout: String) {
        let text = layout.replacing("P", with: #"{"id":1,"login":"ada","name":"Ada"}"#)
        for text in [text, text.replacing(",", with: ",\n"), text + "\n"] {
            #expect(read(text).users == [ada], "\(text)")
        }
    }

    /// The templates of conferences, and lists by account.
    @Test func peopleUnderTheirKeysAreFound() {
        let people = #"{"7":{"id":7,"name":"Ada"},"8":{"id":8,"name":"Bo"},"9":{"id":9,"name":"Cy"}}"#
        #expect(read(people).users.map(\.name) == ["Ada", "Bo", "Cy"])
        #expect(read(people.replacing("{\"7\"", with: #"{"name":"Eva","7""#)).users.map(\.name) == ["Eva"])
        let parts = #"{"personal":{"name":"Ada"},"work":{"title":"Lead"},"address":{"city":"Ulm"}}"#
        #expect(read(parts).users.count < 2)
    }

    /// ClubDesk writes its headings in brackets.
    @Test func aHeadingInBracketsBeginsATable() {
        for start in ["[Id];[Login]", "[ Éid ],[Login]", "[name]\t[Login]"] {
            #expect(ImportFormat.found(in: start) == .csv, "\(start)")
        }
        for start in ["[{", "[\n\"Ada\"", "[[1]]", "[]", " [7]"] { #expect(ImportFormat.found(in: start) == .json) }
    }

    @Test func aCombiningAccentAloneIsKept() {
        for name in ["Ana \u{345}", "\u{301}Ana", "©na \u{301}"] {
            let users = read("{\"login\":\"a\",\"name\":\"\(name)\"}\n").users
            #expect(users.first?.name.map { Array($0.utf8) } == Array(name.utf8), "\(name)")
        }
    }

    private static let huge = String(repeating: "x", count: 1_100_000)
    private static let wrongID = "expected \"id\" to be a positive 64-bit integer, found"

    static let readings = [
        Reading("one object is one user", "{\n\"id\": 1,\n\"login\": \"ada\",\n\"name\": \"Ada\"\n}\n", ["Ada"]),
        Reading("in one line, too", #"{"id":1,"login":"ada","name":"Ada"}"#, ["Ada"]),
        Reading(
            "a bad line rejects only that line",
            "{\"id\":1,\"login\":\"ada\"}\n\n{\"id\":2,\n{\"id\":0,\"login\":\"x\"}\nnope\n{\"id\":3,\"login\":\"cy\"}\n",
            ["ada", "cy"],
            [
                "line 3: expected a key in quotes, found the end at byte 9", "line 4: \(wrongID) \"0\"",
                "line 5: expected an object, found \"n\" at byte 1",
            ]),
        Reading(
            "a bad first line does not change the format", "{\"id\":1,}\n{\"id\":3,\"login\":\"cy\"}\n", ["cy"],
            ["line 1: "]),
        Reading(
            "records may have members like a wrapper",
            "{\"login\":\"a\",\"items\":[{\"x\":1}]}\n{\"login\":\"b\",\"items\":[{\"x\":2}]}\n", ["a", "b"]),
        Reading(
            "a person with one list of objects is no list of people",
            #"{"name":"Ada Byron","roles":[{"name":"Admin"}]}"#, ["Ada Byron"]),
        Reading(
            "a bad element rejects only that element", #"[{"id":1,"login":"a"},{"id":2,},7,{"id":4,"login":"d"}]"#,
            ["a", "d"], ["record 2:", "record 3:"]),
        Reading(
            "a truncated array keeps earlier elements", #"[{"id":1,"login":"a"},{"id":2,"lo"#, ["a"],
            ["not JSON: expected the rest of a value, found the end at byte 34"]),
        Reading(
            "a huge line is skipped",
            "{\"id\":1,\"login\":\"a\"}\n{\"id\":2,\"login\":\"\(huge)\"}\n{\"id\":3,\"login\":\"c\"}\n", ["a", "c"],
            ["line 2: expected at most 1 MiB, found more"]),
        Reading(
            "so is a huge element", "[{\"id\":1,\"login\":\"a\"},{\"x\":\"\(huge)\"},{\"id\":3,\"login\":\"c\"}]",
            ["a", "c"],
            ["record 2: expected at most 1 MiB, found more"]),
        Reading("and a huge row", "id,login\n1,a\n2,\(huge)\n3,c\n", ["a", "c"], ["line 3:"]),
    ]

    @Test(arguments: readings) func recordsAreReadOneByOne(_ reading: Reading) { reading.check() }

    @Test func messagesContainNoTerminalControlCodes() {
        let rejections = read("{\"id\":\"\\u001b[31mred\",\"login\":\"a\"}\n").rejections
        #expect(rejections.count == 1 && rejections[0].hasSuffix("[31mred\"") && !rejections[0].contains("\u{1B}"))
    }
}

@Suite("Tables (RFC 4180)")
struct CSVReaderTests {
    @Test func quotesHoldSeparatorsQuotesAndLineBreaks() {
        let sink = read("id,login,name,note\r\n1,a,\"x, \"\"y\"\"\",\"one\r\ntwo\"\r\n2,b,,\"\"\r\n")
        #expect(
            sink.users == [
                User(id: 1, login: "a", name: "x, \"y\"", more: #"{"note":"one\r\ntwo"}"#), User(id: 2, login: "b"),
            ])
    }

    private static let noName = "expected a header with a column for the login or the name, found"
    private static let own = "id,login,name,avatar_url,html_url,type,reputation,more\r\n1,a,,,,User,,\r\n"
    private static let proof = ",,,,,,,\"{\"\"rollcall\"\":{\"\"count\"\":1}}\""
    private static let naming = "name,login of\nold list\n\nlogin,name\na,A\n"
    private static let team = Array(repeating: "Team\n", count: 20).joined()

    static let readings = [
        Reading(
            "lines are counted across quotes", "id,login\n1,\"a\nb\"\nx,c\n", ["a b"],
            ["line 4: expected \"id\" to be a positive 64-bit integer, found \"x\""]),
        Reading(
            "rows with too many cells are rejected", "id,login\n1,a,extra\n2,b,,\n3,c\n", ["b", "c"],
            ["line 2: expected 2 columns, found 3"]),
        Reading(
            "a row that the end of the file cuts off is rejected",
            "id,login,html_url,status\n1,a,https://example.org/a,Alive\n2,b,https://example.or", ["a"],
            ["line 3: expected 4 columns, found 3 and the end of the file, which was cut off"]),
        Reading(
            "so is one behind another that is rejected", "id,login,name,status\n1,a,A,\n\n2,b,B,,9\n3,c", ["A"],
            ["line 4: expected 4 columns, found 5", "line 5: expected 4 columns, found 2 and the end of the file"]),
        // A line end shows that the row is complete.
        Reading("Excel omits separators before empty cells", "id,login,name,status\n1,a\n2,b,B\n", ["a", "B"]),
        Reading("at the end as well", "id,login,,\n1,a", ["a"]),
        Reading("an export with its proof is whole", own + proof + "\r\n", ["a"]),
        Reading("without a line end, too", own + proof, ["a"]),
        Reading("a file without a proof is just a file", own, ["a"]),
        Reading(
            "an export that is cut off is reported", own + "2,b,,,,User,,", ["a"],
            ["line 3: expected the end of the line, found the end of the file, which was cut off"]),
        Reading("lines may end in carriage returns", "id,login,name\r1,a,A\r2,b,\"B\nC\"\r", ["A", "B C"]),
        Reading("empty ones, too", "\rid;login;name\r1;a;A\r\r2;b;\"B\nC\"", ["A", "B C"]),
        Reading("line ends that were converted twice are line ends", "id,login\r\r\n1,a\r\r\n", ["a"]),
        Reading(
            "a header without rows is an error", "id,login,name\n\n", [],
            ["expected people below the header, found none"]),
        Reading(
            "nobody understands this header", "1,ada\n2,bo\n", [],
            ["\(noName) …, \"ada\"; name it with --map name=COLUMN"]),
        Reading(
            "there is no header", "\n\n", [], ["expected a header that names the columns, found nothing"], as: .csv),
        Reading("the header is among the first twenty rows", team.dropFirst(5) + "login,name\na,A\n", ["A"]),
        Reading(
            "or it is none", team + "login,name\na,A\n", [], ["\(noName) \"Team\"; name it with --map name=COLUMN"]),
        Reading(
            "the row with the most cells is the likeliest header", "Team\nalpha,what,where\nx,y,z\n", [],
            ["\(noName) \"alpha\", \"what\", \"where\"; name it with --map name=COLUMN"]),
        Reading("the line of the header can be named", naming, ["A"], headerLine: 4),
        Reading("it has a text", naming, [], ["expected the header in line 3, found no text"], headerLine: 3),
        Reading("it exists", naming, [], ["expected the header in line 9, found no text"], headerLine: 9),
        Reading("it names a column for the name", naming, [], ["expected a header with a column"], headerLine: 5),
        Reading("lines are those of the file", "sep=,\nTitle\n\nid,login\nx,a\n,\ny,b\n", [], ["line 5:", "line 7:"]),
    ]

    @Test(arguments: readings) func rowsAreReadOneByOne(_ reading: Reading) { reading.check() }

    @Test func bytesThatAreNotUTF8AreRejected() {
        let sink = read([Array("id,login\n1,a\n2,".utf8)[...], [0xE9], Array("\n3,c\n".utf8)[...]])
        #expect(sink.users.map(\.login) == ["a", "c"])
        #expect(sink.rejections == ["line 3: expected UTF-8, found other bytes"])
    }

    /// The two bytes of é, in two cells.
    @Test func aCharacterDoesNotReachIntoTheNextCell() {
        let bytes = Array("id,login,name\n1,a".utf8) + [0xC3, 0x2C, 0xA9] + Array("b\n2,b,B\n".utf8)
        let sink = read([bytes[...]])
        #expect(sink.users.map(\.login) == ["b"])
        #expect(sink.rejections == ["line 2: expected UTF-8, found other bytes"])
    }

    @Test func whatAnEndlessRowHoldsIsNotKept() {
        let piece = Array(repeating: "a,", count: 1 << 17).joined().utf8.map { $0 }
        let sink = read(
            [Array("id,login\n1,a\n".utf8)[...]] + Array(repeating: piece[...], count: 16)
                + [Array("\n2,b\n".utf8)[...]])
        #expect(
            sink.users.map(\.login) == ["a", "b"]
                && sink.rejections == ["line 3: expected at most 1 MiB and 1,024 columns, found more"])
    }

    @Test func anEndlessHeaderIsRefused() {
        let refusal = "expected a header of at most 1 MiB and 1,024 columns, found more in line"
        let columns = Array(repeating: "a,", count: 1 << 16).joined()
        for (text, line) in [("name," + columns + "\nada\n", 1), ("Northwind\n" + columns, 2)] {
            let sink = read(text)
            #expect(sink.rejections == ["\(refusal) \(line)"] && sink.users.isEmpty)
        }
        let widest = "name," + Array(repeating: "a,", count: 1022).joined()
        #expect(read(widest + "\nada\n").users.map(\.name) == ["ada"])
    }

    @Test(arguments: [
        "sep=;\nOur staff, 2026\n\nlogin;name\na;A\n;\n\nb;B\n",
        "\"sep=;\"\r\n;;\r\nStaff;;\r\nlogin;name\r\na;A\r\n;\r\nb;B",
        "Our staff, 2026\nas of, today, perhaps\n,,,\nlogin;name\na;A\n;\nb;B\n",
        "Staff;\nlogin;name\na;A\n;\nb;B\n",
    ])
    func titlesAboveTheHeaderAreSkipped(_ text: String) {
        let sink = read(text)
        #expect(sink.users.map(\.login) == ["a", "b"] && sink.rejections.isEmpty, "\(sink.rejections)")
        #expect(sink.layout?.separator == ";" && sink.layout?.encoding == .utf8)
        let above = text.utf8.prefix(text.range(of: "login")?.lowerBound.utf16Offset(in: text) ?? 0)
        #expect(sink.layout?.headerLine == above.count { $0 == 0x0A } + 1)
    }

    @Test func emptyRowsAreCounted() {
        let sink = read("login,name\n,\na,A\n\n,,\n , \nb,B\n")
        #expect(sink.users.count == 2 && sink.layout?.emptyRows == 3 && sink.rejections.isEmpty)
    }

    @Test func exportsStateTheirNumberOfRecords() {
        let (line, bad) = ("{\"id\":1,\"login\":\"ada\"}\n", "{\"id\":2}\n")
        let proof = { (count: Int) in "{\"rollcall\":{\"count\":\(count)}}\n" }
        #expect(read(line + proof(1) + line + line + proof(2)).rejections.isEmpty)
        #expect(read(line + bad + proof(2)).rejections.count == 1, "a rejected record counts as present")
        #expect(
            read(line + proof(2) + line + proof(1)).rejections == [
                "the file is incomplete: expected 2 records, as the proof line says, found 1"
            ])
        // Without records, nothing else shows that the line is Rollcall's, so it is read as JSON.
        #expect(read(proof(0)).rejections.isEmpty && read(proof(3)).rejections.count == 1)
    }

    @Test func aLineThatIsTooLongIsNoProof() {
        let proof = "{\"rollcall\":{\"count\":1}}"
        let long = proof + String(repeating: " ", count: 1 << 20) + "and more"
        let sink = read("{\"id\":1,\"login\":\"ada\"}\n\(long)\n{\"id\":2,\"login\":\"bo\"}\n")
        #expect(sink.users.count == 2 && sink.rejections == ["line 2: expected at most 1 MiB, found more"])
    }

    @Test func aRecordOfJSONThatIsTooLargeCountsAsPresent() {
        let large = "{\"id\":1,\"login\":\"ada\",\"about\":\"\(String(repeating: "a", count: 1 << 20))\"}"
        let sink = read("[{\"id\":2,\"login\":\"bo\"},\(large),{\"rollcall\":{\"count\":2}}]")
        #expect(sink.users.count == 1 && sink.rejections == ["record 2: expected at most 1 MiB, found more"])
    }
}

extension ImportFormat {
    fileprivate static func found(in text: String) -> ImportFormat {
        Array(text.utf8).withUnsafeBytes { found(in: $0) }
    }
}
