import Dispatch
import HTTPServer
import Logging

/// Tells the supervisor that all is well, as long as it is: every event loop takes its turns, and the pool gets work done. One
/// that hears nothing for its interval ends the process and starts another.
///
/// `@unchecked Sendable`: what changes is used on `queue` only.
final class Watchdog: @unchecked Sendable {
    private let queue = DispatchQueue(label: "rollcall.watchdog")
    private let timer: any DispatchSourceTimer
    private let server: Server
    private let supervisor: SystemdNotifier
    private let logger: Logger
    private var finishedWork = -1

    /// `nil` where the supervisor does not ask.
    init?(_ supervisor: SystemdNotifier, _ server: Server, logger: Logger) {
        guard let interval = supervisor.watchdogInterval else { return nil }
        self.server = server
        self.supervisor = supervisor
        self.logger = logger
        timer = DispatchSource.makeTimerSource(queue: queue)
        // Twice as often as it must be, as sd_watchdog_enabled(3) advises; with half of that for the loops to answer.
        let (seconds, attoseconds) = (interval / 2).components
        let half = DispatchTimeInterval.nanoseconds(Int(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
        timer.schedule(deadline: .now(), repeating: half)
        timer.setEventHandler { [weak self] in self?.look(within: interval / 4) }
        timer.activate()
    }

    deinit { timer.cancel() }

    private func look(within limit: Duration) {
        guard let pulse = server.pulse(within: limit) else { return }
        let isPoolStuck = !pulse.hasFreeWorker && pulse.finishedWork == finishedWork
        finishedWork = pulse.finishedWork
        if pulse.silentLoops.isEmpty, !isPoolStuck { return supervisor.tell("WATCHDOG=1") }
        let what = isPoolStuck ? "the worker pool" : "event loop \(pulse.silentLoops)"
        logger.critical("does not answer: \(what)")
    }
}
