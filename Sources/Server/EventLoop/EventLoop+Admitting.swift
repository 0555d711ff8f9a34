/// The beginning and the end of connections.
extension EventLoop {
    /// Takes over a socket that was just accepted.
    func adopt(_ socket: Socket, _ peer: Peer) {
        guard let connection = open(socket, peer) else { return totals.leave(peer) }
        settle(connection)
        if whenDrained != nil, connections[connection.token] != nil { receive(connection) }
    }

    /// The same when the server is full: closes the connection that has been idle longest. Returns `false`, and leaves
    /// the socket to the caller, if no connection of this loop is idle.
    func adopt(_ socket: Socket, inPlaceOfIdle peer: Peer) -> Bool {
        guard makeRoom() else { return false }
        adopt(socket, peer)
        return true
    }

    /// Sends a response to a connection that is not admitted, and closes it.
    func turnAway(_ socket: Socket, _ peer: Peer, _ rejection: RejectedRequest) {
        guard let connection = open(socket, peer) else { return totals.leaveTurnedAway() }
        connection.isTurnedAway = true
        head = RequestHead()
        refuse(connection, rejection)
        flush(connection)
        settle(connection)
    }

    /// Starts to watch a socket. Returns `nil` after closing it where that is impossible.
    private func open(_ socket: Socket, _ peer: Peer) -> Connection? {
        guard !isAbandoned else {
            socket.close()
            return nil
        }
        let isTrusted = peer.isTrusted(in: configuration.trustedProxies)
        let connection = connections.insert {
            Connection(socket: socket, token: $0, peer: peer, isTrustedProxy: isTrusted)
        }
        guard poller.add(connection) else {
            connections.remove(connection.token)
            socket.close()
            return nil
        }
        counters.phases.add(1, at: connection.countedPhase)
        armTimer()
        return connection
    }

    /// Forgets `connection` and closes its socket.
    func close(_ connection: Connection) {
        guard connections[connection.token] === connection else { return }
        connections.remove(connection.token)
        leaveIdleQueue(connection)
        forget(connection.pending)
        forget(connection.stream)
        forgetLive(connection)
        counters.phases.add(-1, at: connection.countedPhase)
        connection.socket.close()
        if connection.isTurnedAway {
            totals.leaveTurnedAway()
        } else if connection.isLive {
            totals.leaveLive(connection.peer)
        } else {
            totals.leave(connection.peer)
        }
        if connections.count == 0 { disarmTimer() }
        finishDrainingIfEmpty()
    }
}

/// The queue of idle connections.
extension EventLoop {
    /// The start of the longest current idle period; `.never` if no connection is idle. From any thread.
    var idleSince: MonotonicInstant { MonotonicInstant(milliseconds: idleMilliseconds.load(ordering: .relaxed)) }

    /// Puts `connection` at the end of the queue if it is idle, else takes it out.
    func queueIfIdle(_ connection: Connection) {
        guard connection.life.phase == .idle else { return leaveIdleQueue(connection) }
        let (slot, first) = (Int(connection.token.slot), idle.first)
        idle.append(slot)
        if first == nil || first == slot { publishIdleSince() }
    }

    private func leaveIdleQueue(_ connection: Connection) {
        let slot = Int(connection.token.slot)
        let isFirst = idle.first == slot
        idle.remove(slot)
        if isFirst { publishIdleSince() }
    }

    private func publishIdleSince() {
        let longest = idle.first.flatMap { connections[slot: $0] }
        let since = longest.map { $0.life.deadline + -timeouts.idle } ?? .never
        idleMilliseconds.store(since.milliseconds, ordering: .relaxed)
    }

    /// Closes the connection that has been idle longest. A connection whose request has arrived meanwhile is served
    /// instead, and the next one is looked at.
    private func makeRoom() -> Bool {
        for _ in 0..<Self.maxLooks {
            guard let slot = idle.first, let connection = connections[slot: slot] else { return false }
            guard connection.socket.hasArrivals else {
                totals.displaced.add(1)
                close(connection)
                return true
            }
            receive(connection)
            if connections[connection.token] == nil { return true }
        }
        return false
    }

    /// Every look costs a system call, and perhaps an answer.
    private static let maxLooks = 16
}
