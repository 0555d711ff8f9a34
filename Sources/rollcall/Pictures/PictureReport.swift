import Base
import Foundation
import Pictures
import Publishing

/// Reports the fetching of pictures: its progress on standard error, and its summary on standard output. Used by one
/// thread only.
final class PictureReport {
    private var reporter: Reporter

    init(format: TextFormat?) { reporter = Reporter(format) }

    func show(_ progress: PictureProgress) {
        guard reporter.isDue(progress.elapsed) else { return }
        reporter.show(
            progress.share, progress.parts, object: JSONLine.text(["progress": progress.json]))
    }

    func note(_ line: String) { reporter.note(line) }

    /// Prints the number of addresses that are due, the hosts with most of them first.
    func showDue(_ hosts: [String: Int], _ resting: RestingPictures) {
        let sorted = hosts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let total = hosts.values.reduce(0, +)
        show(resting)
        if reporter.isJSON { return StandardStreams.note(JSONLine.text(["due": hosts]), to: STDOUT_FILENO) }
        var lines = ["\(counted(total, "address is", "addresses are")) due"]
        for (host, count) in sorted.prefix(20) { lines.append("\(grouped(count))\t\(host.printable)") }
        if sorted.count > 20 { lines.append("… and \(grouped(sorted.count - 20)) more hosts") }
        StandardStreams.note(lines.map { $0 + "\n" }.joined(), to: STDOUT_FILENO)
    }

    /// Says who waits for an address that has failed before.
    private func show(_ resting: RestingPictures) {
        guard resting.people > 0 else { return }
        let people = counted(resting.people, "person has", "people have")
        note("\(people) an address that failed before; the first one is asked again from \(resting.next.isoTime)")
    }

    /// Prints the last lines and returns how the run ended.
    func finish(_ summary: PictureSummary) -> RunOutcome {
        reporter.clear()
        show(summary.progress.resting)
        for line in summary.progress.failureLines { reporter.tell(line, as: "failed") }
        let outcome = outcome(of: summary)
        if case .comeBack(let date) = outcome {
            let count = counted(summary.progress.postponed, "address", "addresses")
            reporter.tell("\(count) left for later; the first host may be asked at \(date.ISO8601Format())")
        }
        let text =
            reporter.isJSON
            ? JSONLine.text(["summary": summary.json])
            : summary.progress.summary + "\n"
        if outcome == .complete {
            StandardStreams.note(text, to: STDOUT_FILENO)
        } else {
            StandardStreams.write(text, to: STDOUT_FILENO)
        }
        reporter.tell(summary.end)
        return outcome
    }

    private func outcome(of summary: PictureSummary) -> RunOutcome {
        guard summary.end.isComplete else { return RunOutcome(summary.end) }
        if let pause = summary.comeBack { return .comeBack(Date() + max(0, pause.seconds)) }
        return summary.progress.failed + summary.progress.refused > 0 ? .rejections : .complete
    }

    /// Reports why a run has ended without a summary, and returns how.
    func end(_ end: RunEnd) -> RunOutcome {
        reporter.tell(end)
        return RunOutcome(end)
    }
}

extension PictureProgress {
    fileprivate var share: Double? {
        expected.flatMap { $0 > 0 ? min(1, Double(done) / Double($0)) : nil }
    }

    fileprivate var parts: [String] {
        let seconds = max(elapsed.seconds, 0.001)
        var parts = [counted(done, "picture"), "\(grouped(Int(Double(done) / seconds)))/s"]
        if failed + refused > 0 { parts.append("\(grouped(failed + refused)) failed") }
        if postponed > 0 { parts.append("\(grouped(postponed)) left for later") }
        if let share, share > 0 { parts.append("\(Reporter.clock(seconds / share - seconds)) left") }
        return parts
    }

    fileprivate var summary: String {
        let outcomes = [
            (made, "fetched"), (unchanged, "unchanged"), (missing, "missing at their hosts"), (refused, "not usable"),
            (failed, "failed"), (postponed, "left for later"),
        ]
        if outcomes.allSatisfy({ $0.0 == 0 }) { return "pictures: no address is due" }
        let seconds = String(format: "%.1f", elapsed.seconds)
        let people = counted(saved.people, "person", "people")
        return "pictures: \(listed(outcomes)) in \(seconds) s; \(people) changed, "
            + "\(counted(requests, "request")), \(kilobytes(bytes))"
    }

    /// A line for each kind of failure, the most frequent one first, with examples.
    fileprivate var failureLines: [String] {
        let sorted = sortedFailures
        let lines = sorted.prefix(20).map { kind, examples in
            let addresses = examples.first.joined(separator: " ")
            return
                "\(grouped(examples.count)) × \(kind): \(addresses)\(examples.count > examples.first.count ? " …" : "")"
        }
        return lines + (sorted.count > 20 ? ["… and \(grouped(sorted.count - 20)) more kinds of failures"] : [])
    }

    fileprivate var sortedFailures: [(key: String, value: Examples)] {
        failures.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    }

    /// How far a run is, for programs.
    fileprivate var json: JSONObject {
        [
            "pictures": done, "failed": failed + refused, "postponed": postponed, "requests": requests,
            "expected": expected, "seconds": elapsed.roundedSeconds,
        ]
    }
}

extension PictureSummary {
    /// The summary of a run, for programs.
    fileprivate var json: JSONObject {
        let failures = progress.sortedFailures.map { kind, examples -> JSONObject in
            ["reason": kind, "count": examples.count, "examples": examples.first]
        }
        return [
            "end": end.name, "fetched": progress.made, "unchanged": progress.unchanged, "missing": progress.missing,
            "refused": progress.refused, "failed": progress.failed, "postponed": progress.postponed,
            "people": progress.saved.people, "requests": progress.requests, "bytes": progress.bytes,
            "seconds": progress.elapsed.roundedSeconds, "failures": failures,
            // Pictures that nobody had any more.
            "removed": garbage.pictures,
        ]
    }
}
