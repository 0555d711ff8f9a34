import Foundation
import Publishing
import Synchronization

/// Asks the publisher about what an import or a change of settings does.
final class Consent: Sendable {
    /// Whether values may be erased: the command has `--yes`, or erases nothing, because it is a dry run.
    private let isGivenAlready: Bool
    private let agreed = Mutex<[Consequence]>([])

    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// Asks a question; `nil` if there is nobody to ask.
    static let asks: @Sendable (String) -> Bool? = { canAsk ? isGiven($0) : nil }

    /// Asks a question. Everything but yes is no.
    static func isGiven(_ question: String) -> Bool {
        print("\(question) [y/N] ", terminator: "")
        return ["y", "yes"].contains(readLine()?.lowercased())
    }

    init(isGivenAlready: Bool) { self.isGivenAlready = isGivenAlready }

    /// Throws a ``Refusal`` unless the publisher agrees.
    func check(_ consequences: [Consequence]) throws(Refusal) {
        let open = consequences.filter { !$0.isErasure || !isGivenAlready }
        if open.isEmpty || agreed.withLock({ $0 == open }) { return }
        guard open.allSatisfy(\.isErasure), Self.canAsk, Self.isGiven(Self.question(open)) else {
            throw Refusal(open)
        }
        agreed.withLock { $0 = open }
    }

    private static func question(_ consequences: [Consequence]) -> String {
        let facts = consequences.map(\.fact).joined(separator: "; ")
        return facts.prefix(1).uppercased() + facts.dropFirst() + ". Continue?"
    }
}
