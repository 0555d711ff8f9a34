import Base
import Foundation
import PictureFiles
import TestSupport
import Testing

@Suite("Opening a file", .onThreadsForPrograms)
final class OpeningTests: Stage {
    private var home: URL { folder.appending(path: "tmp") }

    override init() throws {
        try super.init()
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    }

    /// Opens a file or a folder. Returns the program once it watches it, and the address of its pages.
    private func open(_ arguments: String...) throws -> (program: Program, url: String) {
        let program = try Program(
            RollcallProcess.executable(), arguments + ["--port", "0", "--no-browser"], environment: environment)
        return (program, try address(program))
    }

    private var environment: [String: String] { ["TMPDIR": home.path, "DISPLAY": "", "WAYLAND_DISPLAY": ""] }

    private func address(_ program: Program) throws -> String {
        let line = try program.line(with: "Rollcall is at ")
        _ = try program.line(with: "watching ")
        return String(line.dropFirst("Rollcall is at ".count))
    }

    private static let people =
        "Name;E-Mail;Abteilung\nJürgen Groß;jg@example.org;Technik\nZoë Maß;zm@example.org;Labor\n"

    @Test func aSaveIsShownAndWhatCannotBeReadIsNot() throws {
        let file = try write("Köln.csv", Self.people)
        let (program, url) = try open(file)
        #expect(
            try program.line(with: "watching ") == "watching Köln.csv; Ctrl-C ends, and removes the temporary database")
        #expect(try get(url).text.contains("Jürgen Groß"))
        #expect(try get(url).text.contains("<span dir=\"auto\">Köln</span></a></h1>"))
        #expect(try get(url).text.contains("/reload."))
        // No other command finds the temporary database.
        #expect(program.errors.contains("names from Name") && !program.errors.contains("rollcall directories"))
        try write("Köln.csv", Self.people.replacing("Technik", with: "Einkauf") + "Kim Lee;kl@example.org;Labor\n")
        #expect(try program.line(with: "added").hasPrefix("Köln.csv: 1 added, 1 changed"))
        let page = try get(url + "/users/juergen-gross").text
        #expect(page.contains("Einkauf") && !page.contains("example.org/"))
        try write("Köln.csv", "")
        #expect(try program.line(with: "is empty").contains("is empty; pages stay as of "))
        #expect(try get(url).text.contains("Kim Lee"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).count == 1)
        #expect(program.stop(SIGINT) == 0)
        let commands = "To keep this directory:\n  rollcall import file \(file) --key E-Mail\n  rollcall serve\n"
        #expect(program.output.hasSuffix(commands), "\(program.output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
    }

    /// An import without a key chooses the name by itself.
    @Test(
        arguments: [
            ("No.,Name,Room\n1,Ann Lee,7\n2,Ann Lee,8\n", nil),
            ("Staff no.,Name,Room\n17,Ann Lee,7\n12,Ann Lee,8\n", "--key 'Staff no.'"),
        ] as [(String, String?)])
    func onlyAColumnThatIdentifiesPeopleIsTheKey(text: String, key: String?) throws {
        let file = try write("list.csv", text)
        let (program, _) = try open(file)
        #expect(program.stop(SIGINT) == 0)
        let command = ["rollcall import file", file, key].compactMap(\.self).joined(separator: " ")
        #expect(program.output.contains("\n  \(command)\n"), "\(program.output)")
    }

    @Test func aFileThatIsCutRemovesNobody() throws {
        let rows = (1...60).map { "Ann Lee\($0),al\($0)@example.org,Room \($0)" }
        let whole = (["Name,E-Mail,Room"] + rows).joined(separator: "\n") + "\n"
        let file = try write("list.csv", whole)
        let (program, url) = try open(file)
        let row = try #require(whole.range(of: "Ann Lee41,"))
        try write("list.csv", String(whole[..<row.upperBound]))
        let cut = "line 42: expected 3 columns, found 2 and the end of the file, which was cut off"
        #expect(try program.line(with: "line 42").hasPrefix("list.csv: \(cut); pages stay as of "))
        let cell = try #require(whole.range(of: "Room 5"))
        try write("list.csv", String(whole[..<cell.upperBound]))
        #expect(try program.line(with: "lost its end").hasPrefix("list.csv: its last line has "))
        #expect(!program.output.contains("removed"))
        #expect(try get(url + "/users/ann-lee60").status == 200)
        // Nothing says that the file was cut: people are gone when it has not changed for a while.
        try write("list.csv", String(whole[..<row.lowerBound]))
        #expect(try program.line(with: "removed").hasPrefix("list.csv: 20 removed"))
    }

    @Test func aFileWhoseNameIsNotUTF8IsShownAndFollowed() throws {
        try write("list.csv", "Name,Room\nAnn Lee,1\n")
        let move = #"cd "$1" && mv list.csv $'M\xFCller.csv'"#
        let open = #"exec "$0" $'M\xFCller.csv' --port 0 --no-browser"#
        let program = try Program(
            Program.find("bash"), ["-c", "\(move) && \(open)", binary(), folder.path], environment: environment)
        let url = try address(program)
        #expect(try program.line(with: "watching ").hasPrefix(#"watching M\xFCller.csv;"#))
        #expect(try get(url).text.contains("M\u{FFFD}ller"))
        try write("list.csv", "Name,Room\nAnn Lee,1\nBo Ek,2\n")
        #expect(try run("bash", ["-c", move, "", folder.path]).status == 0)
        #expect(try program.line(with: "added").hasPrefix(#"M\xFCller.csv: 1 added"#))
        #expect(try get(url).text.contains("Bo Ek"))
        program.stop(SIGINT)
        #expect(program.output.contains(#"rollcall import file $'M\xFCller.csv'"#), "\(program.output)")
    }

    @Test func aFileThatIsWrittenInStepsLosesNobodyMeanwhile() throws {
        let whole = "Name,Room\nAnn Lee,1\nBo Ek,2\nCy Day,3\n"
        let file = try write("list.csv", whole)
        let (program, _) = try open(file)
        let reads = inotify_init1(Int32(IN_NONBLOCK))
        defer { close(reads) }
        #expect(inotify_add_watch(reads, file, UInt32(IN_CLOSE_NOWRITE)) > 0)
        try write("list.csv", "Name,Room\nAnn Lee,1\n")
        try program.wait(until: "it has read the first step") { SystemFile.read(upTo: 4096, from: reads) != nil }
        try write("list.csv", whole + "Di Fox,4\n")
        #expect(try program.line(with: "added").hasPrefix("list.csv: 1 added"))
    }

    /// The order tells people of one name apart, and rows that left are gone.
    @Test func peopleKeepTheirAddresses() throws {
        let file = try write("list.csv", "Name,Room\nAnn Lee,1\nAnn Lee,2\nBo Ek,3\n")
        let (program, url) = try open("open", file)
        #expect(try get(url + "/users/ann-lee-2").status == 200)
        try write("list.csv", "Name,Room\nAnn Lee,1\nAnn Lee,7\n")
        #expect(try program.line(with: "changed").hasPrefix("list.csv: 1 changed, 1 removed"))
        #expect(try get(url + "/users/ann-lee-2").text.contains("7"))
        #expect(try get(url + "/users/bo-ek").status == 404)
    }

    /// Who edits the file has decided about its columns.
    @Test func columnsMayLeaveTheFile() throws {
        let file = try write("list.csv", "Name,E-Mail,Status\nAnn Lee,al@x.org,active\nBo Ek,be@x.org,active\n")
        let (program, url) = try open(file)
        try write("list.csv", "Name,Room\nAnn Lee,1\nBo Ek,2\nCy Day,3\n")
        let line = try program.line(with: "list.csv: 1 ")
        #expect(line.hasPrefix("list.csv: 1 added") && line.contains("; 1 column of the last import missing: Status"))
        #expect(try get(url).text.contains("Cy Day"))
    }

    @Test func settingsAndPhotosAreFollowed() throws {
        let file = try write("list.csv", "Name,Room,Role\nAnn Lee,R1,Lead\nBo Ek,R2,Chair\n")
        let settings = try write("look.json", #"{"rows": ["Role"]}"#)
        let photos = folder.appending(path: "faces")
        try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
        let (program, url) = try open(file, "--settings", settings, "--photos", photos.path)
        #expect(try !get(url).text.contains("R1"))
        try write("look.json", #"{"rows": ["Room"]}"#)
        try program.wait(until: "the other column is shown") { try get(url).text.contains("R1") }
        #expect(try !get(url).text.contains("/pictures/"))
        try Data(TestImage.chequer().jpeg()).write(to: photos.appending(path: "ann-lee.jpg"))
        try program.wait(until: "the photo is shown") { try get(url).text.contains("/pictures/") }
    }

    @Test func aTableThatCannotBeReadKeepsNoOtherAway() throws {
        try write("team.csv", "Name,Role\nAnn,Lead\n")
        let broken = try write("broken.csv", "nothing\n")
        try write("~$team.csv", "lock")
        let (program, url) = try open(folder.path)
        let page = try get(url + "/directories").text
        #expect(page.contains("team") && !page.contains("broken"))
        #expect(program.errors.contains("broken.csv: expected a header"))
        try Data("Name,Role\nBo,Chair\n".utf8).write(to: URL(filePath: broken))
        #expect(try program.line(with: "added").hasPrefix("broken.csv: 1 added"))
    }
}
