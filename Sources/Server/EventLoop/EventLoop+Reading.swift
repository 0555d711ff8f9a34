import Base

/// From bytes to requests.
extension EventLoop {
    /// Reads once. The system reports the bytes that do not fit again.
    func receive(_ connection: Connection) {
        if connection.life.phase == .lingering || connection.live != nil { return discard(connection) }
        let held = restoreInput(of: connection)
        let room = UnsafeMutableRawBufferPointer(rebasing: input[held...])
        switch connection.socket.read(into: room) {
        case .bytes(let count):
            counters.bytesIn.add(count)
            process(connection, count: held + count)
        case .end:
            connection.life.peerHasEnded = true
            process(connection, count: held)
        case .wouldBlock: process(connection, count: held)
        case .failed: close(connection)
        }
    }

    /// Continues with the bytes that were received before an earlier response was finished.
    func resume(_ connection: Connection) {
        process(connection, count: restoreInput(of: connection))
    }

    /// Moves the bytes that the connection kept to the start of the read buffer, where requests are parsed.
    private func restoreInput(of connection: Connection) -> Int {
        let held = connection.input.count
        if held > 0 {
            connection.input.withUnsafeBytes { input.copyMemory(from: $0) }
            connection.input = []
        }
        return held
    }

    /// Responds to whole requests among the first `count` bytes of the read buffer, in order, sends the responses in
    /// one write, and keeps the rest. A long pipeline is answered over several turns, between which other connections
    /// have theirs.
    private func process(_ connection: Connection, count: Int) {
        let bytes = UnsafeRawBufferPointer(rebasing: input[..<count])
        var used = 0
        var requests = 0
        let bytesBefore = counters.bytesOut.value
        func isTurnOver() -> Bool {
            requests >= Self.maxRequests || counters.bytesOut.value - bytesBefore >= Self.maxBytes
        }
        while used < count, mayContinue(connection), !isTurnOver() {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[used...])
            guard let taken = step(connection, rest) else { break }
            used += taken
            requests += 1
            if output.count >= Self.flushBytes { flush(connection) }
        }
        keep(UnsafeRawBufferPointer(rebasing: bytes[used...]), in: connection)
        flush(connection)
        let isCut = used < count && isTurnOver() && mayContinue(connection)
        settle(connection, hasMoreRequests: isCut)
    }

    /// A turn of one connection: 64 answers take a fraction of a millisecond; 256 KiB take the system about as long.
    private static let maxRequests = 64
    private static let maxBytes = 256 * 1024

    /// One at a time on purpose: pipelined requests only need their responses in order (RFC 9112 §9.3.2). While a
    /// response is being made or sent, the next requests wait.
    private func mayContinue(_ connection: Connection) -> Bool {
        !connection.life.isClosing && !connection.life.isBroken && connection.pending == nil
            && connection.stream == nil && connection.unsent.isEmpty
    }

    /// Handles one request at the start of `bytes`. Returns the number of bytes it used, or `nil` if the request is
    /// incomplete.
    private func step(_ connection: Connection, _ bytes: UnsafeRawBufferPointer) -> Int? {
        switch parser.parse(bytes, into: &head.pointee) {
        case .needsMoreBytes: return nil
        case .rejected(let rejection):
            refuse(connection, rejection)
            return bytes.count
        case .request(let headCount):
            let request = request(UnsafeRawBufferPointer(rebasing: bytes[..<headCount]), on: connection)
            switch head.pointee.framing {
            case .none, .length(0):
                connection.life.finishedRequest()
                answer(connection, request, more: bytes.count > headCount)
                return headCount
            case .length, .chunked: return stepBody(connection, request, bytes)
            }
        }
    }

    /// Handles a request with a body: reads the body, which follows the request's head in `bytes`, to its end, then
    /// responds.
    private func stepBody(_ connection: Connection, _ request: Request, _ bytes: UnsafeRawBufferPointer) -> Int? {
        let isNew = connection.body == nil
        var reader = connection.body?.value ?? BodyReader(head.pointee.framing)
        // RFC 9110 §10.1.1: who asks first gets the final answer at once where it would be a refusal.
        if isNew, let rejection = reader.rejection ?? methodRefusal(request) {
            refuse(connection, rejection, of: request)
            return bytes.count
        }
        let received = UnsafeRawBufferPointer(rebasing: bytes[request.bytes.count...])
        switch reader.read(received) {
        case .done(let consumed):
            connection.body = nil
            connection.life.finishedRequest()
            answer(connection, request, more: received.count > consumed)
            return request.bytes.count + consumed
        case .rejected(let rejection):
            connection.body = nil
            refuse(connection, rejection, of: request)
            return bytes.count
        case .needsMoreBytes:
            // §10.1.1: 100 Continue may be omitted if part of the body has already arrived.
            if isNew, head.pointee.expectsContinue, received.isEmpty { output.append("HTTP/1.1 100 Continue\r\n\r\n") }
            connection.body = OwnedValue(reader)
            // The head is kept for the response. The received part of the body has been read.
            request.bytes.withUnsafeBytes { keep($0, in: connection) }
            return nil
        }
    }

    /// The request whose head was read last, from `bytes`.
    @_lifetime(borrow bytes, borrow self)
    func request(_ bytes: UnsafeRawBufferPointer, on connection: Connection) -> Request {
        Request(
            bytes: bytes, head: _overrideLifetime(Span(_unsafeStart: head, count: 1), borrowing: self),
            isFromLoopback: connection.peer.isLoopback,
            isFromTrustedProxy: connection.isTrustedProxy)
    }

    /// Keeps what is left for the next turn. While a body is read that is its head, which `stepBody` has kept.
    private func keep(_ rest: UnsafeRawBufferPointer, in connection: Connection) {
        guard !connection.life.isClosing, !rest.isEmpty else { return }
        if connection.input.isEmpty { connection.input = [UInt8](rest) }
    }

    /// Reads and discards the bytes that a client sends after its last response, or while it reads a body that stays
    /// open. Otherwise the system would reset the
    /// connection before the client has read that response (RFC 9112 §9.6).
    private func discard(_ connection: Connection) {
        switch connection.socket.read(into: input) {
        case .bytes(let count): counters.bytesIn.add(count)
        case .wouldBlock: break
        case .end, .failed: close(connection)
        }
    }
}
