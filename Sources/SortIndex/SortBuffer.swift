import Base

/// Collects keys in any order and sorts them.
package struct SortBuffer {
    /// The texts of `keys`.
    private var text: [UInt8] = []
    private var keys: [SortKey] = []

    package init() {}

    package mutating func append(_ id: Int64, number: Int64) {
        keys.append(SortKey(number: number, id: id))
    }

    package mutating func append(_ id: Int64, text value: UnsafeRawBufferPointer) {
        keys.append(SortKey(appending: value, to: &text, id: id))
    }

    /// Returns the ids in ascending order of their keys. `group`, which is sorted already, is inserted before the first
    /// key after `groupStart`.
    package mutating func sortedIDs(around group: [Int64] = [], at groupStart: [UInt8] = []) -> [Int64] {
        text.withUnsafeBytes { bytes in keys.sort { $0.compare(in: bytes, to: $1, in: bytes) < 0 } }
        if group.isEmpty { return keys.map(\.id) }
        let after = text.withUnsafeBytes { bytes in
            let start = SeekKey(text: groupStart, id: 0)
            return start.text.withUnsafeBytes { startText in
                keys.firstIndex { $0.compare(in: bytes, to: start.key, in: startText) > 0 } ?? keys.count
            }
        }
        return keys[..<after].map(\.id) + group + keys[after...].map(\.id)
    }
}
