import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite("Exporting", .onThreadsForPrograms)
final class ExportingTests: Stage {
    /// Enough users for several pages.
    private static let people = (1...494).map { #"{"id":\#($0),"login":"user\#($0)","bio":"line\\nbreak"}"# }
        .joined(separator: "\n")

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
        for (name, text) in [("lines", answer.text), ("table", table.text)] {
            let copy = path(name + ".sqlite")
            #expect(try load(text, database: copy).output.contains("494 added"))
            #expect(try rollcall("export", database: copy).output == all)
        }
    }

    @Test func aWorkbookComesWithoutAFolderForTemporaryFiles() throws {
        try load(Self.people)
        let server = try serve(environment: ["TMPDIR": "/nowhere"])
        let answer = try get(server.url + "/export.xlsx")
        #expect(answer.status == 200 && answer.body.starts(with: "PK".utf8), "\(answer.status) \(server.errors)")
        #expect(try files.allSatisfy { $0.hasPrefix("people") })
    }

    @Test func withoutDirectoriesExportsAreEmpty() throws {
        let server = try serve()
        for format in ["csv", "ndjson", "xlsx"] { #expect(try get(server.url + "/export.\(format)").status == 200) }
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

    private var exported: [String] { get throws { try files.filter { !$0.contains("sqlite") } } }

    @Test func aFileGetsItsNameWhenItIsWhole() throws {
        let people = (1...5000).map { #"{"id":\#($0),"login":"user\#($0)","bio":"line"}"# }.joined(separator: "\n")
        try load(people)
        let file = folder.appending(path: "people.csv")
        try Data("old".utf8).write(to: file)
        let export = ["export", "--format", "csv", "--database", database]
        // The export is larger than files may be: 64 KiB, which is enough for the files that SQLite makes.
        try run("sh", ["-c", "ulimit -f 128; \"$0\" \"$@\"", binary()] + export + [file.path]).expect(
            1, error: "people.csv was not written: ")
        #expect(try String(contentsOf: file, encoding: .utf8) == "old" && exported == ["people.csv"])

        let link = folder.appending(path: "link.csv")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        let whole = try run("sh", ["-c", "umask 027; \"$0\" \"$@\"", binary()] + export + [link.path])
        #expect(whole.expect(whole: "").error.hasSuffix(" written to \(link.path)\n"), "\(whole.error)")
        let all = try run(binary(), export).output
        #expect(try String(contentsOf: file, encoding: .utf8) == all && exported == ["link.csv", "people.csv"])
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(try run(binary(), export + ["-"]).output == all)
        #expect(try run(binary(), export + ["/dev/stdout"]).output == all)
        try run(binary(), export + [folder.path]).expect(1, error: "was not written: it is a folder")
        try rollcall("export", database: path("none")).expect(1, whole: "", error: "there is no database")
    }
}
