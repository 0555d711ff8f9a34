import Foundation

/// How long a writer waits for another process that writes. Transactions of imports take a fraction of a second. A
/// process that keeps the database locked for longer is an open shell, or stuck.
public struct BusyTimeout: Sendable {
    /// In seconds; less than the pause of a writer between its transactions (``SQLiteWriter``).
    private static let pause = 0.003
    /// In seconds.
    private let limit: Double
    /// Called once for each wait that lasts longer than a second.
    private let notice: @Sendable () -> Void
    private var isOver: @Sendable () -> Bool = { false }

    /// - Parameter limit: In seconds.
    public init(limit: Int = 60, notice: @escaping @Sendable () -> Void = {}) {
        self.limit = Double(limit)
        self.notice = notice
    }

    /// The same timeout, which ends early when `isOver` returns `true`.
    public func ending(when isOver: @escaping @Sendable () -> Bool) -> BusyTimeout {
        var busyTimeout = self
        busyTimeout.isOver = isOver
        return busyTimeout
    }

    /// Repeats `attempt` until it returns a result. Returns `nil` if the time is over before.
    func first<Result>(_ attempt: () throws -> Result?) rethrows -> Result? {
        var tries = 0
        while true {
            if let result = try attempt() { return result }
            tries += 1
            guard waits(afterTries: tries) else { return nil }
        }
    }

    /// Pauses, and returns whether to try again after `count` tries.
    func waits(afterTries count: Int) -> Bool {
        let waited = Double(count) * Self.pause
        if waited >= limit || isOver() { return false }
        if count == Int(1 / Self.pause) { notice() }
        Thread.sleep(forTimeInterval: Self.pause)
        return true
    }
}
