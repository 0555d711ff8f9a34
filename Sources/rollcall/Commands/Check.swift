import ArgumentParser
import Bytes
import Checks
import Foundation
import HTTPClient
import Importers

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prove that a running directory gives everybody once and in order.",
        discussion: """
            Walks along the next links of the page, of its fragments and of its JSON, side by side, and reads the export: \
            everyone comes once, in order and with the right place, as many as X-Total-Count says, and everywhere with the same \
            data. A directory that changes meanwhile is walked again.

            Exit status: 0 so it is; 1 it is not, and what was expected where is told, or it failed.
            """)

    @Argument(
        help: ArgumentHelp(
            "The address of the page, with any directory, q, sort, order and per_page, as in http://127.0.0.1:8080/?sort=name.",
            valueName: "url"))
    var address: String

    @OptionGroup var waiting: TimeoutOptions

    func validate() throws {
        try Environment.check()
        _ = try page()
    }

    private func page() throws -> WebAddress {
        do { return try WebAddress(address) } catch { throw ValidationError("\(error)") }
    }

    func run() throws {
        let client = try Client(limits: waiting.clientLimits, userAgent: "rollcall/\(Rollcall.version)")
        let terminal = CheckTerminal()
        let check = try DirectoryCheck(page(), client: client, observe: terminal.show)
        do {
            let seen = try check.run()
            terminal.clear()
            print(Self.summary(seen))
        } catch let fault as CheckFault {
            terminal.clear()
            terminal.tell("rollcall: \(fault)")
            throw ExitCode.failure
        }
    }

    private static func summary(_ seen: CheckProgress) -> String {
        let seconds = seen.elapsed.seconds
        let rate = grouped(Int(Double(seen.users) / max(seconds, 0.001)))
        return """
            \(counted(seen.users, "user")) in \(counted(seen.pages, "page")), each once and in order (\(seen.sort)); pages, \
            fragments, JSON and export agree; \(counted(seen.requests, "request")), \(grouped(Int(seen.bytes / 1024))) KiB in \
            \(String(format: "%.1f", seconds)) s (\(rate) users/s)
            """
    }
}

/// Tells on standard error how a check goes. Belongs to one thread.
private final class CheckTerminal {
    private var progress = Progress(isTerminal: isatty(STDERR_FILENO) == 1)

    func show(_ event: CheckEvent) {
        switch event {
        case .note(let text): tell(text)
        case .progress(let seen):
            var state = ImportProgress()
            (state.users, state.elapsed) = (seen.users, seen.elapsed)
            (state.service.pages, state.service.requests) = (seen.pages, seen.requests)
            (state.service.expected, state.service.reached) = (seen.total, seen.users)
            if progress.isDue(state) { write(progress.text(state)) }
        }
    }

    func clear() { write(progress.clearing) }

    /// What a line quotes from a server must not command the terminal.
    func tell(_ line: String) { write(progress.clearing + line.printable + "\n") }

    private func write(_ text: String) {
        if !text.isEmpty { FileHandle.standardError.write(Data(text.utf8)) }
    }
}
