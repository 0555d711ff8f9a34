import Base
import Metrics

/// Writes to the body of one connection, through the mail of its loop.
struct ConnectionWriter: LiveWriter {
    let loop: EventLoop
    let token: Token

    func write(_ bytes: [UInt8]) { loop.post((token, bytes)) }
    func end() { loop.post((token, nil)) }
}

/// Responses whose bodies stay open. Such a connection carries no further request: its client closes it, or the body
/// ends and with it the connection.
extension EventLoop {
    /// The unsent bytes of a client above which it is dropped when more is written.
    private static let maxUnsent = 64 * 1024

    /// Writes the head and, unless the request was `HEAD`, keeps the body open. Refuses the request if there are too
    /// many such bodies, or if the server drains.
    func beginLive(
        _ response: Response, _ body: LiveBody, to connection: Connection, _ request: Request,
        since started: Int
    ) {
        let isHead = request.method == .head
        guard isHead || whenDrained == nil && totals.openLiveBody() else {
            let rejection = RejectedRequest(
                .serviceUnavailable, "Too many clients are waiting for events. Try again in a while.",
                target: [UInt8](request.target))
            return refuseLive(rejection, to: connection, request)
        }
        // Counts as live from here on: `close` counts it out.
        if !isHead { connection.place = .live }
        let took = appendHead(of: response, to: connection, .close, request, since: started)
        // Now, because the request is not kept until the body ends.
        accessLog?.append(
            request, from: connection.peer, response, bytes: body.opening.count, nanoseconds: took, id: requestID.bytes)
        if isHead { return }
        connection.live = body
        connection.input = []
        connection.socket.limitUnacknowledged(milliseconds: Int(timeouts.heartbeat + timeouts.write))
        append(body.opening, of: connection)
        body.opened(ConnectionWriter(loop: self, token: connection.token))
    }

    /// Puts a letter into the mail of this loop. May be called from any thread.
    func post(_ letter: LiveMail.Letter) {
        if mail.put(letter) { perform { self.deliverMail() } }
    }

    /// Sends one batch of the mail. The rest waits until the connections that are ready have had their turn.
    private func deliverMail() {
        let (letters, hasMore) = mail.take()
        for letter in letters {
            guard let connection = connections[letter.token], connection.live != nil else { continue }
            if let bytes = letter.bytes {
                writeLive(bytes, to: connection)
            } else {
                endLive(connection)
            }
        }
        if hasMore { perform { self.deliverMail() } }
    }

    private func writeLive(_ bytes: [UInt8], to connection: Connection) {
        guard connection.unsent.reduce(bytes.count, { $0 + $1.count }) <= Self.maxUnsent else {
            return abort(connection)
        }
        append(bytes, of: connection)
        flush(connection)
        connection.life.wroteLive(slot: connection.token.slot, at: now, timeouts)
        settle(connection)
    }

    /// Sends the heartbeat of a body, to which nothing has been written for a while.
    func beat(_ connection: Connection) {
        guard let live = connection.live else { return close(connection) }
        writeLive(live.heartbeat, to: connection)
    }

    /// Ends the body and, when the client has read it, the connection.
    func endLive(_ connection: Connection) {
        forgetLive(connection)
        if connection.isChunked { output.append("0\r\n\r\n") }
        flush(connection)
        settle(connection)
    }

    /// Forgets the live body, and tells the application that it has ended.
    func forgetLive(_ connection: Connection) {
        guard let live = connection.live else { return }
        connection.live = nil
        live.closed()
    }

    /// Appends bytes to the output as one chunk (RFC 9112 §7.1).
    private func append(_ bytes: [UInt8], of connection: Connection) {
        // An empty chunk would end the body.
        if bytes.isEmpty { return }
        guard connection.isChunked else { return output.append(bytes) }
        appendSize(ofChunk: bytes)
        output.append(bytes)
        output.append("\r\n")
    }
}
