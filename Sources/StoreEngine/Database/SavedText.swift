import Base
import People

/// What searches and orders look at of a user. The bytes belong to the row or the import that has them.
///
/// It is one value, the column `content` of `userText`, because searches read hundreds of them: SQLite reads one column
/// of many rows in a third of the time that a statement takes. Encoded, it has
///
/// 1. the reputation: a varint, 0 for a user without one, else its zigzag form plus 1
/// 2. ``keys`` and ``exact``, each after a varint with its length in bytes
/// 3. ``text``, up to the end
package struct SavedText {
    /// ``UserBatch/noReputation`` if the user has none.
    package var reputation: Int64
    /// The keys of orders, as ``OrderKeys`` describes them.
    package var keys: UnsafeRawBufferPointer
    /// The folded login and name, where they differ from the loose ones: see ``SearchedText/exact``.
    package var exact: UnsafeRawBufferPointer
    /// See ``SearchedText``.
    package var text: UnsafeRawBufferPointer

    init(
        reputation: Int64, keys: UnsafeRawBufferPointer, exact: UnsafeRawBufferPointer, text: UnsafeRawBufferPointer
    ) {
        (self.reputation, self.keys, self.exact, self.text) = (reputation, keys, exact, text)
    }

    /// Reads what ``append(to:)`` wrote. Damaged bytes give a user without a text.
    package init(_ content: UnsafeRawBufferPointer) {
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        self.init(reputation: UserBatch.noReputation, keys: empty, exact: empty, text: empty)
        var index = 0
        guard let reputation = content.varint(at: &index), let keys = content.part(at: &index),
            let exact = content.part(at: &index)
        else { return }
        if reputation > 0 {
            let zigzag = reputation - 1
            self.reputation = Int64(bitPattern: zigzag >> 1) ^ -Int64(zigzag & 1)
        }
        (self.keys, self.exact) = (keys, exact)
        text = UnsafeRawBufferPointer(rebasing: content[index...])
    }

    /// The text in the current row of ``KeyedRows/texts``.
    init(_ row: any StoreRow) { self.init(row.blob(1)) }

    var searched: SearchedText { SearchedText(text, exact: exact) }

    /// Appends a copy, encoded. None of the bytes may be in `buffer`.
    func append(to buffer: ByteBuffer) {
        let zigzag = UInt64(bitPattern: reputation << 1 ^ reputation >> 63)
        buffer.append(varint: reputation == UserBatch.noReputation ? 0 : zigzag + 1)
        for part in [keys, exact] {
            buffer.append(varint: UInt64(part.count))
            buffer.append(part)
        }
        buffer.append(text)
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the bytes after the varint at `index`, which says how many there are, and moves `index` past them.
    fileprivate func part(at index: inout Int) -> UnsafeRawBufferPointer? {
        guard let length = varint(at: &index), length <= UInt64(count - index) else { return nil }
        let end = index + Int(length)
        defer { index = end }
        return UnsafeRawBufferPointer(rebasing: self[index..<end])
    }
}
