import Foundation

/// A clock that can wait. Tests use one that does not take real time.
public struct ImportClock: Sendable {
    public var now: @Sendable () -> Date
    /// Waits for `duration`, or until `whileWaiting`, which is called a few times a second, throws.
    public var wait: @Sendable (_ duration: Duration, _ whileWaiting: () throws -> Void) throws -> Void

    public init(
        now: @escaping @Sendable () -> Date,
        wait: @escaping @Sendable (_ duration: Duration, _ whileWaiting: () throws -> Void) throws -> Void
    ) {
        self.now = now
        self.wait = wait
    }

    /// The system's clock.
    public static let system = ImportClock(now: { Date() }) { duration, whileWaiting in
        let end = ContinuousClock.now + duration
        while true {
            try whileWaiting()
            let left = end - ContinuousClock.now
            if left <= .zero { return }
            // 200 ms: soon enough for Ctrl-C and for the clock on a terminal.
            Thread.sleep(forTimeInterval: min(left, .milliseconds(200)) / .seconds(1))
        }
    }
}
