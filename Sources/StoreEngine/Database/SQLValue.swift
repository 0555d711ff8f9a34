/// A value of a column. Its bytes are kept (`[UInt8]`), or borrowed for a call (`UnsafeRawBufferPointer`).
package enum SQLValue<Bytes> {
    case number(Int64)
    /// In UTF-8.
    case text(Bytes)
    case blob(Bytes)
}
