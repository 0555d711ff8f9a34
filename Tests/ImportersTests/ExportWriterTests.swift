import Base
import People
import Publishing
import Testing

@testable import Importers

extension UserRows {
    mutating func append(_ user: User) {
        func slice(_ text: String?) -> ByteSlice { Array((text ?? "").utf8).withUnsafeBytes { keep($0) } }
        rows.append(UserRow(user.columns.map(slice)))
    }
}

/// Returns the bytes of an export of `rows`.
func export(_ rows: UserRows, as format: ExportFormat, of source: BuiltInSettings = .rollcall) throws -> [UInt8] {
    let buffer = ByteBuffer()
    var directory = Directory(id: 1, slug: Slug(literal: "people"), title: "", source: "", total: 0, generation: 1)
    directory.settings = ResolvedSettings(DirectorySettings(inferred: source.settings)).shown
    var writer = ExportWriter(format: format, columns: ExportColumns(.rollcall, of: directory, in: "test"))
    writer.begin(into: buffer)
    for index in rows.rows.indices { try writer.append(rows, index, into: buffer) }
    writer.end(into: buffer)
    return [UInt8](buffer)
}

/// Returns the users imported from `bytes`, and checks that nothing is rejected.
func importing(_ bytes: [UInt8]) throws -> [User] {
    let sink = read([bytes[...]])
    #expect(sink.rejections.isEmpty)
    return sink.users
}

@Suite("Exports")
struct ExportWriterTests {
    static let users = [
        User(id: 1, login: "ada"),
        User(
            id: .max, login: "bo,\"x\"", name: "<b>B\u{2028}</b> & 'c' 김",
            avatarURL: "https://example.com/a?b=1&c=\"2\"",
            more:
                #"{"html_url":"http://example.com/,;","type":"Bot","reputation":-9223372036854775807,"url":"https://example.com/api","link":null,"website":"x","user_id":3,"display_name":"A &amp; B","a":[1,{"b":"\"\n,\\"}],"more":"m","image":7,"Name":"N","LOGIN":"L"}"#
        ),
        User(
            id: 3, login: "cy", name: "C; D",
            more: #"{"reputation":0,"species":"Human","status":"Alive","url":"https://example.com/1"}"#),
        User(id: 4, login: "=1+1", name: "@SUM(A1:A9)", more: #"{"type":"-Bot","reputation":-5}"#),
        User(id: 5, login: "'=1", name: "''+1", more: #"{"type":"＝Bot"}"#),
        User(id: 6, login: "'quoted'", name: "'"),
    ].map { user in
        var user = user
        user.name = user.name.map(NormalizedText.cleaned)
        return user
    }

    private var rows: UserRows {
        var rows = UserRows()
        for user in Self.users { rows.append(user) }
        return rows
    }

    @Test(arguments: ExportFormat.allCases)
    func importingAnExportGivesTheSameUsers(_ format: ExportFormat) throws {
        #expect(try importing(try export(rows, as: format)) == Self.users)
    }

    /// An export has columns of its own for them, and no member twice.
    @Test(arguments: ExportFormat.allCases)
    func exportedFieldsComeBackUnderTheNamesOfTheirService(_ format: ExportFormat) throws {
        let source = BuiltInSettings.stackExchange
        let ada = User(
            id: 7, login: "ada",
            more: #"{"link":"https://a.example/7","user_type":"moderator","reputation":-5,"last_access_date":5}"#)
        var rows = UserRows()
        rows.append(ada)
        let bytes = try export(rows, as: format, of: source)
        #expect(String(decoding: bytes, as: UTF8.self).components(separatedBy: "moderator").count == 2)
        let settings = ResolvedSettings(DirectorySettings(inferred: source.settings))
        let sink = read(
            [bytes[...]], names: ColumnNames(ImportSchema(ImportRequest(), settings.stored, .ownExport(.rollcall))))
        #expect(sink.users == [ada] && sink.rejections.isEmpty)
    }

    /// OWASP, “CSV Injection”.
    @Test func noCellIsASpreadsheetFormula() throws {
        let cells = String(decoding: try export(rows, as: .csv), as: UTF8.self)
        #expect(cells.contains("\r\n4,'=1+1,'@SUM(A1:A9),,,'-Bot,-5,\r\n5,''=1,'''+1,,,'＝Bot,,\r\n6,'quoted',',,"))
    }

    @Test(arguments: ExportFormat.allCases)
    func anEmptyDirectoryIsACompleteFile(_ format: ExportFormat) throws {
        let text = String(decoding: try export(UserRows(), as: format), as: UTF8.self)
        #expect(
            text
                == [.ndjson: "", .csv: "id,login,name,avatar_url,html_url,type,reputation,more\r\n", .json: "[\n]\n"][
                    format])
    }

    @Test func everyFormatHasItsExactLines() throws {
        var rows = UserRows()
        rows.append(User(id: 7, login: "ada", name: "A \"B\"", more: #"{"reputation":5,"x":1}"#))
        #expect(
            String(decoding: try export(rows, as: .ndjson), as: UTF8.self)
                == #"{"id":7,"login":"ada","name":"A \"B\"","avatar_url":null,"html_url":null,"type":null,"reputation":5,"fields":{"x":1}}"#
                + "\n")
        // Spreadsheets separate at semicolons and tabs as well.
        rows.append(User(id: 8, login: "x;=1+1", name: "b\t=1"))
        #expect(
            String(decoding: try export(rows, as: .csv), as: UTF8.self).contains(
                "\r\n8,\"x;=1+1\",\"b\t=1\",,,,,\r\n"))
        #expect(
            String(decoding: try export(rows, as: .csv), as: UTF8.self).split(separator: "\r\n")[1]
                == #"7,ada,"A ""B""",,,,5,"{""x"":1}""#)
    }
}
