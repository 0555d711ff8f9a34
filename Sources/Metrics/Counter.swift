import Glibc
import Synchronization

/// A number that one thread changes and any thread may read.
///
/// A change is a load, an addition and a store, without an atomic read-modify-write instruction, so its cost is
/// negligible. A concurrent reader sees the value before or after the change.
public final class Counter: Sendable {
    @usableFromInline let number = Atomic<Int>(0)

    public init() {}

    @inlinable public var value: Int { number.load(ordering: .relaxed) }

    /// Adds to the value. Only the owning thread may call it.
    @inlinable public func add(_ amount: Int) { set(value &+ amount) }

    /// Sets the value. Only the owning thread may call it.
    @inlinable public func set(_ value: Int) { number.store(value, ordering: .relaxed) }
}

/// An array of ``Counter``s, adjacent in memory.
///
/// Unchecked: the pointer never changes during the life of the object, and it points to atomic numbers.
public final class CounterRow: @unchecked Sendable {
    public let count: Int
    @usableFromInline let numbers: UnsafeMutablePointer<Atomic<Int>>

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
        numbers[index].store(self[index] &+ amount, ordering: .relaxed)
    }
}

/// A number that any thread may add to, for rare events.
public final class SharedCounter: Sendable {
    private let number = Atomic<Int>(0)

    public init() {}

    public var value: Int { number.load(ordering: .relaxed) }

    public func add(_ amount: Int) { number.wrappingAdd(amount, ordering: .relaxed) }
}

/// The monotonic clock that measures durations.
public enum Clock {
    /// Nanoseconds since some moment in the past. Read without a system call, in about 20 ns.
    public static var nanoseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
