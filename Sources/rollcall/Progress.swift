import Importers

/// Decides when and how to show how far an import has got: on a terminal a line that renews itself, with a bar where the
/// end is known; elsewhere a line every few seconds.
struct Progress {
    let isTerminal: Bool
    private var lastShown = Duration.zero

    init(isTerminal: Bool) { self.isTerminal = isTerminal }

    /// Takes the renewing line away.
    var clearing: String { isTerminal ? "\r\u{1B}[K" : "" }

    /// What to print now; `nil` while the last is recent.
    mutating func text(_ progress: ImportProgress) -> String? {
        let interval: Duration = isTerminal ? .milliseconds(100) : .seconds(5)
        guard progress.elapsed - lastShown >= interval else { return nil }
        lastShown = progress.elapsed
        let line = Self.line(progress, hasBar: isTerminal)
        return isTerminal ? clearing + line : line + "\n"
    }

    static func line(_ progress: ImportProgress, hasBar: Bool) -> String {
        let seconds = max(progress.elapsed.seconds, 0.001)
        var parts = ["\(grouped(progress.users)) users", "\(grouped(Int(Double(progress.users) / seconds)))/s"]
        if progress.rejected > 0 { parts.append("\(grouped(progress.rejected)) rejected") }
        guard let size = progress.size, size > 0, progress.bytesRead > 0 else { return parts.joined(separator: ", ") }
        let share = min(1, Double(progress.bytesRead) / Double(size))
        let percent = "\(Int(share * 100))%"
        parts.append("\(clock(seconds / share - seconds)) left")
        let rest = parts.joined(separator: ", ")
        return hasBar ? "\(bar(share)) \(percent) \(rest)" : "\(percent), \(rest)"
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
