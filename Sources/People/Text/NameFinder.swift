import Base

/// Finds the names of people in texts: in upper or lower case, with or without accents, and with the last word first.
///
/// ```swift
/// NameFinder(["Anna Müller"]).find(in: "reports to MULLER, Anna")  // [0]
/// ```
public final class NameFinder {
    private typealias Pattern = (words: [[UInt8]], name: Int)

    /// By a hash of the first word.
    private var patterns: [UInt64: [Pattern]] = [:]
    /// The loose forms of names of one word in scripts that may write it without spaces around it.
    private var unspaced: [Pattern] = []
    private let scratch = ByteBuffer(capacity: 1024)

    public init(_ names: [String]) {
        for (index, name) in names.enumerated() {
            let words = Self.words(of: name.loose)
            guard let last = words.last else { continue }
            if words.count == 1, last.contains(where: { $0 >= 0x80 }) {
                unspaced.append((words, index))
                continue
            }
            add(words, index)
            if words.count > 1 { add([last] + words.dropLast(), index) }
        }
    }

    private func add(_ words: [[UInt8]], _ name: Int) {
        let hash = words[0].withUnsafeBytes(Self.hash)
        patterns[hash, default: []].append((words, name))
    }

    /// Returns the indexes of the names that stand in `text`.
    public func find(in text: String) -> Set<Int> {
        var found: Set<Int> = []
        text.withBytes { find(in: $0, &found) }
        return found
    }

    /// Adds the indexes of the names that stand in `text`, which is UTF-8, to `found`.
    public func find(in text: UnsafeRawBufferPointer, _ found: inout Set<Int>) {
        scratch.removeAll()
        let slice = scratch.append(loose: text)
        let loose = scratch.bytes[slice]
        for pattern in unspaced where loose.firstRange(of: pattern.words[0]) != nil { found.insert(pattern.name) }
        var end = 0
        while let word = loose.nextWord(after: &end) {
            for pattern in patterns[Self.hash(word)] ?? []
            where Self.begins(with: pattern.words, word, loose, after: end) {
                found.insert(pattern.name)
            }
        }
    }

    /// Whether `word` of `text` and the ones after it are `words`.
    private static func begins(
        with words: [[UInt8]], _ word: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer, after end: Int
    ) -> Bool {
        var end = end
        return word.elementsEqual(words[0])
            && words.dropFirst().allSatisfy { text.nextWord(after: &end)?.elementsEqual($0) == true }
    }

    /// Returns the words of a name in loose form and in a fixed order: equal for `Anna Müller` and `MULLER, Anna`.
    public static func key(of name: String) -> String {
        words(of: name.loose).map { String(decoding: $0, as: UTF8.self) }.sorted().joined(separator: " ")
    }

    private static func words(of loose: String) -> [[UInt8]] {
        Array(loose.utf8).withUnsafeBytes { bytes in
            var (words, end) = ([[UInt8]](), 0)
            while let word = bytes.nextWord(after: &end) { words.append(Array(word)) }
            return words
        }
    }

    private static func hash(_ word: UnsafeRawBufferPointer) -> UInt64 { SipHash.hash(word, key: (4, 4)) }
}

extension UnsafeRawBufferPointer {
    /// Returns the next run of letters and digits of this loose text, and moves `end` behind it.
    fileprivate func nextWord(after end: inout Int) -> UnsafeRawBufferPointer? {
        let isPart = { (byte: UInt8) in byte.isLetterOrDigit || byte >= 0x80 }
        guard let start = self[end...].firstIndex(where: isPart) else { return nil }
        end = self[start...].firstIndex { !isPart($0) } ?? count
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }
}
