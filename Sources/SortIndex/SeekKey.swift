import Base

/// A key with its own copy of the text: the position in an order from which a scan starts.
package struct SeekKey {
    package let key: SortKey
    /// The text of `key`.
    package let text: [UInt8]

    package init(number: Int64, id: Int64) {
        key = SortKey(number: number, id: id)
        text = []
    }

    package init(text: [UInt8], id: Int64) {
        self.text = text
        key = text.withUnsafeBytes { SortKey(text: ByteSlice(offset: 0, count: $0.count), in: $0, id: id) }
    }

    /// The owned copy of `key`, whose text is in `bytes`.
    package init(_ key: SortKey, in bytes: UnsafeRawBufferPointer, kind: SortKey.Kind) {
        if kind == .text {
            self.init(text: Array(bytes[key.text]), id: key.id)
        } else {
            self.init(number: key.number, id: key.id)
        }
    }
}
