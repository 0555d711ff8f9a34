import Synchronization

/// A number that several threads add to.
public final class Counter: Sendable {
    private let count: Mutex<Int>
    public var value: Int { count.withLock { $0 } }

    public init(_ start: Int = 0) { count = Mutex(start) }

    @discardableResult public func add(_ amount: Int = 1) -> Int {
        count.withLock {
            $0 += amount
            return $0
        }
    }
}
