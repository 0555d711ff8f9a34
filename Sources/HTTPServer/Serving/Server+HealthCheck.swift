import Dispatch

extension Server {
    /// The signs that a server still works.
    public struct HealthCheck: Equatable, Sendable {
        /// The numbers of the event loops that did not run in time.
        public var silentLoops: [Int] = []
        /// Whether work for `.later` would start at once.
        public var hasFreeWorker = true
        /// The number of finished pieces of such work. If no worker is free and the number has not grown since the last
        /// check, the pool is stuck.
        public var finishedWork = 0
    }

    /// Asks every event loop to run a closure, waits for all of them for at most `limit`, and returns the result, or
    /// `nil` if the server is not running.
    public func healthCheck(within limit: Duration) -> HealthCheck? {
        guard let parts = running() else { return nil }
        let turns = parts.loops.map { loop in
            let turn = DispatchSemaphore(value: 0)
            loop.perform { turn.signal() }
            return turn
        }
        let deadline = DispatchTime.now() + .milliseconds(Int(limit.wholeMilliseconds))
        let silent = turns.indices.filter { turns[$0].wait(timeout: deadline) == .timedOut }
        let (hasIdle, finished) = parts.pool.progress
        return HealthCheck(silentLoops: Array(silent), hasFreeWorker: hasIdle, finishedWork: finished)
    }
}
