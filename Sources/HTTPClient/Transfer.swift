import Base
import CCurl
import Glibc

/// One response while it arrives. libcurl refers to the object by its address, so it must outlive the transfer.
final class Transfer {
    private let limits: Client.Limits
    private let refusal: Client.Network.Refusal?
    private let whileWaiting: () throws -> Void
    /// Receives the body of a response with status 200, which is then not stored in ``body``.
    private let taking: ((Bytes) throws -> Void)?
    private let body = ByteBuffer(capacity: 1 << 16)
    private var fields: [String: String] = [:]
    private var headBytes = 0
    private(set) var status = 0
    /// The status and the reason of the last head: `407 Proxy Authentication Required`.
    private(set) var statusText = ""
    /// Why an address was not connected to; that of the last one.
    private(set) var refused: String?
    /// The error that ended the transfer: of `whileWaiting`, of `taking`, or of a response that is too large.
    private(set) var interruption: (any Error)?

    init(
        limits: Client.Limits, refusal: Client.Network.Refusal? = nil, whileWaiting: @escaping () throws -> Void,
        taking: ((Bytes) throws -> Void)? = nil
    ) {
        self.limits = limits
        self.refusal = refusal
        self.whileWaiting = whileWaiting
        self.taking = taking
    }

    /// Receives a part of the body. Returns whether to continue.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        goOn {
            if let taking, status == 200 { return try taking(Bytes(_unsafeBytes: bytes)) }
            if body.count + bytes.count > limits.bodyBytes { throw ClientError.tooLarge(limit: limits.bodyBytes) }
            body.append(bytes)
        }
    }

    /// Receives a line of a head. Each response starts over: `100 Continue` and a proxy's response come before the
    /// final one.
    func take(line: UnsafeRawBufferPointer) -> Bool {
        headBytes += line.count
        guard headBytes <= limits.headBytes else {
            return goOn { throw ClientError.headTooLarge(limit: limits.headBytes) }
        }
        let line = String(decoding: line, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            fields = [:]
            statusText = String(line.drop { $0 != " " }).trimmed
            status = Int(statusText.prefix { $0 != " " }) ?? 0
        }
        guard let colon = line.firstIndex(of: ":") else { return true }
        let name = line[..<colon].lowercased()
        let value = String(line[line.index(after: colon)...]).trimmed
        fields[name] = fields[name].map { "\($0), \(value)" } ?? value
        return true
    }

    /// Returns a socket for a connection to `address`, or the number that stands for none.
    func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        if let refusal, let reason = address.ip.map({ refusal($0.address, $0.port) }) ?? "unknown address" {
            refused = reason
            return CURL_SOCKET_BAD
        }
        let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(address.pointee.family, kind, address.pointee.protocol)
    }

    /// Calls `whileWaiting`. Returns whether to continue.
    func watch() -> Bool { goOn(after: whileWaiting) }

    /// Returns whether the transfer goes on.
    private func goOn(after step: () throws -> Void) -> Bool {
        do { try step() } catch { interruption = error }
        return interruption == nil
    }

    /// Returns the complete response.
    func answer() throws(ClientError) -> ClientAnswer {
        ClientAnswer(status: status, fields: fields, body: try unpacked(), received: body.count)
    }

    /// Returns the body, decompressed if its first bytes are those of gzip (RFC 1952 §2.3.1), which no JSON begins
    /// with. The fields do not help: Stack Exchange compresses every response, and proxies decompress those that
    /// declare it.
    private func unpacked() throws(ClientError) -> [UInt8] {
        guard body.bytes.starts(with: [0x1F, 0x8B]) else { return [UInt8](body) }
        let unpacked: [UInt8]?
        do { unpacked = try body.withBytes { try Gzip.inflated($0, limit: limits.bodyBytes) } } catch {
            throw .lost("\(error)")
        }
        guard let unpacked else { throw .tooLarge(limit: limits.bodyBytes) }
        return unpacked
    }
}
