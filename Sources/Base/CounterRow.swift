import Synchronization

/// Numbers that are adjacent in memory. One thread changes them, and any thread may read them.
///
/// A change is a load, an addition and a store, without an atomic read-modify-write instruction, so its cost is
/// negligible. A concurrent reader sees the value before or after the change.
///
/// Unchecked: the pointer and the count never change, and the numbers are atomic. The memory is freed with the row,
/// when nobody has it any more.
@safe public final class CounterRow: @unchecked Sendable {
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

    @inlinable public subscript(index: Int) -> Int {
        precondition(index >= 0 && index < count)
        return numbers[index].load(ordering: .relaxed)
    }

    /// Adds to one number. Only the owning thread may call it.
    @inlinable public func add(_ amount: Int, at index: Int) {
        precondition(index >= 0 && index < count)
        numbers[index].store(numbers[index].load(ordering: .relaxed) &+ amount, ordering: .relaxed)
    }
}
