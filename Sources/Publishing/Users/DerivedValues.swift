import Base
import People

/// Derives the values that people are searched, sorted and filtered by: the lines of the searched text after
/// login and name, the keys of the order by name and of the settings' orders, and the values of filters.
///
/// The reading thread of an import does this for each user; the store does it when the settings of a directory change.
final class DerivedValues {
    private let settings: ShownSettings
    private let reader: FieldReader
    private lazy var collation = CollationKeys(language: settings.language)
    let nameVariants: NameVariants
    /// The lines of fields in the ``SearchedText``. Each begins with a line feed.
    let lines = ByteBuffer(capacity: 512)
    /// The lines of their variants.
    let variants = ByteBuffer(capacity: 128)
    /// Other orders of a name in the scripts of East Asia.
    private(set) var turnedNames: [String] = []
    /// See ``OrderKeys``.
    let keys = ByteBuffer(capacity: 128)
    /// See ``UserToWrite/filters``.
    let filters = ByteBuffer(capacity: 256)
    private let scratch = ByteBuffer(capacity: 256)

    init(_ settings: ShownSettings) {
        self.settings = settings
        reader = FieldReader(settings)
        nameVariants = NameVariants(language: settings.language)
    }

    func derive(_ user: UserToWrite, in bytes: UnsafeRawBufferPointer) {
        lines.removeAll()
        variants.removeAll()
        keys.removeAll()
        filters.removeAll()
        turnedNames = []
        reader.read(user.columns.bytes(in: bytes))
        // The first byte of a letter of East Asia is at least that of U+1000.
        if let last = settings.lastName.map(reader.text), let first = last.first, first >= 0xE1 {
            turnedNames = EastAsianName.variants(
                of: String(decoding: bytes[user.name], as: UTF8.self), last: String(decoding: last, as: UTF8.self))
        }
        if !user.name.isEmpty, let reading = settings.nameReading.map(reader.text), !reading.isEmpty {
            append(reading, then: bytes[user.name], at: OrderKeys.namePosition)
        } else {
            appendNameKey(of: user, bytes, to: keys)
        }
        reader.forEachSearchLine { line in
            lines.append(UInt8(ascii: "\n"))
            let loose = lines.append(loose: line)
            for variant in nameVariants.all(of: line, loose: lines.bytes[loose]) {
                variants.append(variant: variant, mark: SearchedText.fieldVariant)
            }
        }
        for (index, order) in settings.orders.enumerated() { appendKey(of: user, order, index, bytes) }
        for (index, field) in settings.filters.enumerated() {
            reader.forEachFilterValue(of: field) { value in
                filters.append(varint: UInt64(index))
                filters.append(counted: value)
            }
        }
    }

    /// Appends the key of the order by name, without a reading, to `keys`. Users without a name are sorted by login.
    func appendNameKey(of user: UserToWrite, _ bytes: UnsafeRawBufferPointer, to keys: ByteBuffer) {
        let name = bytes[user.name.isEmpty ? user.login : user.name]
        append(name, at: OrderKeys.namePosition, to: keys) {
            collation.append(keyOf: name, surname: settings.wholeNameSurname, to: scratch)
        }
    }

    private func appendKey(
        of user: UserToWrite, _ order: FieldOrder, _ index: Int, _ bytes: UnsafeRawBufferPointer
    ) {
        let position = OrderKeys.position(ofOrder: index)
        guard let field = order.field else {
            if order.key == "place" {
                if user.place > 0 { keys.append(orderKey: user.place, at: position) }
            } else {
                // People with the same surname are sorted by their whole names.
                append(reader.surname, then: bytes[user.name], at: position)
            }
            return
        }
        if order.kind == .number {
            if let number = reader.sortNumber(of: field) { keys.append(orderKey: number, at: position) }
            return
        }
        let text = reader.text(of: field)
        append(text, at: position, to: keys) { collation.append(keyOf: text, to: scratch) }
    }

    /// Appends the key of a text that is compared by `text`, and by `rest` only among equal ones.
    private func append(_ text: UnsafeRawBufferPointer, then rest: UnsafeRawBufferPointer, at position: Int) {
        append(text, at: position, to: keys) { collation.append(keyOf: text, then: rest, to: scratch) }
    }

    /// Appends the key that `makeKey` makes of `text` in ``scratch``. A text that is empty has none.
    private func append(
        _ text: UnsafeRawBufferPointer, at position: Int, to keys: ByteBuffer, _ makeKey: () -> Void
    ) {
        if text.isEmpty { return }
        scratch.removeAll()
        makeKey()
        keys.append(orderKey: scratch.bytes, at: position)
    }
}
