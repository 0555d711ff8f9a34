import Base
import Testing

@testable import People

@Suite("Keys of orders")
struct OrderKeysTests {
    /// Checks that `key` can be read again beside other keys, and returns the number of bytes that it takes.
    private func bytes(_ key: Int64) -> Int {
        let keys = ByteBuffer()
        Array("ada".utf8).withUnsafeBytes { keys.append(orderKey: $0, at: OrderKeys.namePosition) }
        let start = keys.count
        keys.append(orderKey: key, at: 8)
        let end = keys.count
        keys.append(orderKey: 7, at: 9)
        guard case .number(let read) = keys.bytes.orderKey(at: 8) else { return 0 }
        #expect(read == key)
        #expect(keys.bytes.orderKey(at: 2) == nil)
        return end - start
    }

    /// Those of a field with numbers.
    @Test(
        arguments: [
            (0, 2), (1, 2), (-64, 2), (101, 3), (8_191, 3), (-8_192, 3), (12_345, 4), (1_500_000, 5), (0.5, 10),
            (-1.25, 10), (1e300, 11), (1e18, 10),
        ] as [(Double, Int)])
    func thoseOfWholeNumbersAreShort(_ number: Double, _ count: Int) {
        #expect(bytes(FieldNumber.sortKey(number)) == count)
    }

    /// Days since 1970, and places in a file.
    @Test(arguments: [(1, 2), (-1, 2), (20_000, 4), (1_000_000, 4), (.max, 11), (.min + 1, 11)] as [(Int64, Int)])
    func thoseOfDatesAndPlacesAreThemselves(_ key: Int64, _ count: Int) { #expect(bytes(key) == count) }
}
