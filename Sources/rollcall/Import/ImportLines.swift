import Base
import Foundation
import Importers
import People
import Publishing

extension ImportSummary {
    /// The summary of an import into `directory`, for people.
    func line(of directory: Slug, isDryRun: Bool) -> String {
        let rejected = (progress.rejected, "rejected")
        var line = "\(directory): "
        line += listed(
            isDryRun && !isCompared
                ? [(progress.users, "read"), rejected]
                : counts.changes(removed: removed ?? 0, isDryRun: isDryRun) + [
                    (progress.service.missing, "left out, because they had no record of their own"), rejected,
                ])
        if isDryRun { line += ", nothing saved" }
        line += " in \(String(format: "%.1f", progress.elapsed.seconds)) s"
        if progress.service.requests > 0 {
            line += ", \(counted(progress.service.requests, "request")), \(kilobytes(progress.bytesRead))"
        }
        return line
    }
}

extension Checkpoint {
    /// The summary of an import that took more than one run, for people.
    var line: String {
        let parts = listed(counts.changes() + [(rejected, "rejected")])
        return "in all, since \(startedAt.isoTime): \(parts), \(counted(requests, "request")), \(kilobytes(bytes))"
    }
}

extension WriteCounts {
    /// All counts: first those of people who are new, changed or removed.
    func changes(removed: Int = 0, isDryRun: Bool = false) -> [(Int, String)] {
        [
            (added, isDryRun ? "new" : "added"), (changed, "changed"),
            (removed + departed, isDryRun ? "to remove" : "removed"), (unchanged, "unchanged"),
            (repeated, "repeated (the last one counts)"), (skipped, "forgotten left out"),
        ]
    }
}

/// Returns the counts that are not 0, such as `2 added, 40 unchanged`.
func listed(_ counts: [(Int, String)]) -> String {
    let parts = counts.filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
    return parts.isEmpty ? "nobody" : parts.joined(separator: ", ")
}

func kilobytes(_ bytes: Int64) -> String { "\(grouped(Int((bytes + 1023) / 1024))) KiB" }

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
        end = summary.end.name
        if case .comeBack(let date) = RunOutcome(summary.end) { comeBack = date.ISO8601Format() }
    }

    var line: String { JSONLine.text(["summary": self]) }
}

enum JSONLine {
    static func string(_ text: String?) -> String {
        guard let text else { return "null" }
        let buffer = ByteBuffer()
        buffer.append(jsonString: text)
        return String(buffer)
    }

    static func array(_ texts: [String]) -> String { "[" + texts.map(string).joined(separator: ",") + "]" }

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

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// Returns `1234567` as `1,234,567`.
func grouped(_ number: Int) -> String { number.grouped }
