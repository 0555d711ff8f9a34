import Dispatch
import Logging
import Server

/// Sends keep-alive messages to the supervisor while every event loop responds and the worker pool makes progress. A
/// supervisor that receives none for its interval restarts the process.
///
/// Unchecked: the state that changes is used on `queue` only. The rest are constants, and Dispatch allows a timer to be
/// cancelled on any thread.
final class Watchdog: @unchecked Sendable {
    private let queue = DispatchQueue(label: "rollcall.watchdog")
    private let timer: any DispatchSourceTimer
    private let server: Server
    private let supervisor: SystemdNotifier
    private let logger: Logger
    private var finishedWork = -1

    /// Returns `nil` if the supervisor expects no keep-alive messages.
    init?(_ supervisor: SystemdNotifier, _ server: Server, logger: Logger) {
        guard let interval = supervisor.watchdogInterval else { return nil }
        self.server = server
        self.supervisor = supervisor
        self.logger = logger
        timer = DispatchSource.makeTimerSource(queue: queue)
        // Twice as often as required, as sd_watchdog_enabled(3) advises. The loops have half of that time to respond.
        timer.schedule(deadline: .now(), repeating: .nanoseconds(Int(interval / 2 / .nanoseconds(1))))
        timer.setEventHandler { [self] in look(within: interval / 4) }
        timer.activate()
    }

    /// Stops looking, and waits for a look that has begun.
    func stop() {
        timer.cancel()
        queue.sync {}
    }

    private func look(within limit: Duration) {
        guard let healthCheck = server.healthCheck(within: limit) else { return }
        let isPoolStuck = !healthCheck.hasFreeWorker && healthCheck.finishedWork == finishedWork
        finishedWork = healthCheck.finishedWork
        if healthCheck.silentLoops.isEmpty, !isPoolStuck { return supervisor.tell("WATCHDOG=1") }
        let what = isPoolStuck ? "the worker pool" : "event loop \(healthCheck.silentLoops)"
        logger.critical("does not answer: \(what)")
    }
}
