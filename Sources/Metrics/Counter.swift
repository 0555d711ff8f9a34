import Base
import Synchronization

/// A number that one thread changes and any thread may read, as those of a ``CounterRow``.
public final class Counter: Sendable {
    @usableFromInline let number = Atomic<Int>(0)

    public init() {}

    @inlinable public var value: Int { number.load(ordering: .relaxed) }

    /// Adds to the value. Only the owning thread may call it.
    @inlinable public func add(_ amount: Int) { set(value &+ amount) }

    /// Sets the value. Only the owning thread may call it.
    @inlinable public func set(_ value: Int) { number.store(value, ordering: .relaxed) }
}

/// A number that any thread may add to, for rare events.
public final class SharedCounter: Sendable {
    private let number = Atomic<Int>(0)

    public init() {}

    public var value: Int { number.load(ordering: .relaxed) }

    public func add(_ amount: Int) { number.wrappingAdd(amount, ordering: .relaxed) }
}

extension CounterRow {
    /// Adds a duration to the histogram that begins at `index`. Only the owning thread may call it.
    @inlinable public func add(duration nanoseconds: Int, at index: Int) {
        // Nearly all frequent durations are in the first bucket; only the others are looked up.
        let bucket = nanoseconds <= 50_000 ? 0 : Self.bucket(of: nanoseconds)
        add(1, at: index + bucket)
        add(nanoseconds, at: index + 18)
    }

    @usableFromInline static func bucket(of nanoseconds: Int) -> Int {
        Histogram.bounds.firstIndex { nanoseconds <= $0 } ?? Histogram.bounds.count
    }
}
