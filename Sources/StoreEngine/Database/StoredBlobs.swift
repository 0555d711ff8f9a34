import Base

/// The blobs of a directory's index in any database.
package struct StoredBlobs: BlobStorage {
    private let storage: any BlobStorage

    init(_ storage: any BlobStorage) { self.storage = storage }

    package func get(_ number: Int64, _ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
        try storage.get(number, body)
    }

    package func get(
        _ range: Range<Int64>, isDescending: Bool, _ body: (_ number: Int64, UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        try storage.get(range, isDescending: isDescending, body)
    }

    package func get(_ next: () throws -> Int64?, _ body: (UnsafeRawBufferPointer?) throws -> Bool) throws {
        try storage.get(next, body)
    }

    package func prepareToRead(_ need: @autoclosure () -> BlobNeed) throws { try storage.prepareToRead(need()) }

    package func put(_ bytes: UnsafeRawBufferPointer, at number: Int64, isNew: Bool) throws {
        try storage.put(bytes, at: number, isNew: isNew)
    }

    package func add(_ bytes: UnsafeRawBufferPointer) throws -> Int64 { try storage.add(bytes) }

    package func delete(_ range: Range<Int64>) throws { try storage.delete(range) }
}

extension StoreConnection {
    /// The blobs of a directory's index.
    package func storage(_ table: BlobTable, of directory: Int64) -> StoredBlobs {
        StoredBlobs(blobs(table, of: directory))
    }
}
