import Dispatch

extension Server {
    /// What shows that a server still works.
    public struct HealthCheck: Equatable, Sendable {
        /// The numbers of the event loops that took no turn in time.
        public var silentLoops: [Int] = []
        /// Whether work for `.later` would start at once.
        public var hasFreeWorker = true
        /// Pieces of such work that are done. With no free worker and no more done than the last time, the pool is stuck.
        public var finishedWork = 0
    }

    /// Asks every event loop for a turn, waits for that at most for `limit`, and tells what came of it. A server that is not
    /// running has no pulse.
    public func pulse(within limit: Duration) -> HealthCheck? {
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
