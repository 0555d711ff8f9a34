/// A table of numbered blobs in which an index keeps its data.
///
/// The indexes know no database. A store implements this protocol with tables of its own, and every call takes part in
/// the transaction that the store has open. A storage belongs to one thread at a time. The bytes that a closure
/// receives are valid until it returns.
package protocol BlobStorage {
    /// Calls `body` with the blob that has `number`. Returns `false` if it does not exist.
    func get(_ number: Int64, _ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool

    /// Calls `body` with each blob whose number is in `range`, in ascending or descending order of numbers, until
    /// `body` returns `false`.
    func get(
        _ range: Range<Int64>, isDescending: Bool, _ body: (_ number: Int64, UnsafeRawBufferPointer) throws -> Bool
    ) throws

    /// Calls `body` with the blobs that `next` names, one after the other, until `next` returns `nil` or `body` returns
    /// `false`. The bytes are `nil` for a number without a blob.
    ///
    /// Cheaper than as many calls for one blob. A storage may ask `next` for several numbers before it calls `body`,
    /// but not again after `nil`.
    func get(_ next: () throws -> Int64?, _ body: (UnsafeRawBufferPointer?) throws -> Bool) throws

    /// Says what the next calls will read. A storage to which each call is a round trip reads all of it at once, and
    /// answers these calls from memory.
    func prepareToRead(_ need: @autoclosure () -> BlobNeed) throws

    /// Saves a blob under `number`, in place of one that is there.
    ///
    /// An index calls this for many blobs in a transaction. A storage may collect them and write them together, as long
    /// as the other methods see them.
    func put(_ bytes: UnsafeRawBufferPointer, at number: Int64) throws

    /// Saves a blob under a number that no other blob has, and returns that number.
    func add(_ bytes: UnsafeRawBufferPointer) throws -> Int64

    /// Deletes the blobs whose numbers are in `range`.
    func delete(_ range: Range<Int64>) throws
}

/// Blobs that an index is about to read. See ``BlobStorage/prepareToRead(_:)``.
package enum BlobNeed {
    /// All blobs of these ranges.
    case ranges([Range<Int64>])
    /// The blob with the highest number in each of these ranges.
    case last(of: [Range<Int64>])
    case numbers([Int64])
}

extension BlobStorage {
    /// Does nothing: for a storage in the same process.
    package func prepareToRead(_ need: @autoclosure () -> BlobNeed) throws {}
}
