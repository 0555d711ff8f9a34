import Base
import CPostgreSQL

/// An array in PostgreSQL's binary form, for parameters: `= ANY(?)`, `unnest(?)`.
package final class PostgresArray {
    /// The types of the array and of its elements.
    let type: Oid
    private let elementType: Oid
    private let buffer = ByteBuffer(capacity: 1024)
    package private(set) var count = 0
    /// The number of dimensions, whether there are `NULL`s, the type of the elements, and, unless the array is empty,
    /// the length and the lower bound of the dimension: four bytes each.
    private static let headerCount = 20

    private init(_ type: Oid, of elementType: Oid) {
        (self.type, self.elementType) = (type, elementType)
        removeAll()
    }

    package static func ofNumbers() -> PostgresArray { PostgresArray(PostgresType.int8Array, of: PostgresType.int8) }
    package static func ofBlobs() -> PostgresArray { PostgresArray(PostgresType.byteaArray, of: PostgresType.bytea) }

    package func removeAll() {
        buffer.removeAll()
        for _ in 0..<Self.headerCount { buffer.append(0 as UInt8) }
        count = 0
    }

    package func append(_ number: Int64) {
        buffer.append(word: 8)
        buffer.append(bigEndian: number)
        count += 1
    }

    package func append(_ bytes: UnsafeRawBufferPointer) {
        buffer.append(word: Int32(bytes.count))
        buffer.append(bytes)
        count += 1
    }

    /// The binary form, valid until the array changes.
    var bytes: UnsafeRawBufferPointer {
        let words: [Int32] = [count > 0 ? 1 : 0, 0, Int32(elementType), Int32(count), 1]
        for (index, word) in words.enumerated() {
            buffer.base.storeBytes(of: word.bigEndian, toByteOffset: 4 * index, as: Int32.self)
        }
        return count > 0 ? buffer.bytes : UnsafeRawBufferPointer(rebasing: buffer.bytes[..<12])
    }
}
