import Base
import Metrics

/// The state of a response whose body is made while it is sent.
final class OpenStream {
    let body: BodyStream
    /// The ticket of the piece that the pool is making.
    var ticket: WorkPool.Ticket?
    var byteCount = 0
    /// Called at the end with the number of bytes, to log the request.
    let whenSent: ((Int) -> Void)?

    init(_ body: BodyStream, whenSent: ((Int) -> Void)?) {
        self.body = body
        self.whenSent = whenSent
    }
}

/// Responses whose bodies are made while they are sent. The loop requests the next piece when the client has accepted
/// the last one, so a slow client occupies the memory of one piece, and no worker.
extension EventLoop {
    /// Writes the head and, unless the request was `HEAD`, requests the first piece.
    func beginStream(
        _ response: Response, _ body: BodyStream, to connection: Connection,
        _ option: ResponseSerializer.ConnectionOption, _ request: Request, since started: Int
    ) {
        let took = appendHead(of: response, to: connection, option, request, since: started)
        if request.method == .head {
            accessLog?.append(request, from: connection.peer, response, nanoseconds: took, id: requestID.bytes)
            return
        }
        connection.stream = OpenStream(
            body, whenSent: logging(request, response, of: connection, since: started))
        askForPiece(connection)
    }

    /// Returns a closure that logs the request from a copy of it, or `nil` without an access log.
    private func logging(
        _ request: Request, _ response: Response, of connection: Connection, since started: Int
    ) -> ((Int) -> Void)? {
        guard let accessLog else { return nil }
        let (copy, id, peer) = (RequestCopy(request), [UInt8](requestID), connection.peer)
        return { count in
            copy.withRequest { request in
                id.withUnsafeBytes {
                    accessLog.append(
                        request, from: peer, response, bytes: count,
                        nanoseconds: SystemValues.nanoseconds() - started, id: $0)
                }
            }
        }
    }

    private func askForPiece(_ connection: Connection) {
        guard let stream = connection.stream, stream.ticket == nil else { return }
        let (token, body) = (connection.token, stream.body)
        stream.ticket = pool.submit(isFurther: true) { [self] ticket in
            let piece = body.next()
            perform { self.take(piece, for: token, ticket) }
        }
    }

    private func take(_ piece: BodyStream.Piece, for token: Token, _ ticket: WorkPool.Ticket) {
        guard let connection = connections[token], let stream = connection.stream, stream.ticket == ticket
        else { return }
        stream.ticket = nil
        switch piece {
        case .bytes(let bytes):
            send(bytes, of: stream, to: connection)
            connection.life.madeProgress(at: now, timeouts)
            if connection.unsent.isEmpty, !connection.life.isBroken { askForPiece(connection) }
            settle(connection)
        case .later:
            connection.life.madeProgress(at: now, timeouts)
            askForPiece(connection)
        case .end:
            if connection.isChunked { output.append("0\r\n\r\n") }
            connection.stream = nil
            stream.whenSent?(stream.byteCount)
            flush(connection)
            resume(connection)
        case .failure:
            stream.whenSent?(stream.byteCount)
            abort(connection)
        }
    }

    /// Sends one piece as one chunk (RFC 9112 §7.1).
    private func send(_ bytes: [UInt8], of stream: OpenStream, to connection: Connection) {
        stream.byteCount += bytes.count
        guard connection.isChunked else { return flush(connection, then: Response.Body(bytes)) }
        appendSize(ofChunk: bytes)
        flush(connection, then: Response.Body(bytes + "\r\n".utf8))
    }

    /// Requests the next piece when the client has accepted the last one.
    func resumeStream(_ connection: Connection) {
        askForPiece(connection)
        settle(connection)
    }
}
