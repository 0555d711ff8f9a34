import Synchronization

/// Numbers that are adjacent in memory, which any thread may read and set, one at a time.
///
/// Unchecked: the pointer and the count never change, and the numbers are atomic. The memory is freed with the row,
/// which has one owner.
public struct AtomicRow: ~Copyable, @unchecked Sendable {
    public let count: Int
    @usableFromInline let numbers: UnsafeMutablePointer<Atomic<Int>>

    /// All numbers are 0 at first.
    public init(count: Int) {
        self.count = count
        numbers = .allocate(capacity: count)
        for index in 0..<count { (numbers + index).initialize(to: Atomic(0)) }
    }

    deinit {
        numbers.deinitialize(count: count)
        numbers.deallocate()
    }

    /// Without an order between this number and other memory.
    @inlinable public subscript(index: Int) -> Int {
        get {
            precondition(index >= 0 && index < count)
            return numbers[index].load(ordering: .relaxed)
        }
        nonmutating set {
            precondition(index >= 0 && index < count)
            numbers[index].store(newValue, ordering: .relaxed)
        }
    }
}
