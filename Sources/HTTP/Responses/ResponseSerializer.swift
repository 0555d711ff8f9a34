import Bytes

/// Writes responses as HTTP/1.1 messages (RFC 9112 §4).
///
/// It holds the line with the date, made anew only when the second changes.
public struct ResponseSerializer: Sendable {
    /// What an answer says about the connection (RFC 9110 §7.6.1).
    public enum ConnectionOption: Sendable {
        /// Nothing: it stays open, as HTTP/1.1 expects.
        case none
        /// It stays open, which HTTP/1.0 must be told.
        case keepAlive
        case close
    }

    /// How a reader knows where the body ends (RFC 9112 §6).
    public enum Framing: Sendable {
        case length, chunked
        /// The connection ends with it: for HTTP/1.0, which knows no chunks.
        case untilClose
    }

    private var second = Int.min
    private var dateLine: [UInt8] = []

    public init(secondsSince1970 seconds: Int = 0) {
        update(secondsSince1970: seconds)
    }

    /// Sets the date of the answers to come.
    public mutating func update(secondsSince1970 seconds: Int) {
        guard seconds != second else { return }
        second = seconds
        let buffer = ByteBuffer(capacity: 64)
        buffer.append("Date: ")
        HTTPDate(secondsSince1970: seconds).append(to: buffer)
        buffer.append("\r\n")
        dateLine = [UInt8](buffer)
    }

    /// Appends the head of `response`, empty line included.
    ///
    /// `Content-Length` is that of the body also where none is sent to `HEAD` (RFC 9110 §8.6); answers that never have a
    /// body carry none.
    ///
    /// - Parameter further: More field lines, for this one answer.
    public func append(
        headOf response: borrowing Response, _ option: ConnectionOption, framing: Framing = .length,
        further: ByteBuffer? = nil, to buffer: ByteBuffer
    ) {
        let status = response.status
        if status == .ok {
            buffer.append("HTTP/1.1 200 OK\r\n")
        } else {
            buffer.append("HTTP/1.1 ")
            buffer.append(decimal: status.rawValue)
            buffer.append(.space)
            buffer.append(status.reason)
            buffer.append("\r\n")
        }
        buffer.append(dateLine)
        buffer.append(response.fields.bytes)
        if let further { buffer.append(further.bytes) }
        switch option {
        case .none: break
        case .keepAlive: buffer.append("Connection: keep-alive\r\n")
        case .close: buffer.append("Connection: close\r\n")
        }
        if framing == .chunked {
            buffer.append("Transfer-Encoding: chunked\r\n")
        } else if framing == .length, !status.isBodiless {
            buffer.append("Content-Length: ")
            buffer.append(decimal: response.body.count)
            buffer.append("\r\n")
        }
        buffer.append("\r\n")
    }

    /// Appends `response`, with its body unless `sendsBody` is false or its status has none.
    public func append(
        _ response: borrowing Response, _ option: ConnectionOption, sendsBody: Bool = true, further: ByteBuffer? = nil,
        to buffer: ByteBuffer
    ) {
        append(headOf: response, option, further: further, to: buffer)
        guard sendsBody, !response.status.isBodiless else { return }
        response.body.withUnsafeBytes { buffer.append($0) }
    }
}

extension Response.Body {
    /// The bytes of the stretch.
    @inlinable public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
    {
        try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}
