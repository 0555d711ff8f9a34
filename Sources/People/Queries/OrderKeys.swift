import Base

/// The sort keys of one user in the order by name and in the directory's own orders, and in the order by login if the
/// handle is generated. They are encoded in ``UserToWrite/keys`` and in the store.
///
/// Each key starts with a byte: four times the position of its order, plus 1 for numbers, or plus 3 for the sort key
/// of a whole number (``FieldNumber``), which is stored as that number: in two bytes instead of ten, if it is below
/// 8,192. The position is 0 for the order by login, 1 for the order by name, and `2 + n` for order `n` of
/// ``ShownSettings/orders``. Numbers follow as zigzag varints, other keys as length and bytes: the folded login, and
/// collation keys in all other orders by text. Orders for which the user has no value have no key.
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
        let whole = FieldNumber.wholeNumber(ofSortKey: number)
        append(UInt8(position) << 2 | (whole == nil ? 1 : 3))
        append(signedVarint: whole ?? number)
    }

    /// Appends a copy of `text`, which must not be in this buffer.
    public func append(orderKey text: UnsafeRawBufferPointer, at position: Int) {
        append(UInt8(position) << 2)
        append(counted: text)
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the key of the order at `position`, from bytes as ``OrderKeys`` describes, or `nil` if they have none
    /// before any damage.
    public func orderKey(at position: Int) -> OrderKeys.Key? {
        var index = 0
        while index < count {
            let (isFound, kind) = (Int(self[index] >> 2) == position, self[index] & 3)
            index += 1
            // Only the key that is found is made.
            guard let value = varint(at: &index) else { return nil }
            if kind == 0 {
                guard value <= UInt64(count - index) else { return nil }
                let text = index..<index + Int(value)
                if isFound { return .text(UnsafeRawBufferPointer(rebasing: self[text])) }
                index = text.upperBound
            } else if isFound {
                let number = Int64(zigzag: value)
                return .number(kind == 1 ? number : FieldNumber.sortKey(Double(number)))
            }
        }
        return nil
    }
}
