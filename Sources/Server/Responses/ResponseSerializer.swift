import Base

/// Writes responses as HTTP/1.1 messages (RFC 9112 §4).
///
/// It keeps the line of the `Date` field and rewrites it only when the second changes.
public struct ResponseSerializer: Sendable {
    /// The `Connection` field of a response (RFC 9110 §7.6.1).
    public enum ConnectionOption: Sendable {
        /// No field: the connection stays open, which is the default of HTTP/1.1.
        case none
        /// The connection stays open, which a client of HTTP/1.0 must be told explicitly.
        case keepAlive
        case close
    }

    /// How the client finds the end of the body (RFC 9112 §6).
    public enum Framing: Sendable {
        case length, chunked
        /// The end of the connection ends the body: for HTTP/1.0, which has no chunked coding.
        case untilClose
    }

    private var second = Int.min
    private var dateLine: [UInt8] = []

    public init(secondsSince1970 seconds: Int = 0) {
        update(secondsSince1970: seconds)
    }

    /// Sets the date of the next responses.
    public mutating func update(secondsSince1970 seconds: Int) {
        guard seconds != second else { return }
        second = seconds
        let buffer = ByteBuffer(capacity: 64)
        buffer.append("Date: ")
        HTTPDate(secondsSince1970: seconds).append(to: buffer)
        buffer.append("\r\n")
        dateLine = [UInt8](buffer)
    }

    /// Appends the head of `response` and the empty line that ends it.
    ///
    /// `Content-Length` is that of the body even if a response to `HEAD` omits the body (RFC 9110 §8.6). A response
    /// that never has a body has no `Content-Length`.
    ///
    /// - Parameter further: More field lines, for this response only.
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

    /// Appends `response`, with its body unless `sendsBody` is false or its status allows none.
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
    /// Calls `body` with the bytes in `range`.
    @inlinable public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
    {
        try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}

/// The time, in nanoseconds, that each stage of making a response took. A response from a cache has none.
public final class ServerTiming: Sendable, Equatable {
    /// When the work began, on the monotonic clock that measures durations.
    public let began: Int
    public let database: Int
    public let rendering: Int
    public let compression: Int

    public init(began: Int, database: Int, rendering: Int, compression: Int) {
        self.began = began
        self.database = database
        self.rendering = rendering
        self.compression = compression
    }

    public static func == (one: ServerTiming, other: ServerTiming) -> Bool {
        (one.began, one.database, one.rendering, one.compression)
            == (other.began, other.database, other.rendering, other.compression)
    }
}

extension Response {
    /// Appends the `Server-Timing` field (W3C Server Timing §3) of this response, in milliseconds.
    ///
    /// - Parameters:
    ///   - started: When the server received the request, on the clock of ``ServerTiming/began``.
    ///   - total: The time since then, in nanoseconds.
    public func appendServerTiming(started: Int, total: Int, to buffer: ByteBuffer) {
        buffer.append("Server-Timing: ")
        switch origin {
        case .elsewhere: break
        case .cache: buffer.append("cache;desc=hit, ")
        case .work(let timing):
            buffer.append("cache;desc=miss")
            let stages: [(StaticString, Int)] = [
                ("wait", timing.began - started), ("db", timing.database), ("render", timing.rendering),
                ("gzip", timing.compression),
            ]
            for (name, duration) in stages where duration > 0 {
                buffer.append(", ")
                append(name, duration, to: buffer)
            }
            buffer.append(", ")
        }
        append("total", total, to: buffer)
        buffer.append("\r\n")
    }

    private func append(_ name: StaticString, _ nanoseconds: Int, to buffer: ByteBuffer) {
        let microseconds = max(0, nanoseconds) / 1000
        buffer.append(name)
        buffer.append(";dur=")
        buffer.append(decimal: microseconds / 1000)
        buffer.append(".")
        for divisor in [100, 10, 1] { buffer.append(UInt8(truncatingIfNeeded: microseconds / divisor % 10) + 48) }
    }
}
