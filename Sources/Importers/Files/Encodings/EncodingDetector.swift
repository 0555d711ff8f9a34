import Base
import Publishing

/// Chooses the encoding of a table that is neither UTF-8 nor UTF-16, from its first cells.
///
/// ICU's detector ranks encodings by the letters of long texts. A list of names is short and mostly ASCII, so the
/// detector alone decoded 14 of 165 lists wrongly. Its order therefore only decides between encodings in which the
/// cells look equally plausible. An encoding in which more headings are known wins.
struct EncodingDetector {
    /// Returns the language of headings, or `und`: it decides between two encodings that fit equally well.
    var languageOfHeadings: ([String]) -> String = { _ in "und" }

    /// The encoding, or two that fit equally well and the first cell that they read differently.
    enum Decision: Equatable {
        case certain(TextEncoding)
        case ambiguous(Reading, Reading, line: Int)
        /// The bytes are not text in any of the encodings.
        case none
    }

    struct Reading: Equatable {
        var encoding: TextEncoding
        var text: String
    }

    /// The difference of costs that decides: two cells that look wrong, or that are not made of common letters.
    private static let margin = 4
    /// 1,000: enough for the statistics, and little time for a dozen encodings.
    private static let maxCells = 1_000

    /// The encoding of spreadsheets on Windows, by language.
    private static let usual: [String: TextEncoding] = [
        "en": .windows1252, "de": .windows1252, "fr": .windows1252, "es": .windows1252, "pt": .windows1252,
        "it": .windows1252, "nl": .windows1252, "sv": .windows1252, "da": .windows1252, "pl": .windows1250,
        "cs": .windows1250, "tr": .windows1254, "ru": .windows1251,
    ]

    private struct Candidate {
        var encoding: TextEncoding
        var texts: [String]
        var knownHeadings = 0
        var cost = 0
        var confidence = 0
    }

    /// Decides from the first bytes of a file, which may end inside a line.
    func decide(_ bytes: UnsafeRawBufferPointer) -> Decision {
        let cells = Self.cells(of: bytes)
        var candidates = TextEncoding.candidates.compactMap { candidate($0, cells) }
        // ICU sees only the words with letters beyond ASCII.
        let words = ByteBuffer(capacity: 4096)
        for cell in cells {
            words.append(cell.text)
            words.append(0x20)
        }
        let confidences = [Self.confidences(of: bytes), Self.confidences(of: words.bytes)]
        for index in candidates.indices {
            candidates[index].confidence = confidences.map { $0[candidates[index].encoding] ?? 0 }.reduce(0, +)
        }
        let most = candidates.map(\.knownHeadings).max() ?? 0
        candidates.removeAll { $0.knownHeadings < most }
        let sorted = candidates.sorted { ($0.cost, -$0.confidence) < ($1.cost, -$1.confidence) }
        guard let cheapest = sorted.first,
            // Among encodings that decode all cells alike, the most common one wins.
            let best = candidates.first(where: { $0.texts == cheapest.texts })
        else { return .none }
        let rival = sorted.first { $0.texts != best.texts && !isClear(cheapest, $0) }
        guard let rival, let index = cells.indices.first(where: { best.texts[$0] != rival.texts[$0] }) else {
            return .certain(best.encoding)
        }
        let headings = zip(cells, best.texts).filter { $0.0.line <= CSVHeader.maxLines }.map(\.1)
        let usual = Self.usual[languageOfHeadings(headings)]
        if let usual, [best.encoding, rival.encoding].contains(usual) { return .certain(usual) }
        return .ambiguous(
            Reading(encoding: best.encoding, text: best.texts[index]),
            Reading(encoding: rival.encoding, text: rival.texts[index]), line: cells[index].line)
    }

    /// Returns ICU's confidence, from 0 to 100, in each encoding that `bytes` may be in.
    private static func confidences(of bytes: UnsafeRawBufferPointer) -> [TextEncoding: Int] {
        var confidences: [TextEncoding: Int] = [:]
        TextConverter.forEachEncoding(of: bytes) { name, confidence in
            guard let encoding = TextEncoding(named: name) else { return }
            confidences[encoding] = max(confidence, confidences[encoding] ?? 0)
        }
        return confidences
    }

    /// Whether `best` is certain enough compared with `other`, which does not cost less.
    private func isClear(_ best: Candidate, _ other: Candidate) -> Bool {
        // ICU's statistics distinguish alphabets of one script; for a few ideographs they mean nothing.
        other.cost - best.cost >= Self.margin || best.confidence >= max(30, 2 * other.confidence)
    }

    private func candidate(
        _ encoding: TextEncoding, _ cells: [(text: UnsafeRawBufferPointer, line: Int)]
    ) -> Candidate? {
        guard let decoder = TextConverter(encoding) else { return nil }
        let buffer = ByteBuffer(capacity: 256)
        let plausibility = Plausibility(of: encoding)
        var candidate = Candidate(encoding: encoding, texts: [])
        for cell in cells {
            buffer.removeAll()
            decoder.append(decoding: cell.text, isLast: true, to: buffer)
            if buffer.bytes.contains(TextEncoding.undecodable) { return nil }
            let text = String(buffer)
            candidate.texts.append(text)
            let cost = plausibility.cost(of: text)
            candidate.cost += cost
            // Between wrong letters, two right ones may be a word.
            if cell.line <= CSVHeader.maxLines, cost < Plausibility.odd,
                HeaderWords.isExplained(text, byPersonsAlone: false)
            {
                candidate.knownHeadings += 1
            }
        }
        candidate.cost += plausibility.cost(ofAll: candidate.texts)
        return candidate
    }
}

// MARK: - Cells

extension EncodingDetector {
    /// Returns the cells that are not ASCII, without surrounding white space, and their lines. The bytes that end a
    /// cell are never part of a character in any candidate.
    private static func cells(of bytes: UnsafeRawBufferPointer) -> [(text: UnsafeRawBufferPointer, line: Int)] {
        var cells: [(UnsafeRawBufferPointer, Int)] = []
        var start = 0
        var line = 1
        func take(upTo end: Int) {
            let text = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            if text.contains(where: { $0 >= 0x80 }) { cells.append((text.withoutBlanks, line)) }
        }
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\""), 0x09, 0x0A, 0x0D:
                take(upTo: index)
                if cells.count == maxCells { return cells }
                // A carriage return alone ends the lines of some files.
                if byte == 0x0A || byte == 0x0D && bytes[(index + 1)...].first != 0x0A { line += 1 }
                start = index + 1
            default: break
            }
        }
        // The last cell may be cut off inside a character, unless it is the only one.
        if cells.isEmpty { take(upTo: bytes.count) }
        return cells
    }
}
