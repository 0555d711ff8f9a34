import Base
import People
import Template

extension Model {
    /// Sets the parts of a text in which a search finds some of its words: a list, empty if it finds none.
    func set<F: TemplateField>(_ frame: Frame<F>, _ field: F, _ text: Bytes, _ marker: MatchedText) {
        let matches = marker.ranges(in: text)
        if matches.isEmpty { return }
        var parts: [(range: Range<Int>, isMatch: Bool)] = []
        parts.reserveCapacity(matches.count * 2 + 1)
        var end = 0
        for match in matches {
            if end < match.lowerBound { parts.append((end..<match.lowerBound, false)) }
            parts.append((match, true))
            end = match.upperBound
        }
        if end < text.count { parts.append((end..<text.count, false)) }
        setList(frame, field, of: TextPartField.self, parts) { row, part in
            set(row, .text, text[part.range])
            set(row, .isMatch, flag: part.isMatch)
        }
    }
}
