import Base
import Foundation
import ICU

/// Derives the values that people are searched, sorted and filtered by: the lines of the searched text after
/// login and name, the keys of the order by name and of the settings' orders, and the values of filters.
///
/// The reading thread of an import does this for each user; the store does it when the settings of a directory change.
final class DerivedValues {
    private let settings: ShownSettings
    private let reader: FieldReader
    private lazy var collation = CollationKeys(language: settings.language)
    private let nameVariants: NameVariants
    /// The lines of fields in the ``SearchedText``. Each begins with a line feed.
    let lines = ByteBuffer(capacity: 512)
    /// The lines of their variants.
    let variants = ByteBuffer(capacity: 128)
    /// Other orders of a name in the scripts of East Asia.
    private(set) var turnedNames: [String] = []
    /// See ``OrderKeys``.
    let keys = ByteBuffer(capacity: 128)
    /// See ``UserBatch/Entry/filters``.
    let filters = ByteBuffer(capacity: 256)
    private let scratch = ByteBuffer(capacity: 256)
    /// The shapes of records from which no fields are read: the store reads their filters from columns.
    private let plainShapes: [RecordShape]

    init(_ settings: ShownSettings) {
        self.settings = settings
        reader = FieldReader(settings)
        nameVariants = NameVariants(language: settings.language)
        let derivesOnlyFilters = settings.searched.isEmpty && settings.orders.isEmpty && settings.nameReading == nil
        plainShapes = derivesOnlyFilters ? RecordShape.allCases.filter(settings.hasAllFilters(of:)) : []
    }

    func derive(_ user: UserBatch.Entry, in bytes: UnsafeRawBufferPointer) {
        lines.removeAll()
        variants.removeAll()
        keys.removeAll()
        filters.removeAll()
        turnedNames = []
        if settings.nameReading == nil { appendNameKey(of: user, bytes, to: keys) }
        if plainShapes.contains(user.shape) { return }
        reader.read(user.columns.bytes(in: bytes))
        // The first byte of a letter of East Asia is at least that of U+1000.
        if let last = settings.lastName.map(reader.text), let first = last.first, first >= 0xE1 {
            turnedNames = EastAsianName.variants(
                of: String(decoding: bytes[user.name], as: UTF8.self), last: String(decoding: last, as: UTF8.self))
        }
        if let reading = settings.nameReading {
            let reading = reader.text(of: reading)
            if reading.isEmpty || user.name.isEmpty {
                appendNameKey(of: user, bytes, to: keys)
            } else {
                scratch.removeAll()
                collation.append(keyOf: reading, then: bytes[user.name], to: scratch)
                keys.append(orderKey: scratch.bytes, at: OrderKeys.namePosition)
            }
        }
        reader.forEachSearchLine { line in
            lines.append(UInt8(ascii: "\n"))
            let loose = lines.append(loose: line)
            for variant in nameVariants.all(of: line, loose: lines.bytes[loose]) {
                variants.append(variant: variant, mark: SearchedText.fieldVariant)
            }
        }
        for (index, order) in settings.orders.enumerated() { appendKey(of: user, order, index, bytes) }
        if settings.hasAllFilters(of: user.shape) { return }
        for (index, field) in settings.filters.enumerated() {
            reader.forEachFilterValue(of: field) { value in
                filters.append(varint: UInt64(index))
                filters.append(counted: value)
            }
        }
    }

    /// Appends the key of the order by name, without a reading, to `keys`. Users without a name are sorted by login.
    func appendNameKey(of user: UserBatch.Entry, _ bytes: UnsafeRawBufferPointer, to keys: ByteBuffer) {
        let name = user.name.isEmpty ? user.login : user.name
        if name.isEmpty { return }
        scratch.removeAll()
        collation.append(keyOf: bytes[name], surname: settings.wholeNameSurname, to: scratch)
        keys.append(orderKey: scratch.bytes, at: OrderKeys.namePosition)
    }

    private func appendKey(
        of user: UserBatch.Entry, _ order: FieldOrder, _ index: Int, _ bytes: UnsafeRawBufferPointer
    ) {
        let position = OrderKeys.position(ofOrder: index)
        guard let field = order.field else {
            if order.key == "place" {
                if user.place > 0 { keys.append(orderKey: user.place, at: position) }
            } else {
                appendSurname(before: bytes[user.name], at: position)
            }
            return
        }
        if order.kind == .number {
            if let number = reader.sortNumber(of: field) { keys.append(orderKey: number, at: position) }
            return
        }
        let text = reader.text(of: field)
        if text.isEmpty { return }
        scratch.removeAll()
        collation.append(keyOf: text, to: scratch)
        keys.append(orderKey: scratch.bytes, at: position)
    }

    /// People with the same surname are sorted by their whole names.
    private func appendSurname(before name: UnsafeRawBufferPointer, at position: Int) {
        let surname = reader.surname
        if surname.isEmpty { return }
        scratch.removeAll()
        collation.append(keyOf: surname, then: name, to: scratch)
        keys.append(orderKey: scratch.bytes, at: position)
    }
}

/// The sort keys of one user in the order by name and in the directory's own orders, and in the order by login if the
/// handle is generated. They are encoded in ``UserBatch/Entry/keys`` and in the store.
///
/// Each key starts with a varint: twice the position of its order, plus 1 for numbers. The position is 0 for the order
/// by login, 1 for the order by name, and `2 + n` for order `n` of ``ShownSettings/orders``. Numbers follow as
/// zigzag varints, other keys as length and bytes: the folded login, and collation keys in all other orders by text.
/// Orders for which the user has no value have no key.
public enum OrderKeys {
    public static let loginPosition = 0
    public static let namePosition = 1

    /// The position of order `index` of ``ShownSettings/orders``.
    public static func position(ofOrder index: Int) -> Int { 2 + index }

    public enum Key {
        case number(Int64)
        case text(UnsafeRawBufferPointer)
    }
}

extension ByteBuffer {
    /// Appends the key of the order at `position`, encoded as ``OrderKeys`` describes.
    public func append(orderKey number: Int64, at position: Int) {
        append(varint: UInt64(position) << 1 | 1)
        append(signedVarint: number)
    }

    /// Appends a copy of `text`, which must not be in this buffer.
    public func append(orderKey text: UnsafeRawBufferPointer, at position: Int) {
        append(varint: UInt64(position) << 1)
        append(counted: text)
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the key of the order at `position`, from bytes as ``OrderKeys`` describes, or `nil` if they have none.
    public func orderKey(at position: Int) -> OrderKeys.Key? {
        var found: OrderKeys.Key?
        forEachOrderKey { other, key in
            if other == position { found = key }
            return found == nil
        }
        return found
    }

    /// Calls `body` with each key until it returns `false`. Stops at damaged bytes.
    public func forEachOrderKey(_ body: (_ position: Int, OrderKeys.Key) -> Bool) {
        var index = 0
        while let head = varint(at: &index) {
            let position = Int(truncatingIfNeeded: head >> 1)
            let key: OrderKeys.Key? =
                head & 1 == 1
                ? signedVarint(at: &index).map { .number($0) } : counted(at: &index).map { .text($0) }
            guard let key, body(position, key) else { return }
        }
    }
}

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

    /// No keys.
    public static let none = CollationStamp("")
}

/// Makes the keys of orders by text, other than by login. Belongs to one thread at a time.
public final class CollationKeys {
    private let collator: Collator?
    private let scratch = ByteBuffer(capacity: 512)
    /// What stands before and behind a surname.
    private let rest = ByteBuffer(capacity: 128)

    public init(language: String) { collator = Collator(Collation(language)) }

    /// Appends the key of UTF-8 text to `buffer`, which must not hold the text. Without ICU, the key is the folded
    /// text.
    public func append(keyOf text: UnsafeRawBufferPointer, to buffer: ByteBuffer) {
        if text.isEmpty || collator?.append(keyOf: text, to: buffer) == true { return }
        scratch.removeAll()
        let folded = scratch.append(folding: text)
        buffer.append(scratch.bytes[folded].cutToKey)
    }

    /// Appends the key of a text that is compared by `first`, and by `second` only among equal ones.
    public func append(keyOf first: UnsafeRawBufferPointer, then second: UnsafeRawBufferPointer, to buffer: ByteBuffer)
    {
        scratch.removeAll()
        scratch.append(first)
        Collation.separator.withUnsafeBytes { scratch.append($0) }
        scratch.append(second)
        if collator?.append(keyOf: scratch.bytes, to: buffer) == true { return }
        scratch.removeAll()
        _ = scratch.append(folding: first)
        // Sorts before all letters.
        scratch.append(1)
        _ = scratch.append(folding: second)
        buffer.append(scratch.bytes.cutToKey)
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

    /// Returns the key of `text`.
    public func key(of text: String) -> [UInt8] {
        let buffer = ByteBuffer(capacity: Collation.maxKeyBytes)
        var text = text
        text.withUTF8 { append(keyOf: UnsafeRawBufferPointer($0), to: buffer) }
        return Array(buffer.bytes)
    }

    /// Returns the key of a text that is compared by `first`, and by `second` only among equal ones.
    public func key(of first: String, then second: String) -> [UInt8] {
        let buffer = ByteBuffer(capacity: Collation.maxKeyBytes)
        let (first, second) = (Array(first.utf8), Array(second.utf8))
        first.withUnsafeBytes { first in
            second.withUnsafeBytes { append(keyOf: first, then: $0, to: buffer) }
        }
        return Array(buffer.bytes)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var cutToKey: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[..<Swift.min(count, Collation.maxKeyBytes)])
    }
}
