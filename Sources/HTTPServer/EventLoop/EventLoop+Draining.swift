/// The end of a loop's service.
extension EventLoop {
    /// Closes what is idle for long, has a last call for the others, lets finish what is in flight, and calls `done` when no connection is left. From any thread.
    func drain(then done: @escaping @Sendable () -> Void) {
        perform { [self] in
            whenDrained = done
            beginBatch()
            // What has arrived already is answered: a last look at everything that is being read from.
            for connection in connections.all where connection.interest == .reading { receive(connection) }
            finishDrainingIfEmpty()
        }
    }

    /// Closes everything that did not finish in time. From any thread.
    func abandon() {
        perform { [self] in
            isAbandoned = true
            for connection in connections.all { abort(connection) }
        }
    }

    func finishDrainingIfEmpty() {
        guard connections.count == 0, let done = whenDrained, !timer.isCancelled else { return }
        accessLog?.handOver()
        timer.cancel()
        poller?.stop()
        done()
    }
}
