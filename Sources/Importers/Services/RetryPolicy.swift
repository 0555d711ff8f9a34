import Foundation

/// How long an import puts up with a service that fails.
public struct RetryPolicy: Sendable {
    /// How often a request that failed is tried again.
    public var retries = 3
    /// Before the first of these; each further one comes after twice as long. `nil` for what suits the service.
    public var retryPause: Duration?
    /// Longer than this is not waited; the import ends and says when to come back.
    public var maxWait = Duration.seconds(900)
    /// How often a request that came too often is made again, a minute later and each time twice as long.
    let limits = 3
    /// A number from 0 to 1, another one each time.
    public var chance: @Sendable () -> Double = { Double.random(in: 0...1) }

    public init() {}

    /// How long to wait before retry `number`, counted from 0, of what waits `pause` at first; `nil` if it is one too many. Up to
    /// a half more than that, by chance, so that clients that failed together do not come back together.
    func pause(beforeRetry number: Int, _ pause: Duration) -> Duration? {
        number < retries ? pause * (1 << number) * (1 + chance() / 2) : nil
    }

    /// The same after an answer that says that it was too often.
    func pause(beforeLimited number: Int) -> Duration? {
        number < limits ? .seconds(60) * (1 << number) : nil
    }
}

/// The time, and waiting for it: a test's goes as fast as it likes.
public struct ImportClock: Sendable {
    public var now: @Sendable () -> Date
    /// Waits for so long, or until `whileWaiting`, which is called a few times a second, throws.
    public var wait: @Sendable (_ duration: Duration, _ whileWaiting: () throws -> Void) throws -> Void

    public init(
        now: @escaping @Sendable () -> Date,
        wait: @escaping @Sendable (_ duration: Duration, _ whileWaiting: () throws -> Void) throws -> Void
    ) {
        self.now = now
        self.wait = wait
    }

    /// The system's.
    public static let system = ImportClock(now: { Date() }) { duration, whileWaiting in
        let end = ContinuousClock.now + duration
        while true {
            try whileWaiting()
            let left = end - ContinuousClock.now
            if left <= .zero { return }
            // 200 ms: soon enough for a Ctrl-C and for a clock on a terminal.
            Thread.sleep(forTimeInterval: min(left, .milliseconds(200)) / .seconds(1))
        }
    }
}
