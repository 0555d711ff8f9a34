import Dispatch

/// The state of a database that a store has seen last. Confined to the queue of a ``Watcher``.
package protocol WatchedView: AnyObject {
    /// Looks for changes, and notes why that is impossible.
    func refreshNotingTrouble()
    /// Closes the connection.
    func close()
}

/// Looks for changes of a database four times a second, on a serial queue of its own.
package final class Watcher: Sendable {
    private let queue = DispatchQueue(label: "rollcall.store.watcher")
    private let parts: Parts

    /// Unchecked: a timer may be cancelled on any thread. The view is used by the thread that made it until the timer
    /// is activated, and then on the queue only.
    private struct Parts: @unchecked Sendable {
        let view: any WatchedView
        let timer: any DispatchSourceTimer
    }

    package init(_ view: any WatchedView) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let parts = Parts(view: view, timer: timer)
        self.parts = parts
        timer.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(250), leeway: .milliseconds(20))
        timer.setEventHandler { parts.view.refreshNotingTrouble() }
        timer.activate()
    }

    /// Looks for changes now, and waits for that.
    package func refresh() { queue.sync { parts.view.refreshNotingTrouble() } }

    /// Returns when the view is closed.
    deinit {
        parts.timer.cancel()
        // Without its handler, the timer does not keep itself.
        parts.timer.setEventHandler(handler: nil)
        queue.sync { parts.view.close() }
    }
}
