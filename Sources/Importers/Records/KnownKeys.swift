import Bytes
import Directories

/// Caches the mappings of earlier records' keys. The records of one file nearly always have the same keys in the same
/// order, so that one comparison of bytes replaces folding and looking up a name.
struct KnownKeys {
    private let names: ColumnNames
    private let text = ByteBuffer(capacity: 512)
    private var keys: [Key] = []
    private var last = -1
    /// The indexes of the keys by folded name; of several, the first.
    private var indexes: [String: Int] = [:]
    /// The number of the current record.
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
        if !others.isEmpty { others.removeAll(keepingCapacity: true) }
    }

    /// Returns the mapping of `key`, which is still escaped as in the file, and whether the record has had such a key
    /// already, in any case; `unescaped` returns its text.
    mutating func meaning(
        of key: UnsafeRawBufferPointer, unescaped: () -> String
    ) -> (meaning: ColumnMapping, isRepeated: Bool) {
        if last + 1 < keys.count, isKey(last + 1, key) {
            last += 1
            return (keys[last].meaning, noteKey(last))
        }
        if let index = keys.indices.first(where: { isKey($0, key) }) {
            last = index
            return (keys[index].meaning, noteKey(index))
        }
        let name = unescaped()
        let folded = name.folded
        let meaning = names.meaning(of: name)
        let equal = indexes[folded]
        // 256: more keys than any CSV file has columns. Beyond that, keys are data and would only fill memory.
        if keys.count < 256, key.count < 256 {
            let slice = ByteSlice(offset: text.count, count: key.count)
            text.append(key)
            last = keys.count
            keys.append(Key(name: slice, meaning: meaning, first: equal ?? last))
            if equal == nil { indexes[folded] = last }
            return (meaning, noteKey(last) || others.contains(folded))
        }
        let isRepeated = equal.map { noteKey($0) } ?? false
        return (meaning, !others.insert(folded).inserted || isRepeated)
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
