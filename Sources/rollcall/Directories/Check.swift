import ArgumentParser
import Base
import Checks
import Foundation
import HTTPClient
import Importers

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prove that a running directory lists every user exactly once and in order.",
        discussion: """
            Follows the next links of the pages, the fragments and the JSON side by side, and reads the export. Every \
            user must appear once, in order, with the right position and the same data everywhere, and their number \
            must be X-Total-Count. A directory that changes meanwhile is checked again, three times in all.

            Exit status: 0 the directory is complete and consistent; 1 it is not, or the check failed; the message says \
            where.
            """)

    @Argument(
        help: ArgumentHelp(
            """
            The URL of the page; it may set directory, q, sort, order and per_page, as in \
            http://127.0.0.1:8080/?sort=name.
            """,
            valueName: "url"))
    var address: String

    @OptionGroup var waiting: TimeoutOptions

    func validate() throws {
        _ = try page()
    }

    private func page() throws -> WebAddress {
        do { return try WebAddress(address) } catch {
            let isHost = !address.contains("/") && !address.hasPrefix("unix:")
            let advice = isHost ? "; did you mean: rollcall check \("http://\(address)".shellWord)" : ""
            throw ValidationError("\(error)\(advice)")
        }
    }

    func run() throws {
        let client = try Client(limits: waiting.clientLimits, userAgent: "rollcall/\(Rollcall.version)")
        var reporter = Reporter()
        let check = try DirectoryCheck(page(), client: client) { event in
            switch event {
            case .note(let text): reporter.note(text)
            case .progress(let seen):
                guard reporter.isDue(seen.elapsed) else { return }
                let progress = ImportProgress(seen)
                reporter.show(progress.share?.ofAll, progress.parts)
            }
        }
        do {
            let seen = try check.run()
            reporter.clear()
            print(Self.summary(seen))
        } catch let fault as RollcallError {
            reporter.tell("rollcall: \(fault)", as: "error")
            throw ExitCode.failure
        }
    }

    private static func summary(_ seen: CheckProgress) -> String {
        let seconds = seen.elapsed.seconds
        let rate = grouped(Int(Double(seen.users) / max(seconds, 0.001)))
        return """
            \(counted(seen.users, "user")) in \(counted(seen.pages, "page")), each once and in order (\(seen.sort)); \
            pages, fragments, JSON and export agree; \(counted(seen.requests, "request")), \
            \(grouped(Int(seen.bytes / 1024))) KiB in \(String(format: "%.1f", seconds)) s (\(rate) users/s)
            """
    }
}

extension ImportProgress {
    /// The progress of a check, whose numbers are those of an import from a service.
    fileprivate init(_ seen: CheckProgress) {
        self.init()
        (users, elapsed) = (seen.users, seen.elapsed)
        (service.pages, service.requests) = (seen.pages, seen.requests)
        (service.expected, service.reached) = (seen.total, seen.users)
    }
}
