import Base

/// The values that the access log reports about one request.
struct AccessLogLine {
    var peer: Peer
    var seconds: Int
    var method: UnsafeRawBufferPointer?
    var target: UnsafeRawBufferPointer
    var version: Version?
    var status: Int
    var bytes: Int
    var microseconds: Int
    var referer: UnsafeRawBufferPointer?
    var userAgent: UnsafeRawBufferPointer?
    /// The id from the request, if it was well-formed, or a generated one.
    var requestID: UnsafeRawBufferPointer
    /// Only in JSON: the combined format has no place for it.
    var trace: TraceParent?

    /// `peer - - [time] "request line" status bytes "referer" "user agent" microseconds "request id"`
    func appendCommon(to line: ByteBuffer) {
        peer.append(to: line)
        line.append(" - - [")
        let time = CivilTime(secondsSince1970: seconds)
        line.append(twoDigits: time.day)
        line.append("/")
        time.appendMonth(to: line)
        line.append("/")
        line.append(decimal: time.year)
        line.append(":")
        time.appendClock(to: line)
        line.append(" +0000] \"")
        if let method, let version {
            line.append(escapingForLog: method)
            line.append(" ")
            line.append(escapingForLog: target)
            line.append(version == .http10 ? " HTTP/1.0" : " HTTP/1.1")
        } else {
            line.append("- ")
            line.append(escapingForLog: target)
        }
        line.append("\" ")
        line.append(decimal: status)
        line.append(" ")
        line.append(decimal: bytes)
        for value in [referer, userAgent] { appendQuoted(value, to: line) }
        line.append(" ")
        line.append(decimal: microseconds)
        appendQuoted(requestID, to: line)
        line.append("\n")
    }

    func appendJSON(to line: ByteBuffer) {
        line.append("{\"time\":\"")
        let time = CivilTime(secondsSince1970: seconds)
        time.appendISO8601(to: line)
        line.append("\",\"remote\":\"")
        peer.append(to: line)
        line.append("\"")
        appendMember(",\"method\":", method, to: line)
        appendMember(",\"target\":", target, to: line)
        line.append(",\"status\":")
        line.append(decimal: status)
        line.append(",\"bytes\":")
        line.append(decimal: bytes)
        line.append(",\"microseconds\":")
        line.append(decimal: microseconds)
        appendMember(",\"referer\":", referer, to: line)
        appendMember(",\"user_agent\":", userAgent, to: line)
        appendMember(",\"request_id\":", requestID, to: line)
        if let trace {
            line.append(",\"trace\":\"")
            trace.appendTrace(to: line)
            line.append("\",\"span\":\"")
            trace.appendSpan(to: line)
            line.append("\"")
        }
        line.append("}\n")
    }

    private func appendQuoted(_ value: UnsafeRawBufferPointer?, to line: ByteBuffer) {
        guard let value else { return line.append(" \"-\"") }
        line.append(" \"")
        line.append(escapingForLog: value)
        line.append("\"")
    }

    /// Appends a member of a JSON object, if it has a value.
    private func appendMember(_ name: StaticString, _ value: UnsafeRawBufferPointer?, to line: ByteBuffer) {
        guard let value else { return }
        line.append(name)
        line.append("\"")
        line.append(escapingForJSON: value)
        line.append("\"")
    }
}

extension ByteBuffer {
    /// Appends bytes so that they cannot end their field or their line: quotes, backslashes and all bytes but printable
    /// ASCII become `\xHH`.
    func append(escapingForLog bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            switch byte {
            case 0x22, 0x5C, 0..<0x20, 0x7F...:
                append("\\x")
                append(hexadecimal: UInt64(byte), digits: 2)
            default: append(byte)
            }
        }
    }

    /// Appends bytes for a JSON string: all characters but printable ASCII become `\\uHHHH`, so that bytes from a
    /// client cannot control a terminal or pager. Invalid UTF-8 becomes U+FFFD.
    func append(escapingForJSON bytes: UnsafeRawBufferPointer) {
        for unit in String(decoding: bytes, as: UTF8.self).utf16 {
            switch unit {
            case 0x22, 0x5C, 0..<0x20, 0x7F...:
                append("\\u")
                append(hexadecimal: UInt64(unit), digits: 4)
            default: append(UInt8(truncatingIfNeeded: unit))
            }
        }
    }
}
