import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite("Exporting", .onThreadsForPrograms)
final class ExportingTests: Stage {
    /// Every field that a record may have, and enough users for several pages.
    static let people: String = {
        let odd = [
            #"{"id":1,"login":"ada","name":null,"x":null,"y":"","z":[1.50,{"b":"\"\n,\\\u0007"}]}"#,
            #"{"id":2,"login":"=1+1","name":"@SUM(A1)","type":"-Bot","reputation":-5,"more":"=2"}"#,
            #"{"id":3,"login":"'=1","name":"''+1","more":{"a":1},"rollcall":"mine"}"#,
            #"{"id":9223372036854775807,"login":"bo,\"x\"","name":"<b>김</b> & 'c'","avatar_url":"https://example.com/a?b=1&c=2","html_url":"http://example.com/,;","type":"Organization","reputation":0}"#,
        ]
        return (odd + (10..<500).map { #"{"id":\#($0),"login":"user\#($0)","bio":"line\\nbreak"}"# }).joined(
            separator: "\n")
    }()

    @Test(arguments: ["ndjson", "csv", "json"])
    func anImportedExportRestoresTheDirectory(_ format: String) throws {
        let (first, second) = (database, path("second.sqlite"))
        let people = ["import", "file", "-", "--directory", "team", "--database"]
        #expect(try run(binary(), people + [first], input: Data(Self.people.utf8)).status == 0)
        let export = ["export", "--layout", "rollcall", "--format", format, "--database"]
        let once = try run(binary(), export + [first])
        #expect(once.status == 0 && once.error == "")
        #expect(try run(binary(), people + [second], input: Data(once.output.utf8)).status == 0)
        #expect(try run(binary(), export + [second]).output == once.output)
        // The other formats reveal what this one may have lost.
        let lines = ["export", "--directory", "team", "--database"]
        let all = try run(binary(), lines + [first]).output
        #expect(all.split(separator: "\n").count == 494)
        #expect(try run(binary(), lines + [second]).output == all)
    }

    /// Headings and cells that spreadsheets or imports would change.
    private static let hostile: [String] = ["=", "+", "-", "@", "\t", "\r", "'"].flatMap { [$0, $0 + "x", "'" + $0] }

    @Test(arguments: ["source", "rollcall"])
    func whatSpreadsheetsWouldChangeComesBack(_ layout: String) throws {
        let people = Self.hostile.enumerated().map { number, text in
            var person = Dictionary(uniqueKeysWithValues: Self.hostile.map { ($0, text) })
            (person["Name"], person["@Codename"]) = ("Person \(number)", text)
            return person
        }
        let json = try JSONSerialization.data(withJSONObject: people)
        let place = ["--directory", "team"]
        let first = try rollcall(
            ["import", "file", "-", "--keep", "@Codename"] + place, input: String(decoding: json, as: UTF8.self))
        #expect(first.status == 0, "\(first.error)")
        let export = ["export", "--with-private", "--layout", layout, "--format"]
        let all = try rollcall(export + ["ndjson"] + place).output
        let settings = try rollcall("directories", "settings", "team").output
        for format in ["csv", "ndjson"] {
            let file = try rollcall(export + [format] + place).output
            let again = try rollcall(["import", "file", "-"] + place, input: file)
            #expect(again.output.contains(": 21 unchanged"), "\(format): \(again.output)")
            #expect(!(again.output + again.error).contains("new column"), "\(format): \(again.error)")
            #expect(try rollcall(export + ["ndjson"] + place).output == all, "\(format)")
            #expect(try rollcall("directories", "settings", "team").output == settings)
        }
        for ending in ["xlsx", "csv"] {
            let file = path("hostile-\(layout).\(ending)")
            let export = ["export", file, "--with-private", "--layout", layout] + place
            let made = try rollcall(export)
            #expect(made.status == 0, "\(made.error)")
            let again = try rollcall(["import", "file", file] + place)
            #expect(again.output.contains(": 21 unchanged"), "\(ending): \(again.output)\(again.error)")
        }
        #expect(!(try rollcall(["export"] + place).output.contains("Codename")))
    }

    /// An export does not say which logins and ids were generated.
    @Test(
        arguments: [
            "ID,Name\n1,Ann\n2,Bo\n", "login,Name\na,Ann\nb,Bo\n", "Name\nAnn\nBo\n", "id,login\n1,a\n2,b\n",
            #"[{"name":"Ann","tags":["a","b"],"age":5,"x":null},{"name":"Bo","tags":[],"age":"6","ok":true}]"#,
        ])
    func anUneditedExportChangesNobody(_ people: String) throws {
        let place = ["--directory", "team"]
        #expect(try rollcall(["import", "file", "-"] + place, input: people).status == 0)
        for (format, layout) in [("ndjson", "rollcall"), ("csv", "source")] {
            let file = try rollcall(["export", "--format", format, "--layout", layout] + place).output
            let again = try rollcall(["import", "file", "-"] + place, input: file).output
            #expect(again.contains(": 2 unchanged"), "\(format), \(layout): \(again)")
        }
        let again = try rollcall(["import", "file", "-"] + place, input: people).output
        #expect(again.contains(": 2 unchanged"), "\(again)")
    }

    /// Members that are columns come before the others, tables have numbers as texts, and the figure is a number.
    @Test(
        arguments: [
            "Name,Team,Reputation,Website\nAda,Ops,12,https://a.example/\nBob,,1500,\n",
            "login,Reputation,Score,Type,html_url\nada,12,3,User,https://a.example/\nbob,1.5,4,,\n",
            #"""
            {"name":"Ada","tags":["a","b"],"age":5,"ok":true,"o":{"x":1},"reputation":"12","n":null}
            {"name":"Bo","tags":[],"age":"6","ok":false,"reputation":7,"website":"https://b.example/"}
            """#,
            #"""
            {"id":7,"login":"annie","name":"Annie","reputation":12,"type":"Bot","more":{"z":1,"reputation":3}}
            {"id":9,"login":"bo","x":1,"reputation":70e-1,"html_url":"https://b.example/","y":2}
            """#,
            #"""
            {"badge_counts":{"gold":0},"reputation":10,"user_type":"registered","user_id":1,"location":"Oslo","display_name":"A","link":"https://a.example/"}
            {"reputation":20,"creation_date":12,"user_type":"moderator","user_id":2,"link":"https://b.example/","display_name":"B"}
            """#,
            #"""
            {"login":"ann","id":1,"node_id":"x","url":"https://api.github.com/users/ann","html_url":"https://github.com/ann","type":"User","site_admin":false}
            {"login":"bo","id":2,"node_id":"y","url":"https://api.github.com/users/bo","html_url":"https://github.com/bo","type":"Bot","site_admin":true}
            """#,
        ], ["ndjson", "csv", "json", "xlsx"])
    func anUneditedExportInRollcallsLayoutChangesNobody(_ people: String, _ format: String) throws {
        let (place, file) = (["--directory", "team"], path("people.\(format)"))
        #expect(try rollcall(["import", "file", "-"] + place, input: people).status == 0)
        let all = try rollcall(["export"] + place).output
        #expect(try rollcall(["export", file, "--layout", "rollcall"] + place).status == 0)
        let again = try rollcall(["import", "file", file] + place)
        #expect(again.output.contains(": 2 unchanged"), "\(again.output)\(again.error)")
        #expect(try rollcall(["export"] + place).output == all)
    }

    @Test func headingsThatComeTwiceLoseNothing() throws {
        let place = ["--directory", "team"]
        let staff = "Name,Team,Team,Name,City,\nAnna,A,B,C,D,E\nBen,G,H,I,J,K\n"
        let first = try rollcall(["import", "file", "-"] + place, input: staff)
        #expect(first.error.contains("column 3 repeats Team: called Team 2, column 4 repeats Name: called Name 2, "))
        let table = try rollcall(["export", "--format", "csv"] + place).output
        #expect(table.contains(",Name,Team,Team 2,Name 2,City,Column 6\r\nanna,Anna,A,B,C,D,E\r\n"), "\(table)")
        for file in [table, staff] {
            let again = try rollcall(["import", "file", "-"] + place, input: file)
            #expect(again.output.contains(": 2 unchanged"), "\(again.output)")
        }
        let links = "login,name,html_url\nann,Ann,https://a.example/\nben,Ben,see me\n"
        let other = ["--directory", "links"]
        #expect(try rollcall(["import", "file", "-"] + other, input: links).status == 0)
        let lines = try rollcall(["export"] + other).output.split(separator: "\n")
        #expect(lines.last?.contains(#""html_url":"see me","type":null,"reputation":null}"#) == true)
    }

    /// The server learns of an import a moment later.
    @Test func anExportHasTheHeadingsOfItsColumns() throws {
        try load("login,Name,Dept.\nann,Ann,Ops\n")
        let server = try serve()
        #expect(try get(server.url + "/export.csv").text.hasSuffix(",Dept.\r\nann,ann,Ann,Ops\r\n"))
        try load("login,Name,Unit\nann,Ann,Lab\n", "--missing", "erase")
        #expect(try get(server.url + "/export.csv").text.hasSuffix(",Unit\r\nann,ann,Ann,Lab\r\n"))
    }

    @Test func nobodyElseReadsAFileWithPrivateValues() throws {
        try load("Login,Name,Room\nann,Ann,7\n", "--keep", "Room")
        for format in ["ndjson", "csv", "xlsx"] {
            let file = path("people.\(format)")
            let output = try rollcall("export", file, "--with-private", "--directory", "team")
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(output.status == 0 && mode == 0o600)
            let note = "with private columns; an import into another directory needs: --keep Room\n"
            #expect(output.error.hasSuffix(note) == (format != "ndjson"), "\(output.error)")
        }
    }

    @Test func aServerSendsTheSameExportAndProvesItIsComplete() throws {
        try load(Self.people)
        let server = try serve()
        let all = try rollcall("export").output
        #expect(try get(server.url + "/export.ndjson").text == all)
        let answer = try get(server.url + "/export.ndjson?proof=1")
        #expect(answer.status == 200 && answer.text == all + "{\"rollcall\":{\"count\":494}}\n")
        #expect(try rollcall("export", "--proof").output == answer.text)
        #expect(answer.fields["content-disposition"] == "attachment; filename=\"team.ndjson\"")
        let compressed = try curl("--compressed", server.url + "/export.ndjson?proof=1")
        #expect(compressed.fields["content-encoding"] == "gzip" && compressed.body == answer.body)
        let table = try get(server.url + "/export.csv?layout=rollcall&proof=1")
        #expect(try rollcall("export", "--proof", "--layout", "rollcall", "--format", "csv").output == table.text)
        for (name, body) in [("lines", answer.body), ("table", table.body)] {
            let copy = path(name + ".sqlite")
            let output = try run(
                binary(), ["import", "file", "-", "--directory", "team", "--database", copy], input: body)
            #expect(output.status == 0 && output.output.contains("494 added"), "\(output.error)")
            #expect(try run(binary(), ["export", "--database", copy]).output == all)
        }
    }

    @Test(arguments: ["ndjson", "csv"])
    func anIncompleteExportIsReported(_ format: String) throws {
        let server = try RollcallProcess.demo(users: 300)
        let people = { ["import", "file", "-", "--directory", "team", "--prune", "--database", self.path($0)] }
        var lines = try get(server.url + "/export." + format + "?proof=1").body.split(separator: 0x0A)
        #expect(try run(binary(), people("copy"), input: Data(lines.joined(separator: [0x0A]))).status == 0)
        lines.removeSubrange(100..<110)
        let cut = try run(binary(), people("copy"), input: Data(lines.joined(separator: [0x0A])))
        #expect(cut.status == 1)
        #expect(
            cut.error.contains("the file is incomplete: expected 300 records, as the proof line says, found 290"),
            "\(cut.error)")
        #expect(cut.output.contains("290 unchanged") && cut.error.contains("nobody was removed"), "\(cut.error)")
        // The users that arrived are saved.
        #expect(try run(binary(), people("new"), input: Data(lines.joined(separator: [0x0A]))).status == 1)
        #expect(try run(binary(), ["export", "--database", path("new")]).output.split(separator: "\n").count == 290)
    }

    /// Rollcall's own layout has the column in a member of its own.
    @Test(arguments: ["ndjson", "csv"])
    func whoAsksSearchEnginesToStayAwayStaysThatWay(_ format: String) throws {
        let table = path("team.csv")
        try Data("Name,Title,noindex\nAnna Lind,Boss,yes\nBert Kraus,Clerk,no\n".utf8).write(to: URL(filePath: table))
        #expect(try rollcall("import", "file", table).status == 0)
        let export = ["export", "--with-private", "--layout", "rollcall", "--format", format, "--database", database]
        let file = path("people.\(format)")
        #expect(try run(binary(), export + [file]).status == 0)
        let again = try rollcall("import", "file", file, "--directory", "team")
        #expect(again.output.contains(": 2 unchanged"), "\(again.output) \(again.error)")
        let server = try serve()
        #expect(try get(server.url + "/users/anna-lind").fields["x-robots-tag"] == "noindex")
        #expect(try get(server.url + "/users/bert-kraus").fields["x-robots-tag"] == nil)
    }

    @Test func aWorkbookComesWithoutAFolderForTemporaryFiles() throws {
        try load(Self.people)
        let server = try serve(environment: ["TMPDIR": "/nowhere"])
        let answer = try get(server.url + "/export.xlsx")
        #expect(answer.status == 200 && answer.body.starts(with: "PK".utf8), "\(answer.status) \(server.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { $0.hasPrefix("people") })
    }

    @Test func withoutDirectoriesExportsAreEmptyAndThereIsNoWorkbook() throws {
        let server = try serve()
        for format in ["csv", "ndjson"] { #expect(try get(server.url + "/export.\(format)").status == 200) }
        #expect(try get(server.url + "/export.xlsx").status == 404)
    }

    @Test func aServerSendsTheRequestedExport() throws {
        let server = try RollcallProcess.demo(users: 300)
        let all = try get(server.url + "/export.ndjson").text.split(separator: "\n")
        let last = try #require(all[289].firstMatch(of: /"id":(\d+)/)?.1)
        let rest = try get(server.url + "/export.ndjson?since=\(last)").text.split(separator: "\n")
        #expect(all.count == 300 && rest == Array(all[290..<300]))
        let names = try get(server.url + "/api/v3/users?per_page=3&sort=name&order=desc").text
        let first = try get(server.url + "/export.ndjson?sort=name&order=desc").text.prefix { $0 != "," }
        #expect(names.contains(first.dropFirst()))
        let found = try get(server.url + "/export.ndjson?q=an").text.split(separator: "\n")
        #expect(try get(server.url + "/fragment?q=an").fields["x-total-count"] == "\(found.count)")
        #expect(try get(server.url + "/export.csv?before=9").status == 400)
        #expect(try get(server.url + "/export.csv?sort=no").text.contains("sort"))
        #expect(try get(server.url + "/export.ndjson?directory=no").status == 404)
    }

    /// Twenty megabytes, so that neither kernel nor curl holds all of it while nobody reads.
    @Test(arguments: ["--http1.1", "--http1.0"])
    func anExportThatIsCutOffIsABrokenConnection(_ version: String) throws {
        let text = String(repeating: "x", count: 50_000)
        let people = (1...400).map { #"{"id":\#($0),"login":"user\#($0)","bio":"\#(text)"}"# }.joined(separator: "\n")
        try load(people)
        let server = try serve()
        let script = """
            mkfifo "$1/pipe"
            curl -sS $4 -o "$1/pipe" "$2" & curl=$!
            exec 3<"$1/pipe"
            head -c 10 <&3 >/dev/null
            "$0" directories remove team --yes --database "$3" >/dev/null
            cat <&3 >/dev/null
            wait $curl
            echo "curl ended with $?"
            """
        let output = try run(
            "sh",
            ["-c", script, binary(), folder.path, server.url + "/export.ndjson?directory=team", database, version])
        // CURLE_PARTIAL_FILE, as through a proxy, or CURLE_RECV_ERROR: the server resets the connection before the last
        // chunk (RFC 9112 §8), so that a client without chunks sees it as well.
        #expect(output.output.contains(/curl ended with (18|56)\n/), "\(output.output)\(output.error)")
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.contains("sqlite") }.sorted()
    }

    @Test func aFileGetsItsNameWhenItIsWhole() throws {
        let importing = ["import", "file", "-", "--directory", "team", "--database", database]
        let people = (1...5000).map { #"{"id":\#($0),"login":"user\#($0)","bio":"line"}"# }.joined(separator: "\n")
        #expect(try run(binary(), importing, input: Data(people.utf8)).status == 0)
        let file = folder.appending(path: "people.csv")
        try Data("old".utf8).write(to: file)
        let export = ["export", "--format", "csv", "--database", database]
        // The export is larger than files may be: 64 KiB, which is enough for the files that SQLite makes.
        let limited = try run("sh", ["-c", "ulimit -f 128; \"$0\" \"$@\"", binary()] + export + [file.path])
        #expect(limited.status == 1 && limited.error.contains("people.csv was not written: "), "\(limited.error)")
        #expect(try String(contentsOf: file, encoding: .utf8) == "old" && files() == ["people.csv"])

        let link = folder.appending(path: "link.csv")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        let whole = try run("sh", ["-c", "umask 027; \"$0\" \"$@\"", binary()] + export + [link.path])
        #expect(whole.status == 0 && whole.output == "")
        #expect(whole.error.hasSuffix(" written to \(link.path)\n"), "\(whole.error)")
        let all = try run(binary(), export).output
        #expect(try String(contentsOf: file, encoding: .utf8) == all && files() == ["link.csv", "people.csv"])
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(try run(binary(), export + ["-"]).output == all)
        #expect(try run(binary(), export + ["/dev/stdout"]).output == all)
        let inFolder = try run(binary(), export + [folder.path])
        #expect(inFolder.status == 1 && inFolder.error.contains("was not written: it is a folder"))
        // The name of the file chooses the format.
        let named = path("again.CSV")
        #expect(try rollcall("export", named).status == 0)
        #expect(try String(contentsOfFile: named, encoding: .utf8) == all)
        let lines = try rollcall("export").output
        for name in ["people.jsonl", "people", ".people"] {
            let file = path(name)
            #expect(try rollcall("export", file).status == 0)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == lines)
        }
        let workbook = try rollcall("export", folder.path + "/team.ods")
        #expect(workbook.status == 1 && workbook.error.contains("expected .xlsx, .csv, .json or .ndjson, or --format"))
        #expect(try run(binary(), export + [folder.path + "/team.txt"]).status == 0)
        let json = try rollcall("export", "--format", "json", "--proof")
        #expect(json.status == 1 && json.error.contains("--proof: expected ndjson or csv"))
    }

    @Test func whatIsWrongIsTold() throws {
        let missing = try rollcall("export")
        #expect(missing.status == 1 && missing.error.contains("there is no database \(database)"))
        let record = Data(#"{"id":1,"login":"ada"}"#.utf8)
        let people = ["import", "file", "-", "--directory", "team", "--database", database]
        #expect(try run(binary(), people, input: record).status == 0)
        let elsewhere = try rollcall("export", "--directory", "crew")
        #expect(elsewhere.status == 1 && elsewhere.error.contains("there is no directory crew; the database has: team"))
        #expect(elsewhere.output == "")
        #expect(try rollcall("export", "--format", "xml").error.contains("xml"))
    }
}
