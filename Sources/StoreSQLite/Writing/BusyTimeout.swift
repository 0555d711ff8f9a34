import Foundation

/// How long a writer waits for another process that writes. Transactions of imports take a fraction of a second; what keeps
/// the database longer than that is somebody's open shell, or stuck.
public struct BusyTimeout: Sendable {
    /// Shorter than two pauses of a writer between its transactions: see ``SQLiteWriter``.
    private static let pause = 0.003
    /// In seconds.
    private let limit: Double
    /// Told once of each wait that lasts longer than a second.
    private let notice: @Sendable () -> Void
    private var isOver: @Sendable () -> Bool = { false }

    /// - Parameter limit: In seconds.
    public init(limit: Int = 60, notice: @escaping @Sendable () -> Void = {}) {
        self.limit = Double(limit)
        self.notice = notice
    }

    /// The same until `isOver`.
    public func ending(when isOver: @escaping @Sendable () -> Bool) -> BusyTimeout {
        var patience = self
        patience.isOver = isOver
        return patience
    }

    /// What `attempt` answers when it first answers something, however often that takes; `nil` where patience ends before.
    func first<Result>(_ attempt: () throws -> Result?) rethrows -> Result? {
        var tries = 0
        while true {
            if let result = try attempt() { return result }
            tries += 1
            guard waits(afterTries: tries) else { return nil }
        }
    }

    /// Whether to try again, after so many tries; pauses before that.
    func waits(afterTries count: Int) -> Bool {
        let waited = Double(count) * Self.pause
        if waited >= limit || isOver() { return false }
        if count == Int(1 / Self.pause) { notice() }
        Thread.sleep(forTimeInterval: Self.pause)
        return true
    }
}
