import Base
import CCurl

/// Sends requests over HTTP and HTTPS, one at a time, over connections that are kept open. Confined to one thread,
/// which it blocks.
///
/// It uses libcurl directly. Foundation's `URLSession`, which is libcurl on Linux, too, decompresses responses before
/// the caller can check their length (50 MiB of a 50 KiB response arrived although it was cancelled at 16), hangs on a
/// 401 that names an authentication scheme, and needs threads and callbacks, where straight-line code is enough here.
public final class Client {
    public struct Limits: Sendable {
        /// 16 MiB: a hundred times the size of a page of users. Applies to the body as received and as decompressed.
        public var bodyBytes = 16 << 20
        /// 256 KiB for all lines of all heads.
        public var headBytes = 256 << 10
        /// For connecting; by default as long as ``silence``.
        public var connection: Duration?
        /// For the first byte, and for silence after it.
        public var silence = Duration.seconds(30)
        /// For a complete response.
        public var answer = Duration.seconds(120)

        public init() {}
    }

    private let limits: Limits
    private let userAgent: String
    private let network: Network
    private let handle: UnsafeMutableRawPointer
    /// libcurl's words for its last failure.
    private let report = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    /// libcurl must be set up once, before threads use it.
    private static let isSetUp = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    public init(
        limits: Limits = Limits(), userAgent: String, network: Network = Network()
    ) throws(ClientError) {
        guard Self.isSetUp, let handle = curl_easy_init() else { throw .lost("libcurl does not start") }
        self.limits = limits
        self.userAgent = userAgent
        self.network = network
        self.handle = handle
    }

    deinit {
        curl_easy_cleanup(handle)
        report.deallocate()
    }

    /// Returns the response to `request`, whatever its status. Redirects are not followed, and cookies are ignored.
    /// Calls `whileWaiting` at least about once a second, and rethrows its error; otherwise throws a ``ClientError``.
    public func fetch(_ request: ClientRequest, whileWaiting: @escaping () throws -> Void = {}) throws -> ClientAnswer {
        try perform(request, encoding: "gzip", answer: limits.answer, whileWaiting)
    }

    /// Fetches a body of any length: the body of a response with status 200 is passed to `taking` as it arrives,
    /// uncompressed, and the returned response has none. The whole may take any time; only silence is limited.
    public func stream(
        _ request: ClientRequest, whileWaiting: @escaping () throws -> Void = {},
        taking: @escaping (Bytes) throws -> Void
    ) throws -> ClientAnswer {
        try perform(request, encoding: "identity", answer: .zero, whileWaiting, taking)
    }

    /// Sends a request and returns the response.
    ///
    /// - Parameter answer: The time limit for the whole response; zero for none.
    private func perform(
        _ request: ClientRequest, encoding: String, answer: Duration, _ whileWaiting: @escaping () throws -> Void,
        _ taking: ((Bytes) throws -> Void)? = nil
    ) throws -> ClientAnswer {
        let route = try network.route(to: request.address)
        let transfer = Transfer(
            limits: limits, refusal: route.refusalOfSockets, whileWaiting: whileWaiting, taking: taking)
        curl_easy_reset(handle)
        var lines: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(lines) }
        for (name, value) in request.fields + [("Accept-Encoding", encoding)] {
            lines = curl_slist_append(lines, "\(name): \(value)") ?? lines
        }
        let code = withExtendedLifetime(transfer) {
            configure(request.address, route, lines, Unmanaged.passUnretained(transfer).toOpaque(), answer)
            return curl_easy_perform(handle)
        }
        if let interruption = transfer.interruption { throw interruption }
        if isForLongLine(code) { throw ClientError.headTooLarge(limit: limits.headBytes) }
        if code == CURLE_COULDNT_CONNECT, let reason = transfer.refused {
            throw ClientError.refused("\(request.address.host): \(reason)")
        }
        // 407 comes from a proxy only (RFC 9110 §15.5.8).
        guard code == CURLE_OK, route.proxy == nil || transfer.status != 407 else {
            throw ClientError(
                code, at: request.address, through: route.proxy, answer: transfer.statusText,
                report: String(cString: report))
        }
        var answer = try transfer.answer()
        answer.server =
            route.proxy == nil ? AddressRange(String(cString: rollcall_curl_address(handle)))?.first : route.address
        return answer
    }

    private func configure(
        _ address: WebAddress, _ route: Network.Route, _ lines: UnsafeMutablePointer<curl_slist>?,
        _ transfer: UnsafeMutableRawPointer,
        _ answer: Duration
    ) {
        report.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        rollcall_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, report)
        rollcall_curl_set_text(handle, CURLOPT_URL, address.text)
        rollcall_curl_set_text(handle, CURLOPT_USERAGENT, userAgent)
        rollcall_curl_set_pointer(handle, CURLOPT_HTTPHEADER, lines)
        rollcall_curl_set_text(handle, CURLOPT_PROXY, route.proxy ?? "")
        // Otherwise the environment would name hosts that are asked directly.
        rollcall_curl_set_text(handle, CURLOPT_NOPROXY, "")
        if route.refusalOfSockets != nil {
            rollcall_curl_set_opener(handle, openSocket)
            rollcall_curl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, transfer)
        }
        let connection = limits.connection ?? limits.silence
        // libcurl's timeouts must not use signals, because there are other threads.
        rollcall_curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        rollcall_curl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(connection / .milliseconds(1)))
        rollcall_curl_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
        rollcall_curl_set_number(handle, CURLOPT_LOW_SPEED_TIME, max(1, Int(limits.silence.components.seconds)))
        rollcall_curl_set_number(handle, CURLOPT_TIMEOUT_MS, Int(answer / .milliseconds(1)))
        rollcall_curl_set_receiver(handle, CURLOPT_WRITEFUNCTION, takeBody)
        rollcall_curl_set_pointer(handle, CURLOPT_WRITEDATA, transfer)
        rollcall_curl_set_receiver(handle, CURLOPT_HEADERFUNCTION, takeLine)
        rollcall_curl_set_pointer(handle, CURLOPT_HEADERDATA, transfer)
        rollcall_curl_set_number(handle, CURLOPT_NOPROGRESS, 0)
        rollcall_curl_set_watcher(handle, watch)
        rollcall_curl_set_pointer(handle, CURLOPT_XFERINFODATA, transfer)
    }

    /// Returns whether `code` reports a header line longer than 100 KiB. libcurl reports it as out of memory, and since
    /// 8.6 as too large, with a code that older headers have no name for.
    private func isForLongLine(_ code: CURLcode) -> Bool { code == CURLE_OUT_OF_MEMORY || code.rawValue == 100 }
}

/// The transfer that libcurl calls the functions below for.
private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

private let takeBody: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
    bytes, size, count, context in
    let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer(context)?.take(part) == true ? part.count : 0
}

private let takeLine: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
    bytes, size, count, context in
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer(context)?.take(line: line) == true ? line.count : 0
}

/// Opens the socket of a connection unless its address is refused. libcurl calls it for every address that it is about
/// to connect to, after it has resolved the host: no other lookup can give another address in between.
private let openSocket: curl_opensocket_callback = { context, _, address in
    address.flatMap { transfer(context)?.openSocket($0) } ?? CURL_SOCKET_BAD
}

private let watch: @convention(c) (UnsafeMutableRawPointer?, curl_off_t, curl_off_t, curl_off_t, curl_off_t) -> Int32 =
    {
        context, _, _, _, _ in transfer(context)?.watch() == true ? 0 : 1
    }
