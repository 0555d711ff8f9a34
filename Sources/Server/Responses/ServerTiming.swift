import Base

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
        if let timing {
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
        } else if isFromCache {
            buffer.append("cache;desc=hit, ")
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
