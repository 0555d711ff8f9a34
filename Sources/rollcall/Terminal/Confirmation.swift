import Base
import Foundation
import Publishing
import Synchronization

/// Asks the person at the terminal.
enum Confirmation {
    /// Whether there is somebody to ask.
    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// Asks a question; `nil` if there is nobody to ask.
    static let asks: @Sendable (String) -> Bool? = { canAsk ? isGiven($0) : nil }

    /// Asks a question. Everything but yes is no.
    static func isGiven(_ question: String) -> Bool {
        print("\(question) [y/N] ", terminator: "")
        fflush(nil)
        return ["y", "yes"].contains(readLine()?.lowercased())
    }
}

/// Lets nothing be erased that people have stored unless the publisher agrees.
final class ErasureConsent: Sendable {
    private let isGivenAlready: Bool
    private let isDryRun: Bool
    private let agreed = Mutex<Set<String>>([])

    /// - Parameters:
    ///   - isGivenAlready: Whether the command has `--yes`.
    ///   - isDryRun: Whether nothing will be erased, so that nobody has to agree.
    init(isGivenAlready: Bool, isDryRun: Bool = false) {
        self.isGivenAlready = isGivenAlready
        self.isDryRun = isDryRun
    }

    /// The values that the publisher agreed to erase; in a dry run, those that would be erased.
    var erasures: [String] { agreed.withLock { $0.sorted() } }

    /// Throws unless the publisher agrees that the values in `columns` are erased.
    func check(_ columns: [ColumnHolders.Count]) throws {
        if columns.isEmpty || isGivenAlready && !isDryRun { return }
        let parts = columns.map { "\($0.column) of \(counted($0.people, "person", "people"))" }
        let what = parts.dropLast().joined(separator: ", ") + (parts.count > 1 ? " and " : "") + (parts.last ?? "")
        if agreed.withLock({ $0.contains(what) }) { return }
        if !isDryRun {
            guard Confirmation.canAsk else {
                throw RollcallError("this erases \(what): add --yes. Nothing was changed")
            }
            guard Confirmation.isGiven("This erases \(what). Continue?") else {
                throw RollcallError("nothing was changed")
            }
        }
        agreed.withLock { _ = $0.insert(what) }
    }
}
