import Bytes
import HTTP

/// From answers to bytes.
extension EventLoop {
    /// So much is gathered before it is sent, even while there are more requests to answer.
    static let flushBytes = 64 * 1024
    /// Larger bodies are sent from where they are: a reader that takes nothing then keeps no copy of what the cache has anyway.
    static let largestCopiedBody = 16 * 1024

    /// Sends what was gathered for `connection`, and `body` after it. What the peer does not take now is kept, and the peer is
    /// not read from until it has taken it: a slow reader holds its own answers and no more.
    func flush(_ connection: Connection, then body: Response.Body? = nil) {
        guard !output.isEmpty || body != nil else { return }
        defer { output.removeAll() }
        let gathered = output.bytes
        // Nothing may overtake what is still unsent.
        let sent = connection.unsent.isEmpty ? write(gathered, to: connection, continues: body != nil) : 0
        if sent < gathered.count {
            connection.unsent.append(Response.Body([UInt8](gathered[sent...])))
        }
        guard let body else { return }
        connection.unsent.append(body)
        sendUnsent(connection)
    }

    /// Goes on when the peer has taken something.
    func resumeWriting(_ connection: Connection) {
        if sendUnsent(connection) { connection.life.madeProgress(at: now, timeouts) }
        guard connection.unsent.isEmpty else { return settle(connection) }
        if connection.stream != nil { resumeStream(connection) } else { resume(connection) }
    }

    /// Sends what it can, and says whether that was anything.
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

    /// Writes until the socket is full and says how far that was. A broken connection takes everything: there is nobody left to keep
    /// it for, and `settle` closes it.
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
