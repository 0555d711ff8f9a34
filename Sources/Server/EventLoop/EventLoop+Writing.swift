import Base

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
                if !connection.unsent.isEmpty {
                    connection.unsent[0].range = (first.range.lowerBound + sent)..<first.range.upperBound
                }
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
