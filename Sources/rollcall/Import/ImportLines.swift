import Foundation
import Importers
import People

/// The summary of an import, for people.
enum SummaryText {
    static func line(_ directory: Slug, _ summary: ImportSummary, isDryRun: Bool) -> String {
        let progress = summary.progress
        var parts = self.parts(summary.counts, added: isDryRun ? "new" : "added")
        if isDryRun, !summary.isCompared { parts = ["\(grouped(progress.users)) read"] }
        if let removed = summary.removed { parts.append("\(grouped(removed)) \(isDryRun ? "to remove" : "removed")") }
        if isDryRun { parts.append("nothing saved") }
        let missing = progress.service.missing
        if missing > 0 { parts.append("\(grouped(missing)) left out, because they had no record of their own") }
        parts.append("\(grouped(progress.rejected)) rejected")
        let seconds = progress.elapsed.seconds
        let rate = Int(Double(progress.users) / max(seconds, 0.001))
        var line =
            "\(directory): \(parts.joined(separator: ", ")) in \(String(format: "%.1f", seconds)) s (\(grouped(rate)) users/s)"
        if progress.service.requests > 0 {
            line += ", \(counted(progress.service.requests, "request")), \(kilobytes(progress.bytesRead))"
        }
        return line
    }

    /// Returns the line about an import that took more than one run.
    static func line(total: Checkpoint) -> String {
        let start = Date(timeIntervalSince1970: TimeInterval(total.startedAt)).ISO8601Format()
        let parts = self.parts(total.counts) + ["\(grouped(total.rejected)) rejected"]
        return
            "in all, since \(start): \(parts.joined(separator: ", ")), \(counted(total.requests, "request")), \(kilobytes(total.bytes))"
    }

    private static func parts(_ counts: WriteCounts, added: String = "added") -> [String] {
        var parts = [
            "\(grouped(counts.added)) \(added)", "\(grouped(counts.changed)) changed",
            "\(grouped(counts.unchanged)) unchanged",
        ]
        if counts.repeated > 0 { parts.append("\(grouped(counts.repeated)) repeated (the last one counts)") }
        if counts.skipped > 0 { parts.append("\(grouped(counts.skipped)) skipped, because they were forgotten") }
        return parts
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
    var added, changed, unchanged, repeated, skipped, removed, rejected, missing, users: Int
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
        (repeated, skipped, removed) = (summary.counts.repeated, summary.counts.skipped, summary.removed ?? 0)
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
    /// Returns `value` as a line of JSON.
    static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) + "\n" } ?? ""
    }
}

extension Duration {
    /// The seconds, rounded to a thousandth.
    var roundedSeconds: Double { (seconds * 1000).rounded() / 1000 }
}
