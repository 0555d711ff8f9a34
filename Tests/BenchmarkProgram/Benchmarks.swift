import ArgumentParser
import Foundation
import TestSupport

/// The program that `Tests/benchmarks` builds and starts.
@main
struct Benchmarks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "benchmarks", abstract: "Measure Rollcall, and nginx with the same bytes in the same run.",
        discussion: """
            Figures are medians over rounds. CPU is user and system time of the whole process tree over the requests; on a \
            machine that does other things, only the ratios within one run mean something.
            """)

    @Option(help: "Numbers of users, separated by commas; the comparison uses the last one of at most a million.")
    var users = "1000,100000,1000000"
    @Option(help: "Number of rounds of each measurement.") var rounds = 5
    @Option(help: "Seconds of load per round.") var seconds = 3
    @Option(
        help: "The folder that keeps generated users between runs; 210 MB per million, and the same for a database.")
    var folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-benchmarks").path
    @Option(help: "The file to write the tables to.") var output: String?
    @Flag(help: "Also compare with Node, with Hummingbird, and with the kernel's own cost.") var peers = false
    @Option(
        help:
            "Run only these parts, separated by commas: import, scale, search, check, stores, compare, pictures.",
        transform: { try Set(Part.named($0)) })
    var only = Set(Part.allCases)

    enum Part: String, CaseIterable {
        case `import`, scale, search, check, stores, compare, pictures
    }

    func run() throws {
        try raiseDescriptorLimit()
        let counts = try users.split(separator: ",").map { text in
            guard let count = Int(text), count > 0 else { throw ValidationError("'\(text)' is not a number of users") }
            return count
        }
        let sizes = counts.map { People(count: $0, folder: URL(filePath: folder)) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var report = Report(output)
        report.begin()
        if only.contains(.pictures) { try report.add(PictureBenchmarks(rounds: rounds).table()) }
        if only.isSubset(of: [.pictures]) { return }
        if !only.isDisjoint(with: [.import, .scale, .search, .check, .compare]) {
            try report.add(scaling(sizes))
        }
        if let people = sizes.last(where: { $0.count <= 1_000_000 }) {
            if only.contains(.stores) {
                let benchmarks = StoreBenchmarks(people: people, rounds: rounds, seconds: seconds)
                try report.add(benchmarks.table())
            }
            if only.contains(.compare) {
                let benchmarks = ServerBenchmarks(people: people, rounds: rounds, seconds: seconds, withPeers: peers)
                for table in try benchmarks.comparison() { try report.add(table) }
            }
        }
    }

    /// One column per number of users.
    private func scaling(_ sizes: [People]) throws -> Table {
        var columns: [[(name: String, value: String)]] = []
        for people in sizes {
            var column: [(String, String)] = []
            if only.contains(.import) || !FileManager.default.fileExists(atPath: people.database.path) {
                let figures = try people.importFile()
                column += [
                    ("import, users/s", figures.usersPerSecond.grouped),
                    ("import, µs of CPU a user", figures.cpuMicroseconds.shown()),
                    ("import, peak MiB", figures.peakMemory.shown()), ("database, bytes a user", figures.size.grouped),
                ]
            }
            if only.contains(.scale) {
                let benchmarks = ServerBenchmarks(people: people, rounds: rounds, seconds: seconds, withPeers: false)
                column += try benchmarks.scaling()
                column.append(("an idle connection, bytes", try benchmarks.idleConnection().grouped))
            }
            if only.contains(.search) {
                let figures = try SearchBenchmarks(people).run()
                column += [
                    ("new searches, median ms", figures.times.median.shown(2)),
                    ("new searches, 95th percentile ms", figures.percentile95.shown(2)),
                    ("new searches, slowest ms", figures.slowest.shown(2)),
                    ("the slowest", "`\(figures.slowestSearch)`"),
                ]
            }
            if only.contains(.check) {
                column.append(("`rollcall check` from end to end, s", try check(people).shown()))
            }
            columns.append(column)
        }
        return Table("By number of people", sizes.map { Double($0.count).grouped }, columns)
    }

    /// Checks that every user appears exactly once and in order, and returns how many seconds that took.
    private func check(_ people: People) throws -> Double {
        let server = try RollcallProcess(["serve", "--database", people.database.path])
        defer { server.stop() }
        let start = ContinuousClock.now
        let check = try Program(RollcallProcess.executable(), ["check", server.url + "/?per_page=100"])
        let isComplete = check.wait() == 0 && check.output.hasPrefix("\(Double(people.count).grouped) users")
        guard isComplete else { throw Failure("check: \(check.output)\(check.errors)") }
        return (ContinuousClock.now - start) / .seconds(1)
    }

    /// 1,000 connections to each server and 5,000 idle ones need more than the usual 1,024.
    private func raiseDescriptorLimit() throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur >= 12_000 else {
            throw Failure("12,000 descriptors are needed, \(limit.rlim_cur) are allowed; see `ulimit -n`")
        }
    }
}

/// The tables, printed to the terminal as they are finished and written to a file.
struct Report {
    private let path: String?
    private var text = ""

    init(_ path: String?) { self.path = path }

    /// Writes the date, the machine and the state of the sources.
    mutating func begin() {
        let processor =
            (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n")
            .first { $0.hasPrefix("model name") }?.split(separator: ":").last ?? " unknown processor"
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let date = Date.now.formatted(.iso8601.year().month().day())
        add(
            text:
                "# Benchmarks of \(date)\n\n\(cores) cores,\(processor); \(ProcessInfo.processInfo.operatingSystemVersionString).\n"
        )
    }

    mutating func add(_ table: Table) throws {
        if table.rows.isEmpty { return }
        add(text: table.markdown)
        if let path { try text.write(toFile: path, atomically: true, encoding: .utf8) }
    }

    private mutating func add(text more: String) {
        text += (text.isEmpty ? "" : "\n") + more
        print(more)
    }
}
