import Bytes

/// Caches the mappings of earlier records' keys. The records of one file nearly always have the same keys in the same
/// order, so that one comparison of bytes replaces folding and looking up a name.
struct KnownKeys {
    private let names: ColumnNames
    private let text = ByteBuffer(capacity: 512)
    private var keys: [(name: ByteSlice, meaning: ColumnMapping)] = []
    private var last = -1

    init(names: ColumnNames) { self.names = names }

    /// Starts a record: the next key is its first.
    mutating func startRecord() { last = -1 }

    /// Returns the mapping of `key`, which is still escaped as in the file; `unescaped` returns its text.
    mutating func meaning(of key: UnsafeRawBufferPointer, unescaped: () -> String) -> ColumnMapping {
        if last + 1 < keys.count, isKey(last + 1, key) {
            last += 1
            return keys[last].meaning
        }
        if let index = keys.indices.first(where: { isKey($0, key) }) {
            last = index
            return keys[index].meaning
        }
        let name = unescaped()
        let meaning = names.meaning(of: name)
        // 256: more keys than any CSV file has columns. Beyond that, keys are data and would only fill memory.
        if keys.count < 256, key.count < 256 {
            keys.append((ByteSlice(offset: text.count, count: key.count), meaning))
            text.append(key)
            last = keys.count - 1
        }
        return meaning
    }

    @inline(__always) private func isKey(_ index: Int, _ key: UnsafeRawBufferPointer) -> Bool {
        let name = keys[index].name
        guard Int(name.count) == key.count else { return false }
        return text.bytes[name].elementsEqual(key)
    }
}
