/// The shutdown of an event loop.
extension EventLoop {
    /// Ends bodies that stay open, closes connections that have long been idle, gives the others a last chance to send
    /// a request, finishes the requests in flight, and calls `done` when no connection is left. May be called from any
    /// thread.
    func drain(then done: @escaping @Sendable () -> Void) {
        perform { [self] in
            whenDrained = done
            beginBatch()
            // Reads once more from every connection, so that requests that have already arrived get their responses.
            for connection in connections.all {
                if connection.live != nil {
                    endLive(connection)
                } else if connection.interest == .readable {
                    receive(connection)
                }
            }
            finishDrainingIfEmpty()
        }
    }

    /// Aborts every connection that did not finish in time. May be called from any thread.
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
        poller.stop()
        done()
    }
}
