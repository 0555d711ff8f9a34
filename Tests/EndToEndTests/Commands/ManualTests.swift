import Foundation
import TestSupport
import Testing

/// `debian/manual`, with samples in the place of the program and of swift-argument-parser's generator. `Tests/release`
/// makes the real pages.
@Suite("Manual pages", .onThreadsForPrograms)
final class ManualTests: Stage {
    private func page(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: "pages/\(name).1"), encoding: .utf8)
    }

    /// Makes the pages of `rollcall`, `rollcall pictures fetch` and a hidden command.
    override init() throws {
        try super.init()
        let pages = folder.appending(path: "pages")
        try FileManager.default.createDirectory(at: pages, withIntermediateDirectories: true)
        let samples = [
            "program": """
            #!/bin/sh
            cat <<'JSON'
            {"command": {"commandName": "rollcall", "shouldDisplay": true, "subcommands": [
                {"commandName": "pictures", "shouldDisplay": true, "subcommands": [
                    {"commandName": "fetch", "shouldDisplay": true}]},
                {"commandName": "worker", "shouldDisplay": false}]}}
            JSON
            """,
            "generator": #"""
            #!/bin/sh
            while [ $# -gt 1 ]; do
                case $1 in --date) date=$2 ;; --output-directory) cd "$2" ;; esac
                shift
            done
            page() {
                printf '.Dd %s\n.Dt %s 1\n.Os\n.Sh NAME\n.Nm "%s"\n.Nd "What."\n.Sh SYNOPSIS\n.Nm\n' "$date" "$1" "$2"
                printf '.Sh DESCRIPTION\nrollcall one      first\nrollcall two      second\n\n\nMore.\n'
                printf '.Bl -tag -width 6n\n.It Fl a\nText.\n\nrollcall is plain here.\n.El\n'
                printf '.Sh "EXIT STATUS"\n.Ex -std\n'
            }
            { page ROLLCALL rollcall; printf '.Sh "SEE ALSO"\n.Xr rollcall.pictures 1 ,\n.Xr rollcall.worker 1'; } >rollcall.1
            page ROLLCALL.PICTURES "rollcall pictures" >rollcall.pictures.1
            page ROLLCALL.PICTURES.FETCH "rollcall pictures fetch" >rollcall.pictures.fetch.1
            page ROLLCALL.WORKER "rollcall worker" >rollcall.worker.1
            """#,
        ]
        for (name, text) in samples {
            let path = path(name)
            // By another process: one that this process starts meanwhile would keep the file open for writing, and
            // Linux runs no such file (ETXTBSY).
            let written = try run("sh", ["-c", #"cat >"$0" && chmod 755 "$0""#, path], input: Data(text.utf8))
            try #require(written.status == 0)
        }
        try run(
            RollcallProcess.packageFolder.appending(path: "debian/manual").path,
            [folder.path + "/program", folder.path + "/generator", pages.path],
            environment: ["SOURCE_DATE_EPOCH": "86400"]
        ).expect()
    }

    @Test func areCalledAsTheirCommandsAndHiddenOnesHaveNone() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/pages").sorted()
        #expect(names == ["rollcall-pictures-fetch.1", "rollcall-pictures.1", "rollcall.1"])
        let page = try page("rollcall-pictures-fetch")
        #expect(page.hasPrefix(".Dd 1970-01-02\n.Dt ROLLCALL-PICTURES-FETCH 1\n"))
        #expect(page.contains(".Sh NAME\n.Nm rollcall-pictures-fetch\n.Nd"))
        #expect(page.contains(".Sh SYNOPSIS\n.Nm rollcall pictures fetch\n"))
        #expect(page.hasSuffix(".Sh SEE ALSO\n.Xr rollcall-pictures 1\n"))
        #expect(try self.page("rollcall").hasSuffix(".Sh SEE ALSO\n.Xr rollcall-pictures 1\n"))
    }

    @Test func haveNoEmptyLinesAndKeepLinesOfCommands() throws {
        for name in ["rollcall", "rollcall-pictures", "rollcall-pictures-fetch"] {
            let page = try page(name)
            #expect(!page.contains("\n\n"), "\(page)")
            let shown = ".Bd -literal\nrollcall one      first\nrollcall two      second\n.Ed\n.Pp\nMore.\n.Bl"
            #expect(page.contains(shown), "\(page)")
        }
    }

    @Test func ofTheProgramNameFilesVariablesAndStatus() throws {
        let page = try page("rollcall")
        for section in ["ENVIRONMENT", "FILES", "EXIT STATUS"] {
            #expect(page.components(separatedBy: "\n.Sh \(section)\n").count == 2, "\(section)")
        }
        #expect(!page.contains(".Ex -std"))
    }
}
