import Base

/// The rules by which the collation keys of a directory were made, by name.
///
/// Keys of different rules cannot be compared. A directory keeps the stamp of its keys, and is reindexed when the
/// rules change.
public struct CollationStamp: Hashable, Sendable {
    /// For example `de-u-kn-true;76.1;153.128`; empty if no keys have been made yet.
    public let text: String
    /// A short hash of the text, for cursors. It is never 0.
    public let hash: UInt32

    public init(_ text: String) {
        self.text = text
        let hash = Array(text.utf8).withUnsafeBytes { SipHash.hash($0, key: (0x636F_6C6C, 0x6174_696F)) }
        self.hash = max(1, UInt32(truncatingIfNeeded: hash))
    }

    /// The stamp of the keys that this process makes for names in `language`.
    public init(language: String) { self.init(Collation(language).stamp) }

    public static let none = CollationStamp("")
}

/// Makes the keys of orders by text, other than by login. Belongs to one thread at a time.
public final class CollationKeys {
    private let collator: Collator
    private let scratch = ByteBuffer(capacity: 512)
    /// The parts of a name before and after the surname.
    private let rest = ByteBuffer(capacity: 128)

    public init(language: String) { collator = Collator(Collation(language)) }

    /// Appends the key of UTF-8 text to `buffer`, which must not hold the text. An empty text has an empty key.
    public func append(keyOf text: UnsafeRawBufferPointer, to buffer: ByteBuffer) {
        if !text.isEmpty { collator.append(keyOf: text, to: buffer) }
    }

    /// Appends the key of a text that is compared by `first`, and by `second` only among equal ones.
    public func append(keyOf first: UnsafeRawBufferPointer, then second: UnsafeRawBufferPointer, to buffer: ByteBuffer)
    {
        scratch.removeAll()
        scratch.append(first)
        Collation.separator.withUnsafeBytes { scratch.append($0) }
        scratch.append(second)
        collator.append(keyOf: scratch.bytes, to: buffer)
    }

    /// Appends the key of a name in UTF-8 that is compared by the surname, and by the rest of the name only among equal
    /// ones. A name in which nobody can tell the surname is compared as it is.
    public func append(keyOf name: UnsafeRawBufferPointer, surname: Surname?, to buffer: ByteBuffer) {
        guard let range = surname?.range(in: name), range.count < name.count else {
            return append(keyOf: name, to: buffer)
        }
        rest.removeAll()
        rest.append(UnsafeRawBufferPointer(rebasing: name[..<range.lowerBound]))
        rest.append(UnsafeRawBufferPointer(rebasing: name[range.upperBound...]))
        append(keyOf: UnsafeRawBufferPointer(rebasing: name[range]), then: rest.bytes, to: buffer)
    }

    /// Returns the key of `text`, which is compared by `surname` if it is a name.
    public func key(of text: String, surname: Surname? = nil) -> [UInt8] {
        let buffer = ByteBuffer(capacity: Collation.maxKeyBytes)
        text.withBytes { append(keyOf: $0, surname: surname, to: buffer) }
        return Array(buffer.bytes)
    }

    /// Returns the key of a text that is compared by `first`, and by `second` only among equal ones.
    public func key(of first: String, then second: String) -> [UInt8] {
        let buffer = ByteBuffer(capacity: Collation.maxKeyBytes)
        first.withBytes { first in
            second.withBytes { append(keyOf: first, then: $0, to: buffer) }
        }
        return Array(buffer.bytes)
    }
}
