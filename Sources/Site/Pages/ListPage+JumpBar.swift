import Base
import Mustache
import People

/// The jump bar along the list: letters in the orders by names, and numbers in others.
extension ListPage {
    /// A shorter list needs no jump bar.
    static let minTotalForJumpBar = 100
    /// The greatest number of numbers on a jump bar.
    private static let maxSteps = 15

    private struct Entry {
        var label: String
        /// Counted from 1.
        var position: Int
        /// `nil` if nobody has the letter.
        var start: UserQuery.Start?
    }

    /// Sets the jump bar: `letters` if the order has some, and numbers otherwise. Returns whether there is one.
    func setJumpBar(_ letters: [LetterCount]) -> Bool {
        guard model.shows(frame, .hasJumpBar) else { return false }
        let entries =
            letters.isEmpty
            ? steps
            : letters.map { letter in
                Entry(
                    label: letter.label, position: letter.position,
                    start: letter.count > 0 ? .letter(letter.label) : nil)
            }
        if entries.isEmpty { return false }
        model.set(frame, .hasJumpBar, flag: true)
        model.set(frame, .hasLetters, flag: !letters.isEmpty)
        model.set(frame, .jumpBarPlaces, entries.map { String($0.position) }.joined(separator: " "))
        let here = page.firstPosition.flatMap { first in
            entries.lastIndex { $0.start != nil && $0.position <= first }
        }
        let rows = model.makeList(frame, .jumpBar, of: JumpBarField.self, count: entries.count)
        for (index, (row, entry)) in zip(rows, entries).enumerated() {
            model.set(row, .label, entry.label)
            guard let start = entry.start else { continue }
            model.write(row, .href) { links.append(start, to: $0) }
            model.set(row, .isCurrent, flag: index == here)
        }
        return true
    }

    /// Round numbers at equal distances. None begins a page that is not full, so the last one leads to the last full
    /// page.
    private var steps: [Entry] {
        guard let total = page.total, total >= Self.minTotalForJumpBar else { return [] }
        let last = request.search == nil ? total : min(total, UserQuery.numberedMatches)
        var (step, unit) = (10, 10)
        while last / step >= Self.maxSteps {
            // 10, 20, 50, 100, …
            (step, unit) =
                step == unit ? (2 * unit, unit) : step == 2 * unit ? (5 * unit, unit) : (10 * unit, 10 * unit)
        }
        let lastFull = last - request.limit + 1
        guard lastFull > 1 else { return [] }
        let numbers = stride(from: step, through: last, by: step)
        return [Entry(label: "1", position: 1, start: .first)]
            + numbers.filter { $0 <= lastFull || $0 + step > last }.map {
                let position = min($0, lastFull)
                return Entry(label: $0.compact, position: position, start: .at(position - 1))
            }
    }
}

extension Int {
    /// `950`, `1k`, `1.5k`, `2M`
    fileprivate var compact: String {
        for (unit, name) in [(1_000_000, "M"), (1_000, "k")] where self >= unit {
            let tenths = self / (unit / 10)
            return "\(tenths / 10)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)") + name
        }
        return "\(self)"
    }
}
