import Base
import Metrics

/// From requests to responses.
extension EventLoop {
    /// Passes `request` to the responder, and writes the response or waits for it.
    ///
    /// - Parameter more: Whether bytes of another request follow.
    func answer(_ connection: Connection, _ request: Request, more: Bool) {
        let option = option(for: request, more: more)
        if let rejection = methodRefusal(request) {
            return send(response(to: rejection), to: connection, option, request, since: roundStart)
        }
        switch responder.respond(to: request) {
        case .now(let response): send(response, to: connection, option, request, since: roundStart)
        case .later(let work):
            let pending = PendingReply(option: option, started: roundStart, request: RequestCopy(request))
            connection.pending = pending
            submit(work, for: connection, pending)
        }
    }

    /// Sends a response and logs it, or begins one whose body is not there yet: a stream, or one that stays open.
    @inline(__always) private func send(
        _ response: Response, to connection: Connection, _ option: ResponseSerializer.ConnectionOption,
        _ request: Request, since started: Int
    ) {
        if let stream = response.stream {
            return beginStream(response, stream, to: connection, option, request, since: started)
        }
        if let live = response.live {
            return beginLive(response, live, to: connection, request, since: started)
        }
        let took = append(response, to: connection, request.method, option, since: started, id: request.id)
        accessLog?.append(request, from: connection.peer, response, nanoseconds: took, id: requestID.bytes)
    }

    /// Returns the `Connection` field of the response. A draining server closes the connection, but not before it has
    /// responded to the requests that the client has already sent.
    private func option(for request: Request, more: Bool) -> ResponseSerializer.ConnectionOption {
        guard request.head.keepsAlive, whenDrained == nil || more else { return .close }
        return request.head.version == .http10 ? .keepAlive : .none
    }

    /// Returns a rejection for methods that no responder handles.
    func methodRefusal(_ request: Request) -> RejectedRequest? {
        let (status, reason): (Status, String)
        switch request.method {
        case .get, .head, .options: return nil
        case .unsupported:
            (status, reason) = (.methodNotAllowed, "This server supports only GET, HEAD and OPTIONS.")
        case .unknown: (status, reason) = (.notImplemented, "This server does not know that method.")
        }
        return RejectedRequest(status, reason, target: [UInt8](request.target))
    }

    /// Writes an error response and reads no more requests from this connection. `head` holds the parts of the request
    /// that were parsed: like any response to `HEAD`, the rejection of a `HEAD` request has no body (RFC 9110 §9.3.2).
    func refuse(_ connection: Connection, _ rejection: RejectedRequest) {
        let response = response(to: rejection)
        append(response, to: connection, head.pointee.method, .close, since: roundStart, id: nil)
        accessLog?.append(rejection, from: connection.peer, response, id: requestID.bytes)
    }

    /// The same for a request whose head was read: its id is echoed, and the access log has its method.
    func refuse(_ connection: Connection, _ rejection: RejectedRequest, of request: Request) {
        var rejection = rejection
        rejection.target = [UInt8](request.target)
        send(response(to: rejection), to: connection, .close, request, since: roundStart)
    }

    /// Refuses a request for a body that stays open. The connection may carry other requests.
    func refuseLive(_ rejection: RejectedRequest, to connection: Connection, _ request: Request) {
        var answer = responder.respond(to: rejection)
        // Readers stay for minutes.
        if answer.fields["Retry-After"] == nil { answer.fields.append("Retry-After", 60) }
        send(answer, to: connection, option(for: request, more: false), request, since: roundStart)
    }

    /// The responder's words, with the fields that a status demands.
    private func response(to rejection: RejectedRequest) -> Response {
        var response = responder.respond(to: rejection)
        switch rejection.status {
        // RFC 9110 §15.5.6
        case .methodNotAllowed where response.fields["Allow"] == nil:
            response.fields.append("Allow", "GET, HEAD, OPTIONS")
        // §15.6.4. Within a second, a queue has moved on.
        case .serviceUnavailable where response.fields["Retry-After"] == nil: response.fields.append("Retry-After", 1)
        default: break
        }
        return response
    }

    /// Appends `response` to the output that `flush` will send. Returns the time since the loop received the request,
    /// in nanoseconds.
    @discardableResult private func append(
        _ response: Response, to connection: Connection, _ method: Method,
        _ option: ResponseSerializer.ConnectionOption, since started: Int, id: Bytes?
    ) -> Int {
        if option == .close { connection.life.isClosing = true }
        let took = SystemValues.nanoseconds() - started
        let further = ownFields(of: response, id: id, started: started, took: took)
        let sendsBody = method != .head && !response.status.isBodiless
        // Counted before it is sent: a client that has its response, and then reads the metrics through another loop,
        // finds it counted.
        counters.requests.add(route: response.route, response.status, nanoseconds: took)
        if sendsBody { counters.savedBytes.add(Int(response.savedBytes)) }
        if sendsBody, response.body.count > Self.largestCopiedBody {
            serializer.append(headOf: response, option, further: further, to: output)
            flush(connection, then: response.body)
        } else {
            serializer.append(response, option, sendsBody: sendsBody, further: further, to: output)
        }
        return took
    }

    /// Appends the head of a response whose body is made while it is sent. Returns the time since the loop received the
    /// request, in nanoseconds.
    func appendHead(
        of response: Response, to connection: Connection, _ wanted: ResponseSerializer.ConnectionOption,
        _ request: Request, since started: Int
    ) -> Int {
        connection.isChunked = request.head.version != .http10
        let option = connection.isChunked ? wanted : .close
        if option == .close { connection.life.isClosing = true }
        let took = SystemValues.nanoseconds() - started
        let further = ownFields(of: response, id: request.id, started: started, took: took)
        serializer.append(
            headOf: response, option, framing: connection.isChunked ? .chunked : .untilClose, further: further,
            to: output)
        counters.requests.add(route: response.route, response.status, nanoseconds: took)
        return took
    }

    /// Appends the size of a chunk and the end of its line (RFC 9112 §7.1).
    func appendSize(ofChunk bytes: [UInt8]) {
        output.append(utf8: String(bytes.count, radix: 16))
        output.append("\r\n")
    }

    /// Returns the field lines that belong to this response alone and are in no cache, or `nil` for most responses.
    ///
    /// The request's id is echoed, so that client, proxy and log agree on it. A new id is made only if the access log
    /// repeats it; otherwise nobody would use the ten thousand ids made every second.
    func ownFields(
        of response: Response, id: Bytes?, started: Int, took: Int
    ) -> ByteBuffer? {
        guard id != nil || accessLog != nil || configuration.tellsTimings else { return nil }
        ownFields.removeAll()
        requestID.removeAll()
        // An error response may already have an id.
        let told = response.status.rawValue >= 500 ? response.fields["X-Request-Id"] : nil
        if let told {
            requestID.append(utf8: told)
        } else if let id {
            requestID.append(id)
        } else if accessLog != nil {
            requestID.append(hexadecimal: requestNumbers.next())
        }
        if told == nil, !requestID.isEmpty {
            ownFields.append("X-Request-Id: ")
            ownFields.append(requestID.bytes)
            ownFields.append("\r\n")
        }
        if configuration.tellsTimings { response.appendServerTiming(started: started, total: took, to: ownFields) }
        return ownFields
    }
}

/// Responses that are made on the worker pool.
extension EventLoop {
    private func submit(
        _ work: @escaping @Sendable () -> Response, for connection: Connection, _ pending: PendingReply
    ) {
        let token = connection.token
        pending.ticket = pool.submit { [self] ticket in
            let response = work()
            perform { self.complete(token, ticket, response) }
        }
        if pending.ticket == nil { refuse(pending, on: connection, "The server is busy; try again in a moment.") }
    }

    /// Receives a response from the pool. It is discarded if its connection has closed or has given up waiting.
    private func complete(_ token: Token, _ ticket: WorkPool.Ticket, _ response: Response) {
        guard let connection = connections[token], let pending = connection.pending, pending.ticket == ticket
        else { return }
        finish(pending, on: connection, response)
        flush(connection)
        resume(connection)
    }

    /// Responds that the response took too long, and continues with the next request.
    func giveUp(_ connection: Connection) {
        // A response that has begun cannot be replaced by an error.
        if connection.stream != nil { return abort(connection) }
        guard let pending = connection.pending else { return }
        forget(pending.ticket)
        refuse(pending, on: connection, "The response took too long; try again in a moment.")
        flush(connection)
        resume(connection)
    }

    /// Cancels work that still waits for a worker, because its connection is gone.
    func forget(_ ticket: WorkPool.Ticket?) {
        if let ticket { pool.cancel(ticket) }
    }

    private func refuse(_ pending: PendingReply, on connection: Connection, _ reason: String) {
        let target = pending.request.withRequest { [UInt8]($0.target) }
        let rejection = RejectedRequest(.serviceUnavailable, reason, target: target)
        finish(pending, on: connection, response(to: rejection))
    }

    private func finish(_ pending: PendingReply, on connection: Connection, _ response: Response) {
        connection.pending = nil
        // The server may have begun to drain in the meantime.
        let isLast = whenDrained != nil && connection.input.isEmpty
        let option = isLast ? .close : pending.option
        pending.request.withRequest { send(response, to: connection, option, $0, since: pending.started) }
    }
}

/// From responses to bytes.
extension EventLoop {
    /// The amount of output after which it is sent, even if there are more requests to respond to.
    static let flushBytes = 64 * 1024
    /// Larger bodies are sent without being copied: a client that reads nothing then keeps no copy of bytes that the
    /// cache holds anyway.
    static let largestCopiedBody = 16 * 1024

    /// Sends the output gathered for `connection`, and `body` after it. Bytes that the client does not accept now are
    /// kept, and nothing is read from the client until it has accepted them: a slow client holds only its own
    /// responses.
    func flush(_ connection: Connection, then body: Response.Body? = nil) {
        guard !output.isEmpty || body != nil else { return }
        defer { output.removeAll() }
        let gathered = output.bytes
        // New output must not overtake unsent bytes.
        let sent = connection.unsent.isEmpty ? write(gathered, to: connection, continues: body != nil) : 0
        if sent < gathered.count {
            connection.unsent.append(Response.Body([UInt8](gathered[sent...])))
        }
        guard let body else { return }
        connection.unsent.append(body)
        sendUnsent(connection)
    }

    /// Continues when the client can accept more bytes.
    func resumeWriting(_ connection: Connection) {
        if sendUnsent(connection) { connection.life.madeProgress(at: now, timeouts) }
        guard connection.unsent.isEmpty else { return settle(connection) }
        if connection.stream != nil { resumeStream(connection) } else { resume(connection) }
    }

    /// Sends as many of the unsent bytes as possible. Returns whether it sent any.
    @discardableResult private func sendUnsent(_ connection: Connection) -> Bool {
        var hasProgressed = false
        while let first = connection.unsent.first {
            let sent = first.withUnsafeBytes { write($0, to: connection) }
            if sent > 0 { hasProgressed = true }
            guard sent == first.count else {
                connection.unsent[0].range = (first.range.lowerBound + sent)..<first.range.upperBound
                break
            }
            connection.unsent.removeFirst()
        }
        return hasProgressed
    }

    /// Writes until the socket is full and returns the number of bytes written. For a broken connection it returns the
    /// full count: nobody is left to keep the bytes for, and `settle` closes the connection.
    private func write(_ bytes: UnsafeRawBufferPointer, to connection: Connection, continues: Bool = false) -> Int {
        var sent = 0
        while sent < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
            switch connection.socket.write(rest, continues: continues) {
            case .bytes(let count):
                counters.bytesOut.add(count)
                sent += count
            case .wouldBlock: return sent
            case .end, .failed:
                connection.life.isBroken = true
                return bytes.count
            }
        }
        return sent
    }
}
