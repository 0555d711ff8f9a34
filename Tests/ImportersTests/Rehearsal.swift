import Foundation
import HTTPClient
import People
import Publishing
import Synchronization

@testable import Importers

/// A service with scripted responses, and a clock that does not really wait.
struct Rehearsal {
    final class Script: Sendable { let state = Mutex(State()) }

    struct State {
        var answers: [ClientAnswer] = []
        var asked: [ClientRequest] = []
        var waits: [Double] = []
        var now = Date(timeIntervalSince1970: 1_800_000_000)
        var notes: [String] = []
        var rejections: [String] = []
    }
    let script = Script()
    let writer = MemoryWriter()
    let base: WebAddress

    init(_ answers: ClientAnswer...) throws {
        base = try WebAddress("https://api.example.org")
        next(answers)
    }

    var waits: [Double] { script.state.withLock { $0.waits } }
    var asked: [String] { script.state.withLock { $0.asked.map(\.address.target) } }

    /// The notes of the last run.
    var notes: [String] { script.state.withLock { $0.notes } }
    /// The rejections of the last run.
    var rejections: [String] { script.state.withLock { $0.rejections } }

    func run(
        _ service: any Service, change: (inout ServiceSource.Configuration) -> Void = { _ in },
        ledger: (any ImportLedger)? = nil, request: ImportRequest = ImportRequest(), prunes: Bool = false
    ) -> ImportSummary {
        var configuration = ServiceSource.Configuration()
        configuration.retryPolicy.chance = { 1 }
        configuration.clock = ImportClock(now: { [script] in script.state.withLock { $0.now } }) {
            [script] duration, _ in
            script.state.withLock { state in
                state.waits.append(duration / .seconds(1))
                state.now += duration / .seconds(1)
            }
        }
        change(&configuration)
        let source = ServiceSource(service, ledger: ledger, request: request, configuration: configuration) {
            [script] in
            { request, _ in
                try script.state.withLock { state in
                    state.asked.append(request)
                    if state.answers.isEmpty { throw ClientError.lost("gone") }
                    return state.answers.removeFirst()
                }
            }
        }
        var run = ImportRun.Configuration()
        run.prune = prunes ? .few : .nobody
        let imported = imported(source, into: writer, run)
        script.state.withLock { ($0.notes, $0.rejections) = (imported.notes, imported.rejections) }
        return imported.summary
    }

    /// Scripts the next responses.
    func next(_ answers: ClientAnswer...) { next(answers) }
    func next(_ answers: [ClientAnswer]) { script.state.withLock { $0.answers = answers } }

    func clearLog() { script.state.withLock { ($0.asked, $0.waits) = ([], []) } }
}

extension ImportSummary {
    /// The error of the service that ended the import, if one did.
    var serviceError: ServiceError? { failure as? ServiceError }
}

/// A ledger with the progress of an earlier run, and without pages.
struct ProgressLedger: ImportLedger {
    let last: Checkpoint?

    func checkpoint() -> Checkpoint? { last }
    func page(at address: String) -> VisitedPage? { nil }
}

func answer(_ status: Int, _ body: String = "", _ fields: [String: String] = [:]) -> ClientAnswer {
    ClientAnswer(status: status, fields: fields, body: Array(body.utf8))
}
