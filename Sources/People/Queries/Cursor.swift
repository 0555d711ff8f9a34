import Base

/// A position in an order, just after or just before the user it names.
///
/// It contains the user's sort value and id, so it stays valid even when that user is gone, and a page costs the same
/// at any depth (keyset pagination).
///
/// ```swift
/// // The page after Ada, who has the id 1, in the order by login.
/// UserQuery(directory: 1, sort: Sort(.login), start: .after(.text("ada", id: 1)), limit: 30)
/// ```
public enum Cursor: Hashable, Sendable {
    /// In the order by id only.
    case id(Int64)
    /// In the order by login: the folded text and the id.
    case text(String, id: Int64)
    /// In other orders by text: the collation key, the hash of its ``CollationStamp``, and the id. If the directory has
    /// another stamp, only the id counts.
    case key([UInt8], stamp: UInt32, id: Int64)
    /// In an order by numbers. Users without one (`nil`) come last in both directions.
    case number(Int64?, id: Int64)
    /// In the order by relevance: the user's relevance, and the cursor in the order of users with the same one.
    indirect case relevance(SearchMatch, Cursor)

    public var id: Int64 {
        switch self {
        case .relevance(_, let cursor): cursor.id
        case .id(let id), .text(_, let id), .number(_, let id), .key(_, _, let id): id
        }
    }

    /// The cursor in the order of users with the same relevance; otherwise this cursor itself.
    public var base: Cursor {
        if case .relevance(_, let cursor) = self { return cursor }
        return self
    }

    public var relevance: SearchMatch? {
        if case .relevance(let relevance, _) = self { return relevance }
        return nil
    }
}

/// The encoding of cursors in URLs.
///
/// In the order by id, a cursor is the bare number, as in GitHub's API. In any other order, it is one letter for the
/// order, followed by unpadded base64url (RFC 4648 §5) of the id in eight bytes, most significant first, and the sort
/// value: a login in UTF-8; a number in eight bytes (no bytes for a user without one); or the hash of the stamp in four
/// bytes and a collation key. In the order by relevance, it is the letter `m`, the digit of ``SearchMatch/rank``, and
/// the cursor in the order of equal relevance.
extension Cursor {
    /// The maximum length of a login as a sort value: a cursor has at most 697 bytes, so several fit into a request's
    /// target.
    public static let maxTextScalars = 128

    /// Decodes the cursor `encoded` for orders by `key`. Returns `nil` if it is invalid. Each cursor has only one
    /// encoding.
    public init?(encoded: UnsafeRawBufferPointer, for key: Sort.Key) {
        switch key {
        case .id:
            guard let id = Int64(canonicalDecimal: encoded) else { return nil }
            self = .id(id)
        case .relevance(let sort):
            guard encoded.count > 2, encoded[0] == key.cursorLetter,
                let relevance = SearchMatch.all.first(where: { $0.digit == encoded[1] }),
                let cursor = Cursor(encoded: UnsafeRawBufferPointer(rebasing: encoded[2...]), for: sort.key)
            else { return nil }
            self = .relevance(relevance, cursor)
        case .login, .name, .field:
            guard encoded.first == key.cursorLetter,
                let bytes = [UInt8](base64URL: UnsafeRawBufferPointer(rebasing: encoded.dropFirst())),
                bytes.count >= 8
            else { return nil }
            let id = Int64(bigEndianBytes: bytes[..<8])
            let value = bytes[8...]
            guard id > 0 else { return nil }
            if key.isCollated {
                guard value.count >= 4, value.count <= 4 + Collation.maxKeyBytes else { return nil }
                let stamp = value.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
                self = .key(Array(value.dropFirst(4)), stamp: stamp, id: id)
            } else if !key.isText {
                guard value.isEmpty || value.count == 8 else { return nil }
                self = .number(value.isEmpty ? nil : Int64(bigEndianBytes: value), id: id)
            } else {
                guard let text = String(validating: value, as: UTF8.self),
                    text.unicodeScalars.count <= Self.maxTextScalars
                else { return nil }
                self = .text(text, id: id)
            }
        }
    }

    public init?(encoded: some StringProtocol, for key: Sort.Key) {
        guard let cursor = String(encoded).withBytes({ Cursor(encoded: $0, for: key) }) else { return nil }
        self = cursor
    }

    /// Returns the encoding of the cursor for orders by `key`, which must match the cursor's case.
    public func encoded(for key: Sort.Key) -> String { String(writing: { $0.append(self, in: key) }) }
}

extension ByteBuffer {
    /// Appends the encoding of `cursor` for orders by `key`, which must match the cursor's case.
    public func append(_ cursor: Cursor, in key: Sort.Key) {
        switch cursor {
        case .id(let id):
            append(decimal: id)
        case .number(let number, let id):
            append(cursorLetter: key.cursorLetter, id: id, number: number)
        case .text(let text, let id):
            text.withBytes { append(cursorLetter: key.cursorLetter, id: id, text: $0) }
        case .relevance(let relevance, let cursor):
            guard case .relevance(let sort) = key else { return }
            append(key.cursorLetter)
            append(relevance.digit)
            append(cursor, in: sort.key)
        case .key(let bytes, let stamp, let id):
            bytes.withUnsafeBytes { append(cursorLetter: key.cursorLetter, id: id, stamp: stamp, key: $0) }
        }
    }

    fileprivate func append(cursorLetter letter: UInt8, id: Int64, stamp: UInt32, key: UnsafeRawBufferPointer) {
        withUnsafeTemporaryAllocation(byteCount: 4 + key.count, alignment: 1) { value in
            value.storeBytes(of: stamp.bigEndian, as: UInt32.self)
            UnsafeMutableRawBufferPointer(rebasing: value[4...]).copyMemory(from: key)
            append(cursorLetter: letter, id: id, text: UnsafeRawBufferPointer(value))
        }
    }

    fileprivate func append(cursorLetter letter: UInt8, id: Int64, number: Int64?) {
        guard let number else {
            return append(cursorLetter: letter, id: id, text: .empty)
        }
        withUnsafeBytes(of: number.bigEndian) { append(cursorLetter: letter, id: id, text: $0) }
    }

    fileprivate func append(cursorLetter letter: UInt8, id: Int64, text: UnsafeRawBufferPointer) {
        append(letter)
        append(base64URL: text, after: id)
    }
}

extension UserRows {
    /// Appends the encoded cursor of row `index` to `buffer`, for rows read in an order by `key`.
    public func append(cursorOf index: Int, in key: Sort.Key, to buffer: ByteBuffer) {
        let row = rows[index]
        switch key {
        case .id:
            buffer.append(decimal: row.id)
        case .field(let order) where order.kind == .number:
            buffer.append(cursorLetter: key.cursorLetter, id: row.id, number: row.sortNumber)
        case .login:
            text.withUnsafeBytes { buffer.append(cursorLetter: key.cursorLetter, id: row.id, text: $0[row.sortText]) }
        case .name, .field:
            text.withUnsafeBytes {
                buffer.append(cursorLetter: key.cursorLetter, id: row.id, stamp: collation, key: $0[row.sortText])
            }
        case .relevance(let sort):
            buffer.append(key.cursorLetter)
            buffer.append(row.relevance.digit)
            append(cursorOf: index, in: sort.key, to: buffer)
        }
    }

    /// Returns the cursor of row `index`, for rows read in an order by `key`.
    public func cursor(of index: Int, in key: Sort.Key) -> Cursor {
        let row = rows[index]
        return switch key {
        case .id: .id(row.id)
        case .field(let order) where order.kind == .number: .number(row.sortNumber, id: row.id)
        case .login: .text(self[row.sortText], id: row.id)
        case .name, .field: .key(Array(text[row.sortText.range]), stamp: collation, id: row.id)
        case .relevance(let sort): .relevance(row.relevance, cursor(of: index, in: sort.key))
        }
    }
}

extension Sort.Key {
    fileprivate var cursorLetter: UInt8 {
        switch self {
        case .id: UInt8(ascii: "i")  // Never written: a cursor in the order by id has no letter.
        case .login: UInt8(ascii: "l")
        case .name: UInt8(ascii: "k")
        case .field(let order): order.kind == .number ? UInt8(ascii: "d") : UInt8(ascii: "c")
        case .relevance: UInt8(ascii: "m")
        }
    }
}

extension SearchMatch {
    fileprivate var digit: UInt8 { UInt8(ascii: "0") + UInt8(rank) }
}

extension Int64 {
    /// Returns `nil` unless `text` is the canonical form of a number from 0 on: digits only, without leading zeros.
    fileprivate init?(canonicalDecimal text: UnsafeRawBufferPointer) {
        guard let first = text.first, text.count == 1 || first != UInt8(ascii: "0") else { return nil }
        self.init(decimalDigits: text)
    }

    fileprivate init(bigEndianBytes bytes: ArraySlice<UInt8>) {
        self.init(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }
}
