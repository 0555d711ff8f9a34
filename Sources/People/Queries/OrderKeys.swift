import Base

/// The sort keys of one user in the order by name and in the directory's own orders, and in the order by login if the
/// handle is generated. They are encoded in ``UserToWrite/keys`` and in the store.
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
