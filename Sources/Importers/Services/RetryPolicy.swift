import Foundation

/// The limits on retries and pauses.
public struct RetryPolicy: Sendable {
    /// The number of retries of a failed request.
    public var retries = 3
    /// The pause before the first retry; it doubles with each further one. `nil` for the service's own value.
    public var retryPause: Duration?
    /// The longest pause. Before a longer one the import ends and reports when to come back.
    public var maxWait = Duration.seconds(900)
    /// The number of retries of a request that exceeded a limit: after a minute, then after twice as long each time.
    let limits = 3
    /// Returns a random number from 0 to 1.
    public var chance: @Sendable () -> Double = { Double.random(in: 0...1) }

    public init() {}

    /// Returns the pause before retry `number`, counted from 0, if the first pause is `pause`; `nil` after the last
    /// retry. Adds up to a half at random, so that clients that failed together do not return together.
    func pause(beforeRetry number: Int, _ pause: Duration) -> Duration? {
        number < retries ? pause * (1 << number) * (1 + chance() / 2) : nil
    }

    /// Returns the pause before retry `number` of a request that exceeded a limit; `nil` after the last retry.
    func pause(beforeLimited number: Int) -> Duration? {
        number < limits ? .seconds(60) * (1 << number) : nil
    }
}
