import Base
import People

/// The part of a user that searches and orders look at. The bytes belong to the row or the import that has them.
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
}

extension SavedText {
    /// Reads what ``append(to:)`` wrote. Damaged bytes give a user without a text.
    package init(_ content: UnsafeRawBufferPointer) {
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        self.init(reputation: UserBatch.noReputation, keys: empty, exact: empty, text: empty)
        var index = 0
        guard let number = content.varint(at: &index), let keys = content.counted(at: &index),
            let exact = content.counted(at: &index)
        else { return }
        if number > 0 { reputation = Int64(zigzag: number - 1) }
        (self.keys, self.exact) = (keys, exact)
        text = UnsafeRawBufferPointer(rebasing: content[index...])
    }

    /// The text in the current row of ``KeyedRows/texts``.
    init(_ row: any StoreRow) { self.init(row.blob(1)) }

    var searched: SearchedText { SearchedText(text, exact: exact) }

    /// The key of the order by login. It is among the ``keys`` if the login is generated.
    var loginKey: UnsafeRawBufferPointer {
        let login = searched.login
        if login.isEmpty, case .text(let key) = keys.orderKey(at: OrderKeys.loginPosition) { return key }
        return login.sortText
    }

    /// Appends a copy, encoded. None of the bytes may be in `buffer`.
    func append(to buffer: ByteBuffer) {
        buffer.append(varint: reputation == UserBatch.noReputation ? 0 : reputation.zigzag + 1)
        buffer.append(counted: keys)
        buffer.append(counted: exact)
        buffer.append(text)
    }
}
