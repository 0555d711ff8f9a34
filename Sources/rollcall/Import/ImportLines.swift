import Base
import Foundation
import Importers
import People
import Publishing

/// The summary of an import, for people.
enum SummaryText {
    static func line(_ directory: Slug, _ summary: ImportSummary, isDryRun: Bool) -> String {
        let progress = summary.progress
        let rejected = (progress.rejected, "rejected")
        var parts = list(
            isDryRun && !summary.isCompared
                ? [(progress.users, "read"), rejected]
                : changes(summary.counts, removed: summary.removed ?? 0, isDryRun: isDryRun) + [
                    (progress.service.missing, "left out, because they had no record of their own"), rejected,
                ])
        if isDryRun { parts += ", nothing saved" }
        var line = "\(directory): \(parts) in \(String(format: "%.1f", progress.elapsed.seconds)) s"
        if progress.service.requests > 0 {
            line += ", \(counted(progress.service.requests, "request")), \(kilobytes(progress.bytesRead))"
        }
        return line
    }

    /// Returns the line about an import that took more than one run.
    static func line(total: Checkpoint) -> String {
        let start = Date(timeIntervalSince1970: TimeInterval(total.startedAt)).ISO8601Format()
        let parts = list(changes(total.counts) + [(total.rejected, "rejected")])
        return
            "in all, since \(start): \(parts), \(counted(total.requests, "request")), \(kilobytes(total.bytes))"
    }

    /// Returns the counts that are not 0, such as `2 added, 40 unchanged`.
    static func list(_ counts: [(Int, String)]) -> String {
        let parts = counts.filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
        return parts.isEmpty ? "nobody" : parts.joined(separator: ", ")
    }

    /// Returns all counts: first those of people who are new, changed or removed.
    static func changes(_ counts: WriteCounts, removed: Int = 0, isDryRun: Bool = false) -> [(Int, String)] {
        [
            (counts.added, isDryRun ? "new" : "added"), (counts.changed, "changed"),
            (removed + counts.departed, isDryRun ? "to remove" : "removed"), (counts.unchanged, "unchanged"),
            (counts.repeated, "repeated (the last one counts)"), (counts.skipped, "forgotten left out"),
        ]
    }

    private static func kilobytes(_ bytes: Int64) -> String { "\(grouped(Int((bytes + 1023) / 1024))) KiB" }
}

/// The progress of an import, for programs.
struct ProgressJSON: Encodable {
    struct Waiting: Encodable {
        var reason: String
        var until: String
    }

    var users, rejected: Int
    var seconds: Double
    var pages, requests, requestsLeft, expected: Int?
    var waiting: Waiting?

    init(_ progress: ImportProgress) {
        users = progress.users
        rejected = progress.rejected
        seconds = progress.elapsed.roundedSeconds
        let service = progress.service
        if service.requests > 0 { (pages, requests) = (service.pages, service.requests) }
        requestsLeft = service.quota?.remaining
        expected = service.expected
        waiting = service.waiting.map { Waiting(reason: $0.reason, until: $0.until.ISO8601Format()) }
    }

    var line: String { JSONLine.text(["progress": self]) }
}

/// The summary of an import, for programs.
struct SummaryJSON: Encodable {
    var directory: String
    var end: String
    var added, changed, unchanged, repeated, skipped, removed, inactive, rejected, missing, users: Int
    /// The number of links that were dropped, and of photos that were not found.
    var droppedLinks, missingPhotos: Int
    var isDryRun: Bool
    var seconds: Double
    var requests: Int
    var bytes: Int64
    /// The time from which the service allows requests again.
    var comeBack: String?

    init(_ slug: Slug, _ summary: ImportSummary, isDryRun: Bool) {
        directory = slug.text
        self.isDryRun = isDryRun
        (added, changed, unchanged) = (summary.counts.added, summary.counts.changed, summary.counts.unchanged)
        (repeated, skipped) = (summary.counts.repeated, summary.counts.skipped)
        (removed, inactive) = ((summary.removed ?? 0) + summary.counts.departed, summary.progress.leftOut.inactive)
        missing = summary.progress.service.missing
        (droppedLinks, missingPhotos) = (summary.progress.losses[.link], summary.progress.losses[.photo])
        (rejected, users) = (summary.progress.rejected, summary.progress.users)
        seconds = summary.progress.elapsed.roundedSeconds
        (requests, bytes) = (summary.progress.service.requests, summary.progress.bytesRead)
        switch summary.end {
        case .complete: end = "complete"
        case .cancelled: end = "interrupted"
        case .failed(let error):
            end = "failed"
            if case .comeBack(let date)? = (error as? ServiceError)?.kind { comeBack = date.ISO8601Format() }
        }
    }

    var line: String { JSONLine.text(["summary": self]) }
}

enum JSONLine {
    /// Returns `value` as a line of JSON that a terminal may show.
    static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self).printableJSON + "\n" } ?? ""
    }
}

extension Duration {
    /// The seconds, rounded to a thousandth.
    var roundedSeconds: Double { (seconds * 1000).rounded() / 1000 }
}

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

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// Returns `1234567` as `1,234,567`.
func grouped(_ number: Int) -> String { number.grouped }
