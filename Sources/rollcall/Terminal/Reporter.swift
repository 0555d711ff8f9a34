import Base
import Foundation
import Publishing

/// Reports on standard error how a command goes that may run for long: on a terminal in one line that is written over,
/// elsewhere with a line every few seconds, which is JSON for programs. Used by one thread only.
struct Reporter {
    let isJSON: Bool
    let isTerminal: Bool
    private var lastShown = Duration.zero

    init(_ format: TextFormat? = nil) {
        isJSON = format == .json
        isTerminal = format == nil && StandardStreams.isTerminal
    }

    /// Returns whether to show now what is done after `elapsed`: the last report is old enough, or this `isNews`.
    mutating func isDue(_ elapsed: Duration, isNews: Bool = false) -> Bool {
        guard elapsed - lastShown >= (isTerminal ? .milliseconds(100) : .seconds(5)) || isNews else { return false }
        lastShown = elapsed
        return true
    }

    /// Shows how far the command is: `parts` for people, after the share that is done if it is known, or `object` for
    /// programs.
    func show(_ share: Double?, _ parts: [String], object: @autoclosure () -> String = "") {
        if isJSON { return StandardStreams.note(object()) }
        var line = parts.joined(separator: ", ")
        if let share {
            let percent = "\(Int(share * 100))%"
            line = isTerminal ? "\(Self.bar(share)) \(percent) \(line)" : "\(percent), \(line)"
        }
        StandardStreams.note(isTerminal ? String(line.prefix(Self.columns - 1)) : line + "\n", isOverLine: isTerminal)
    }

    /// Clears the line that is written over.
    func clear() { StandardStreams.note("", isOverLine: isTerminal) }

    /// Reports what people like to know, and need not.
    func note(_ line: String) { StandardStreams.note(text(line, as: "note"), isOverLine: isTerminal) }

    /// Reports what must be known. `kind` tells programs what it is.
    func tell(_ line: String, as kind: String = "note") {
        StandardStreams.write(text(line, as: kind), isOverLine: isTerminal)
    }

    /// Reports why a run has ended early, if it has.
    func tell(_ end: RunEnd) {
        switch end {
        case .complete: break
        case .cancelled: tell("interrupted; run the same command again to complete it")
        case .failed(let error):
            for line in (error as? Refusal)?.lines ?? ["\(error)"] { tell("rollcall: \(line)", as: "error") }
        }
    }

    /// Returns `line` as one line, whatever line ends a text from a source has.
    private func text(_ line: String, as kind: String) -> String {
        let line = line.printable
        return isJSON ? JSONLine.text([kind: line]) : line + "\n"
    }

    /// The width of the terminal. Only the last part of a longer line would be written over.
    private static var columns: Int {
        guard let columns = SystemValues.columns(ofTerminal: STDERR_FILENO), columns > 1 else { return 1000 }
        return columns
    }

    private static func bar(_ share: Double) -> String {
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
