import Base
import People

/// Caches the mappings of earlier records' keys. The records of one file nearly always have the same keys in the same
/// order, so that one comparison of bytes replaces folding and looking up a name.
struct KnownKeys {
    private let names: ColumnNames
    /// Room for all keys, so that their bytes stay where they are.
    private let text = ByteBuffer(capacity: maxKeys * maxKeyBytes)
    /// 256: more keys than any CSV file has columns. Beyond that, keys are data and would only fill memory.
    private static let maxKeys = 256
    private static let maxKeyBytes = 256
    private var keys: [Key] = []
    private var last = -1
    /// The indexes of the keys by folded name; of several, the first.
    private var indexes: [String: Int] = [:]
    private var record = 0
    /// The folded names in the current record that are not among ``keys``.
    private var others: Set<String> = []

    private struct Key {
        var name: ByteSlice
        var meaning: ColumnMapping
        /// The index of the first key that differs from this one in case or notation alone, or of this one.
        var first: Int
        /// The last record that has a key with this ``first``, noted at that one.
        var record = 0
    }

    init(names: ColumnNames) { self.names = names }

    /// Starts a record: the next key is its first.
    mutating func startRecord() {
        last = -1
        record += 1
        others.removeAll(keepingCapacity: true)
    }

    struct Known {
        var meaning: ColumnMapping
        /// Whether the record has had such a key already, in any case.
        var isRepeated: Bool
        /// The key of the column, escaped: as the first record wrote it, because names that differ in case alone are
        /// one column. Valid as long as the ``KnownKeys``.
        var column: UnsafeRawBufferPointer
    }

    /// Returns what is known of `key`, which is still escaped as in the file; `unescaped` returns its text.
    mutating func meaning(of key: UnsafeRawBufferPointer, unescaped: () -> String) -> Known {
        let next = last + 1
        let later = (next..<keys.count).first { isKey($0, key) }
        if let index = later ?? (0..<next).first(where: { isKey($0, key) }) {
            last = index
            return known(index)
        }
        let name = unescaped()
        let folded = name.folded
        let meaning = names.meaning(of: name)
        let equal = indexes[folded]
        if keys.count < Self.maxKeys, key.count < Self.maxKeyBytes, !others.contains(folded) {
            let slice = ByteSlice(offset: text.count, count: key.count)
            text.append(key)
            last = keys.count
            keys.append(Key(name: slice, meaning: meaning, first: equal ?? last))
            indexes[folded] = equal ?? last
            return known(last)
        }
        let isRepeated = equal.map { noteKey($0) } ?? false
        return Known(
            meaning: meaning, isRepeated: !others.insert(folded).inserted || isRepeated,
            column: equal.map { text.bytes[keys[$0].name] } ?? key)
    }

    private mutating func known(_ index: Int) -> Known {
        let isRepeated = noteKey(index)
        return Known(
            meaning: keys[index].meaning, isRepeated: isRepeated, column: text.bytes[keys[keys[index].first].name])
    }

    /// Notes that the record has a known key, and returns whether it had one with the same name already.
    @inline(__always) private mutating func noteKey(_ index: Int) -> Bool {
        let first = keys[index].first
        defer { keys[first].record = record }
        return keys[first].record == record
    }

    @inline(__always) private func isKey(_ index: Int, _ key: UnsafeRawBufferPointer) -> Bool {
        let name = keys[index].name
        guard Int(name.count) == key.count else { return false }
        return text.bytes[name].elementsEqual(key)
    }
}
