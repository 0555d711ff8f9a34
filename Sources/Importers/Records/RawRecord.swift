import Base

/// A record as a reader finds it in a file, before anything is known of the meaning of its members. The bytes are valid
/// until the reader goes on.
enum RawRecord {
    /// A JSON object.
    ///
    /// - `uid`: A text that identifies the person unless the settings name a key, such as the UID of a vCard; empty
    ///   without one.
    /// - `loss`: Something of the person that is not imported.
    case object(UnsafeRawBufferPointer, uid: String = "", loss: ImportLosses.Loss? = nil)
    /// The cells of a table's row, in UTF-8.
    ///
    /// - `isLeftOut`: Whether the row is hidden in its sheet. It adds nobody, and
    ///   changes nobody who is in the directory.
    case row([UnsafeRawBufferPointer], CSVHeader, isLeftOut: Bool = false)
}
