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

    /// The summary of an import into `directory`, for programs.
    func json(of directory: Slug, isDryRun: Bool) -> JSONObject {
        var comeBack: Date?
        if case .comeBack(let date) = RunOutcome(end) { comeBack = date }
        return [
            "directory": directory.text, "end": end.name, "isDryRun": isDryRun,
            "added": counts.added, "changed": counts.changed, "unchanged": counts.unchanged,
            "repeated": counts.repeated, "skipped": counts.skipped, "removed": (removed ?? 0) + counts.departed,
            "inactive": progress.leftOut.inactive, "rejected": progress.rejected,
            "missing": progress.service.missing, "users": progress.users,
            // Links that were dropped, and photos that were not found.
            "droppedLinks": progress.losses[.link], "missingPhotos": progress.losses[.photo],
            "seconds": progress.elapsed.roundedSeconds, "requests": progress.service.requests,
            "bytes": progress.bytesRead,
            // The time from which the service allows requests again.
            "comeBack": comeBack?.ISO8601Format(),
        ]
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

extension ImportProgress {
    /// How far an import is, for programs.
    var json: JSONObject {
        let asked = service.requests > 0 ? service : nil
        return [
            "users": users, "rejected": rejected, "seconds": elapsed.roundedSeconds, "pages": asked?.pages,
            "requests": asked?.requests, "requestsLeft": service.quota?.remaining, "expected": service.expected,
            "waiting": service.waiting.map { ["reason": $0.reason, "until": $0.until.ISO8601Format()] as JSONObject },
        ]
    }
}

extension Duration {
    /// The seconds, rounded to a thousandth.
    var roundedSeconds: Double { (seconds * 1000).rounded() / 1000 }

    var seconds: Double { self / .seconds(1) }
}

/// Returns `1234567` as `1,234,567`.
func grouped(_ number: Int) -> String { number.grouped }
