import Synchronization

/// A number that one thread changes and any may read.
///
/// A change is a load, an addition and a store, without a locked instruction: nothing that a request could feel. Who reads
/// while it changes sees it before or after.
public final class Counter: Sendable {
    @usableFromInline let number = Atomic<Int>(0)

    public init() {}

    @inlinable public var value: Int { number.load(ordering: .relaxed) }

    /// From the one thread that this belongs to.
    @inlinable public func add(_ amount: Int) { set(value &+ amount) }

    /// From the one thread that this belongs to.
    @inlinable public func set(_ value: Int) { number.store(value, ordering: .relaxed) }
}

/// A row of ``Counter``s, side by side in memory.
///
/// `@unchecked Sendable`: the pointer never changes while this lives, and what it points to are atomic numbers.
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

    /// From the one thread that these belong to.
    @inlinable public func add(_ amount: Int, at index: Int) {
        numbers[index].store(self[index] &+ amount, ordering: .relaxed)
    }
}

/// A number that any thread adds to: for what happens rarely.
public final class SharedCounter: Sendable {
    private let number = Atomic<Int>(0)

    public init() {}

    public var value: Int { number.load(ordering: .relaxed) }

    public func add(_ amount: Int) { number.wrappingAdd(amount, ordering: .relaxed) }
}
