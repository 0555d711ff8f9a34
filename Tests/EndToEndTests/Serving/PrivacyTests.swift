import Foundation
import PictureFiles
import TestSupport
import Testing

/// Nothing shows what is private, not even a difference: two databases that differ only in that give equal answers.
///
/// A new URL needs nothing here if a page links to it or `openapi.json` names it; else the test asks for a request.
@Suite("Privacy", .onThreadsForPrograms)
final class PrivacyTests: TestFolder {
    private let marks = PrivateTwin.keptMarks + PrivateTwin.goneMarks
    /// Everything that the commands printed.
    private var reports = ""

    private func rollcall(_ arguments: [String], _ database: String) throws {
        let output = try run(binary(), arguments + ["--database", database])
        #expect(output.status == 0, "\(arguments): \(output.error)")
        reports += output.output + output.error
    }

    /// Fills a database, forgets people in it, and makes columns private. Returns its path.
    private func fill(_ twin: PrivateTwin) throws -> String {
        let database = twin.folder.appending(path: "people.sqlite").path
        // Both have the same secrets and the same mark in exports.
        for end in ["", "-pictures"] {
            let start = folder.appending(path: "new.sqlite\(end)").path
            try FileManager.default.copyItem(atPath: start, toPath: database + end)
        }
        for source in twin.sources {
            let file = twin.folder.appending(path: source.file)
            try Data(source.text.utf8).write(to: file)
            try rollcall(["import", "file", file.path, "--directory", source.directory] + source.options, database)
            try hide(source.privateKeys, others: source.hidesOthers, of: source.directory, in: database)
        }
        try rollcall(["import", "git", twin.makeRepository(), "--directory", "history"], database)
        try hide(PrivateTwin.historyKeys, others: true, of: "history", in: database)
        try rollcall(["forget", "--directory", "forgetting"] + twin.forgottenLogins, database)
        // What the report says of forgotten people names them.
        reports = reports.split(separator: "\n").filter { !$0.contains(": forgotten in") }.joined(separator: "\n")
        return database
    }

    private func hide(_ keys: [String], others: Bool, of directory: String, in database: String) throws {
        if keys.isEmpty { return }
        let fields = keys.map { #"{"key":"\#($0)","show":"private"}"# }.joined(separator: ",")
        let file = try write("settings.json", #"{\#(others ? #""others":"private","# : "")"fields":[\#(fields)]}"#)
        try rollcall(["directories", "settings", directory, file, "--yes"], database)
    }

    /// Requests that ask for what is private, by each key and value.
    private func questions(_ twins: [PrivateTwin]) -> [String] {
        let sources = twins[0].sources.filter { !$0.isPrivateDirectory }
        var asked: [String] = []
        let values = ["Bot", "Alive", "code", "7001..", twins[0].kept("dept", 1), twins[1].gone("mail", 1)]
        let keys =
            sources.map { ($0.directory, $0.privateKeys + $0.otherKeys) } + [("history", PrivateTwin.historyKeys)]
        for (directory, keys) in keys {
            let place = "directory=\(directory)"
            for (index, key) in keys.enumerated() {
                let value = values[index % values.count]
                asked += [
                    "/?\(place)&\(key)=\(value)", "/people.json?\(place)&f.\(key)=\(value)", "/fields/\(key)?\(place)",
                    "/fields/\(key).json?\(place)&find=a", "/?\(place)&sort=\(key)",
                    "/people.json?\(place)&sort=-\(key)",
                    "/fragment?\(place)&\(key)=\(values[(index + 1) % values.count])",
                ]
            }
            let words = ["qzx", "jvk", twins[0].kept("hname", 1), twins[1].gone("fname", 1), "anne lea", "zed", "7001"]
            for word in words.map({ $0.replacing(" ", with: "+") }) {
                asked += [
                    "/?\(place)&q=\(word)", "/people.json?\(place)&q=\(word)", "/fragment/find?\(place)&q=\(word)",
                ]
            }
            asked += [
                "/api/v3/users/\(twins[0].kept("hlog", 0))?\(place)", "/users/ann-lee0-2?\(place)",
                "/users/\(twins[1].gone("flog", 0)).json?\(place)", "/api/v3/user/500?\(place)",
                "/api/v3/user/600?\(place)", "/2.3/users?\(place)&sort=reputation&min=7100",
                "/api/character/?\(place)&status=alive&species=\(twins[0].kept("spec", 1))",
            ]
        }
        asked += [
            "/?directory=board", "/export.csv?directory=board", "/users/\(twins[0].kept("plog", 0))?directory=board",
        ]
        return asked
    }

    /// Makes the database that both sides begin with: one person with a photo, a logo and a colour.
    private func makeStart() throws {
        let database = path("new.sqlite")
        try write("ada.png", TestImage.chequer(side: 96).png())
        let logo = try write("logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
        try rollcall(["import", "file", write("first.csv", "id,login,name,photo\n1,ada,Ada,ada.png\n")], database)
        try rollcall(["directories", "describe", "first", "--accent", "#0a7d5a", "--logo", logo], database)
    }

    @Test func answersDifferByNothingThatIsPrivate() throws {
        try makeStart()
        let twins = try [true, false].map { try PrivateTwin(isA: $0, in: folder) }
        let databases = try twins.map(fill)
        for mark in marks { #expect(!reports.contains(mark), "a report has \(mark)") }

        let processes = try databases.map { try RollcallProcess(["serve", "--database", $0, "--access-log", "json"]) }
        let servers = TwinServers(processes, secrets: marks)
        let directories = twins[0].sources.map(\.directory) + ["history", "first"]
        let api = String(decoding: try servers.compare("/openapi.json"), as: UTF8.self)
        let paths = api.split(separator: "\"").map(String.init).filter {
            $0.hasPrefix("/") && !$0.contains("{") && !["/events", "/healthz", "/readyz", "/openapi.json"].contains($0)
        }
        #expect(paths.count > 12)
        let others = [
            "/pictures/faces/1.svg", "/fragment/users/ada?directory=first", "/sitemap.xml", "/robots.txt",
            "/directories", "/keys", "/healthz", "/readyz", "/opensearch.xml",
        ]
        let seeds = directories.flatMap { directory in
            Set(paths).sorted().map { "\($0)?directory=\(directory)" } + [
                "/?directory=\(directory)&per_page=2", "/?directory=\(directory)&sort=name&per_page=2",
                "/people.json?directory=\(directory)&filters=1&per_page=3", "/?directory=\(directory)&embed=html",
                "/export.csv?directory=\(directory)&spreadsheet=1", "/sitemap-\(directory)-1.xml",
            ]
        }
        try servers.follow(others + seeds)
        let log = processes.map(\.output).joined()
        for mark in marks { #expect(!log.contains(mark), "the access log has \(mark)") }
        try servers.follow(questions(twins))
        for process in processes {
            let metrics = try get(process.url + "/metrics").text
            for mark in marks { #expect(!metrics.contains(mark), "/metrics has \(mark)") }
            #expect(
                Self.routes(in: metrics, without: ["events", "metrics", "none"]) == [], "no answer of these routes")
        }
        for fault in servers.faults.prefix(20) { Issue.record("\(fault)") }
        #expect(servers.faults.isEmpty, "\(servers.faults.count)")
        #expect(servers.count > 1000)

        // What is not stored, or no longer, is nowhere in the file, nor in a copy.
        for (process, database) in zip(processes, databases) {
            process.stop()
            try rollcall(["backup", database + ".copy"], database)
            for file in [database, database + "-wal", database + ".copy"] {
                let bytes = FileManager.default.contents(atPath: file) ?? Data()
                for mark in PrivateTwin.goneMarks {
                    // Three bytes alone come by chance among hashes.
                    let found = bytes.ranges(of: Data(mark.utf8)).contains { range in
                        let next = bytes[range.upperBound...].prefix(3)
                        return next.count == 3 && next.allSatisfy { (97...122).contains($0) }
                    }
                    #expect(!found, "\(file) has \(mark)")
                }
            }
        }
    }

    /// Returns the routes that `metrics` list and that have answered no request, but for `others`.
    private static func routes(in metrics: String, without others: Set<String>) -> [String] {
        var counts: [String: Int] = [:]
        for line in metrics.split(separator: "\n") where line.hasPrefix("rollcall_http_requests_total{route=\"") {
            let parts = line.split(separator: "\"")
            counts[String(parts[1]), default: 0] += line.split(separator: " ").last.flatMap { Int($0) } ?? 0
        }
        return counts.filter { $0.value == 0 && !others.contains($0.key) }.map(\.key).sorted()
    }
}
