import Bytes
import Foundation
import Importers

/// Decides when and how to show how far an import has got: on a terminal a line that renews itself, with a bar where the
/// end is known; elsewhere a line every few seconds.
struct Progress {
    let isTerminal: Bool
    private var lastShown = Duration.zero
    private var lastWaiting: Backoff?

    init(isTerminal: Bool) { self.isTerminal = isTerminal }

    /// Takes the renewing line away.
    var clearing: String { isTerminal ? "\r\u{1B}[K" : "" }

    /// Whether it is time to show `progress`: the last is not recent, or what is waited for has changed.
    mutating func isDue(_ progress: ImportProgress) -> Bool {
        let interval: Duration = isTerminal ? .milliseconds(100) : .seconds(5)
        let waiting = progress.service.waiting
        let isNews = waiting != lastWaiting && (isTerminal || waiting != nil)
        lastWaiting = waiting
        guard progress.elapsed - lastShown >= interval || isNews else { return false }
        lastShown = progress.elapsed
        return true
    }

    /// What to print.
    func text(_ progress: ImportProgress) -> String {
        let line = Self.line(progress, hasBar: isTerminal)
        return isTerminal ? clearing + line.prefix(Self.columns - 1) : line + "\n"
    }

    /// How much fits in a line of the terminal: of a longer one only the last part would be renewed.
    private static var columns: Int {
        var size = winsize()
        let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1
        return isKnown ? Int(size.ws_col) : 1000
    }

    static func line(_ progress: ImportProgress, hasBar: Bool) -> String {
        let seconds = max(progress.elapsed.seconds, 0.001)
        var parts = ["\(grouped(progress.users)) users", "\(grouped(Int(Double(progress.users) / seconds)))/s"]
        if progress.rejected > 0 { parts.append("\(grouped(progress.rejected)) rejected") }
        let share = share(progress)
        if let share { parts.append("\(clock(seconds / share.ofRun - seconds)) left") }
        parts += Self.parts(progress.service)
        let rest = parts.joined(separator: ", ")
        guard let share else { return rest }
        let percent = "\(Int(share.ofAll * 100))%"
        return hasBar ? "\(bar(share.ofAll)) \(percent) \(rest)" : "\(percent), \(rest)"
    }

    /// How much is done: of everything, and of what this run has to do, which differ where an earlier run was interrupted.
    private static func share(_ progress: ImportProgress) -> (ofAll: Double, ofRun: Double)? {
        if let size = progress.size, size > 0, progress.bytesRead > 0 {
            let share = min(1, Double(progress.bytesRead) / Double(size))
            return (share, share)
        }
        let service = progress.service
        guard let expected = service.expected, expected > 0, progress.users > 0 else { return nil }
        let earlier = max(0, service.reached - progress.users)
        return (
            min(1, Double(service.reached) / Double(expected)),
            min(1, Double(progress.users) / Double(max(1, expected - earlier)))
        )
    }

    private static func parts(_ service: ServiceStatus) -> [String] {
        guard service.requests > 0 || service.waiting != nil else { return [] }
        var parts = [counted(service.pages, "page"), counted(service.requests, "request")]
        if let budget = service.budget { parts.append("\(counted(budget.remaining, "request")) left") }
        if let waiting = service.waiting {
            let left = clock(max(0, waiting.until.timeIntervalSinceNow.rounded(.up)))
            parts.append("waiting until \(waiting.until.ISO8601Format()) (\(left)): \(waiting.reason.printable)")
        }
        return parts
    }

    private static func bar(_ share: Double) -> String {
        let width = 24
        let full = Int(share * Double(width))
        return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: width - full) + "]"
    }

    /// `0:07`, `12:34`, `1:02:03`.
    private static func clock(_ seconds: Double) -> String {
        let total = Int(seconds.rounded())
        let pad = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        let minutes = total / 60 % 60
        return total < 3600 ? "\(minutes):\(pad(total % 60))" : "\(total / 3600):\(pad(minutes)):\(pad(total % 60))"
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// `1 page`, `1,234 pages`.
func counted(_ number: Int, _ noun: String) -> String { "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")" }

/// `1234567` as `1,234,567`.
func grouped(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
        groups.insert(String(digits.suffix(3)), at: 0)
        digits.removeLast(3)
    }
    return (number < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
}
