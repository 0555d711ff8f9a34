import Foundation
import TestSupport

/// Prints a line for each fault, and decides whether the promises were kept.
final class FailureReport {
    private(set) var isGood = true

    init() {
        say(
            "| fault | requests | failed | walks | people lost | repeated | generation back | slowest answer, s | "
                + "longest pause of the import, s |")
        say("| --- | --: | --: | --: | --: | --: | --: | --: | --: |")
    }

    func add(_ fault: Fault, _ counts: Counts) {
        let slowest = counts.slowest.formatted(.number.precision(.fractionLength(2)))
        let pause = counts.pause.formatted(.number.precision(.fractionLength(1)))
        say(
            "| \(fault.name) | \(counts.requests) | \(counts.failed) | \(counts.walks) | \(counts.lost) "
                + "| \(counts.repeated) | \(counts.back) | \(slowest) | \(pause) |")
        for (reason, count) in counts.failures.sorted(by: { $0.key < $1.key }) { say("  \(count) × \(reason)") }
        for words in counts.importEnds { say("  the import ended: \(words)") }
        if !counts.importEnds.isEmpty, !fault.mayEndImports { isGood = false }
        if counts.failed > fault.mayFail || counts.lost + counts.repeated + counts.back > 0 || counts.walks == 0 {
            isGood = false
        }
    }

    /// The state after all faults.
    func add(end: Setup.End) {
        say(
            "Imported: \(end.imported) of \(end.offered) people, and \(end.found) of \(end.expected) are in the directory."
        )
        if end.imported != end.offered || end.found != end.expected { isGood = false }
        say(isGood ? "Nothing was lost." : "A promise was broken.")
    }
}

/// Prints a line at once, also into a file.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
