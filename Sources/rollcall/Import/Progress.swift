import Base
import Foundation
import Importers
import People
import Publishing

/// Decides when and how to show the progress of an import: on a terminal in one line that is rewritten, with a bar if
/// the total is known; elsewhere with a line every few seconds.
struct Progress {
    let isTerminal: Bool
    private var lastShown = Duration.zero
    private var lastWaiting: Backoff?

    init(isTerminal: Bool) { self.isTerminal = isTerminal }

    /// Returns whether to show `progress` now: the last report is old enough, or the reason for waiting has changed.
    mutating func isDue(_ progress: ImportProgress) -> Bool {
        let interval: Duration = isTerminal ? .milliseconds(100) : .seconds(5)
        let waiting = progress.service.waiting
        let isNews = waiting != lastWaiting && (isTerminal || waiting != nil)
        lastWaiting = waiting
        guard progress.elapsed - lastShown >= interval || isNews else { return false }
        lastShown = progress.elapsed
        return true
    }

    /// Returns the text to print; on a terminal over the line before.
    func text(_ progress: ImportProgress) -> String {
        let line = Self.line(progress, hasBar: isTerminal)
        return isTerminal ? String(line.prefix(Self.columns - 1)) : line + "\n"
    }

    /// The width of the terminal. Only the last part of a longer line would be rewritten.
    static var columns: Int {
        guard let columns = SystemValues.columns(ofTerminal: STDERR_FILENO), columns > 1 else { return 1000 }
        return columns
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

    /// Returns the share that is done: of everything, and of this run. They differ if an earlier run was interrupted.
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
        if let quota = service.quota { parts.append("\(counted(quota.remaining, "request")) left") }
        if let waiting = service.waiting {
            let left = clock(max(0, waiting.until.timeIntervalSinceNow.rounded(.up)))
            parts.append("waiting until \(waiting.until.ISO8601Format()) (\(left)): \(waiting.reason)")
        }
        return parts
    }

    static func bar(_ share: Double) -> String {
        let width = 24
        let full = Int(share * Double(width))
        return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: width - full) + "]"
    }

    /// Returns a duration as `0:07`, `12:34` or `1:02:03`.
    static func clock(_ seconds: Double) -> String {
        let total = Int(seconds.rounded())
        let pad = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        let minutes = total / 60 % 60
        return total < 3600 ? "\(minutes):\(pad(total % 60))" : "\(total / 3600):\(pad(minutes)):\(pad(total % 60))"
    }
}
