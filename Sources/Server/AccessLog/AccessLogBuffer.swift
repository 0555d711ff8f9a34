import Base

/// Gathers the lines of one event loop. Confined to the loop's queue.
final class AccessLogBuffer {
    /// The number of gathered bytes above which they are passed to the writer, even in the middle of a batch.
    private static let handOverBytes = 64 * 1024

    private let writer: AccessLogWriter
    private let buffer = ByteBuffer()
    private var lines = 0

    init(writer: AccessLogWriter) { self.writer = writer }

    /// - Parameter bytes: The length of the body, if it is not `response.body`.
    func append(
        _ request: Request, from peer: Peer, _ response: Response, bytes: Int? = nil, nanoseconds: Int,
        id: UnsafeRawBufferPointer
    ) {
        let hasBody = request.method != .head && !response.status.isBodiless
        let sent = hasBody ? bytes ?? response.body.count : 0
        let trace = writer.format == .json ? request.trace : nil
        let head = request.head
        request.bytes.withUnsafeBytes { bytes in
            append(
                AccessLogLine(
                    peer: peer, seconds: SystemValues.secondsSince1970, method: bytes[head.methodName],
                    target: bytes[head.target], version: head.version, status: response.status.rawValue, bytes: sent,
                    microseconds: nanoseconds / 1000, referer: head.value(of: "referer", in: bytes),
                    userAgent: head.value(of: "user-agent", in: bytes), requestID: id, trace: trace))
        }
    }

    /// Appends the line of a request that could not be parsed. At most its target is known.
    func append(_ rejection: RejectedRequest, from peer: Peer, _ response: Response, id: UnsafeRawBufferPointer) {
        rejection.target.withUnsafeBytes { target in
            append(
                AccessLogLine(
                    peer: peer, seconds: SystemValues.secondsSince1970, target: target,
                    status: response.status.rawValue, bytes: response.body.count, microseconds: 0, requestID: id))
        }
    }

    private func append(_ line: AccessLogLine) {
        // Without a log, there is no writer.
        if writer.format == .json { line.appendJSON(to: buffer) } else { line.appendCommon(to: buffer) }
        lines += 1
        if buffer.count > Self.handOverBytes { handOver() }
    }

    func handOver() {
        guard lines > 0 else { return }
        writer.write(buffer.bytes, lines: lines)
        buffer.removeAll()
        lines = 0
    }
}

extension RequestHead {
    fileprivate func value(of name: StaticString, in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        for field in fields where bytes[field.name].equals(ignoringCase: name) { return bytes[field.value] }
        return nil
    }
}
