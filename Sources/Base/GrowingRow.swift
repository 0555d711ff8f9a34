/// Values that are adjacent in memory, to which others are added at the end. Every index is checked.
///
/// Raw memory, because an array checks at each store whether it is shared. A class, because a structure would be a
/// property whose exclusive use is checked in its place.
@safe public final class GrowingRow<Value: BitwiseCopyable> {
    // Unchecked exclusivity: each access is a single load or store, and none lasts while other code runs. A row belongs
    // to one thread at a time.
    @exclusivity(unchecked) @usableFromInline var memory: UnsafeMutableBufferPointer<Value>
    @exclusivity(unchecked) @usableFromInline var length = 0

    @inlinable public init(capacity: Int) { memory = .allocate(capacity: capacity) }

    deinit { memory.deallocate() }

    @inlinable public var count: Int { length }

    /// Removes all values and keeps the memory.
    @inlinable public func removeAll() { length = 0 }

    @inlinable public subscript(index: Int) -> Value {
        get {
            precondition(isValid(index))
            return memory[index]
        }
        set {
            precondition(isValid(index))
            memory[index] = newValue
        }
    }

    /// Whether there is a value at `index`. One comparison: a negative index becomes a very large one.
    @inlinable func isValid(_ index: Int) -> Bool { UInt(bitPattern: index) < UInt(bitPattern: count) }

    /// Adds `value` so many times.
    @inlinable public func append(repeating value: Value, count more: Int) {
        reserve(more)
        memory[count..<(count + more)].update(repeating: value)
        length += more
    }

    @inlinable public func append(_ values: [Value]) {
        reserve(values.count)
        _ = memory[count..<(count + values.count)].update(fromContentsOf: values)
        length += values.count
    }

    @inlinable func reserve(_ more: Int) {
        guard memory.count - count < more else { return }
        let larger = UnsafeMutableBufferPointer<Value>.allocate(capacity: max(count + more, 2 * memory.count))
        _ = larger.update(fromContentsOf: memory[..<count])
        memory.deallocate()
        memory = larger
    }

    /// Calls `body` with the values. It must not add others.
    @inlinable public func withSpan<Result>(_ body: (Span<Value>) throws -> Result) rethrows -> Result {
        try body(UnsafeMutableBufferPointer(rebasing: memory[..<count]).span)
    }
}

/// Calls `body` with `count` copies of `value`, on the stack if they are few.
@inlinable public func withTemporaryRow<Value: BitwiseCopyable, Result>(
    repeating value: Value, count: Int, _ body: (inout MutableSpan<Value>) throws -> Result
) rethrows -> Result {
    try withUnsafeTemporaryAllocation(of: Value.self, capacity: count) { memory in
        memory.initialize(repeating: value)
        var span = memory.mutableSpan
        return try body(&span)
    }
}
