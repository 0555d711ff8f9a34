import ArgumentParser
import Foundation
import TestSupport

/// The program that `Tests/failures` builds and starts.
@main
struct Failures: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "failures", abstract: "Break a set-up of many machines while people read and an import writes.",
        discussion: """
            Three Rollcall servers behind HAProxy read from a PostgreSQL primary and two standbys, all of them on this \
            machine. Walks over all people go on while one part after the other fails. The exit status is 1 if a walk \
            loses or repeats a person, a request fails that was not in flight on a killed server, a server shows an \
            older state after a newer one, or the import loses a record.
            """)

    @Option(help: "The number of people at the start.") var people = 3_000
    @Option(help: "Seconds that the imported service takes for a hundred people.") var pause = 0.2
    @Option(help: "Run only these faults, separated by commas.", transform: Fault.named)
    var only = Fault.allCases
    @Option(help: "A folder on a small file system for the data of the primary, for the fault `disk`.")
    var disk: String?

    func run() throws {
        let setup = try Setup(people: people, pause: pause, disk: disk)
        let report = FailureReport()
        for fault in only {
            if fault == .disk && disk == nil {
                say("\(fault.name): left out, because --disk names no small file system")
                continue
            }
            report.add(fault, try setup.counts { try setup.cause(fault) })
        }
        report.add(end: try setup.finish())
        if !report.isGood { throw ExitCode(1) }
    }
}

/// The part that fails.
enum Fault: String, CaseIterable {
    case none, server, standby, stall, refused, disk, primary, upgrade

    var name: String {
        switch self {
        case .none: "nothing fails"
        case .server: "a server is killed"
        case .standby: "a standby is killed"
        case .stall: "the network of a server stalls"
        case .refused: "PostgreSQL refuses connections"
        case .disk: "the primary's disk is full"
        case .primary: "the primary is killed"
        case .upgrade: "a rolling upgrade"
        }
    }

    /// The number of requests that may fail: those that the walkers had in flight on a killed server.
    var mayFail: Int { self == .server ? Setup.walks.count : 0 }

    /// Whether an import may end, as one into a file does. The next one goes on from what is saved.
    var mayEndImports: Bool { self == .disk }
}
