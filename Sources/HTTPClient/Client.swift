import CCurl

/// Asks servers over HTTP and HTTPS, one request at a time, over connections that are kept. Belongs to one thread, and blocks it.
///
/// libcurl, straight: Foundation's `URLSession`, which is libcurl on Linux, too, unpacks answers before anybody can say that
/// they are too long (50 MiB of a 50 KiB answer arrived though it was cancelled at 16), hangs on a 401 that names a scheme, and
/// needs threads and callbacks for what is one straight line here.
public final class Client {
    public struct Limits: Sendable {
        /// 16 MiB: a hundred times what a page of people has. Of the body as it comes and as it is unpacked.
        public var bodyBytes = 16 << 20
        /// 256 KiB, all lines of all heads.
        public var headBytes = 256 << 10
        /// For connecting, for the first byte, and for silence after it.
        public var silence = Duration.seconds(30)
        /// For a whole answer.
        public var answer = Duration.seconds(120)

        public init() {}
    }

    private let limits: Limits
    private let userAgent: String
    private let handle: UnsafeMutableRawPointer

    /// libcurl wants to be set up once, before threads use it.
    private static let isSetUp = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    public init(limits: Limits = Limits(), userAgent: String) throws(ClientError) {
        guard Self.isSetUp, let handle = curl_easy_init() else { throw .lost("libcurl does not start") }
        self.limits = limits
        self.userAgent = userAgent
        self.handle = handle
    }

    deinit { curl_easy_cleanup(handle) }

    /// The answer to `request`, whatever its status; redirects are answers, too, and cookies are forgotten. Calls `whileWaiting`
    /// about once a second, or more often, and throws what that throws; else a ``ClientError``.
    public func fetch(_ request: ClientRequest, whileWaiting: @escaping () throws -> Void = {}) throws -> ClientAnswer {
        try perform(request, encoding: "gzip", Transfer(limits: limits, whileWaiting: whileWaiting))
    }

    /// The same, but a body of any length: of an answer with status 200 it goes to `taking` as it comes, not packed, and what
    /// is returned has none. The whole may take any time; silence is limited.
    public func stream(
        _ request: ClientRequest, whileWaiting: @escaping () throws -> Void = {},
        taking: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) throws -> ClientAnswer {
        let transfer = Transfer(limits: limits, whileWaiting: whileWaiting, taking: taking)
        return try perform(request, encoding: "identity", transfer, answer: .zero)
    }

    /// - Parameter answer: how long the whole may take; zero for any time.
    private func perform(
        _ request: ClientRequest, encoding: String, _ transfer: Transfer, answer: Duration? = nil
    ) throws -> ClientAnswer {
        curl_easy_reset(handle)
        var lines: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(lines) }
        for (name, value) in request.fields + [("Accept-Encoding", encoding)] {
            lines = curl_slist_append(lines, "\(name): \(value)") ?? lines
        }
        let code = withExtendedLifetime(transfer) {
            configure(request.address, lines, Unmanaged.passUnretained(transfer).toOpaque(), answer ?? limits.answer)
            return curl_easy_perform(handle)
        }
        if let interruption = transfer.interruption { throw interruption }
        if transfer.isTooLarge { throw ClientError.tooLarge(limit: limits.bodyBytes) }
        if transfer.isHeadTooLarge || isForLongLine(code) { throw ClientError.headTooLarge(limit: limits.headBytes) }
        guard code == CURLE_OK else { throw failure(code, request.address) }
        return try transfer.answer()
    }

    private func configure(
        _ address: WebAddress, _ lines: UnsafeMutablePointer<curl_slist>?, _ transfer: UnsafeMutableRawPointer,
        _ answer: Duration
    ) {
        rollcall_curl_set_text(handle, CURLOPT_URL, address.text)
        rollcall_curl_set_text(handle, CURLOPT_USERAGENT, userAgent)
        rollcall_curl_set_pointer(handle, CURLOPT_HTTPHEADER, lines)
        // What goes to this very machine goes to nobody else, whatever the environment names as a proxy.
        if address.isLoopback { rollcall_curl_set_text(handle, CURLOPT_PROXY, "") }
        // Its timeouts must not be signals: there are other threads.
        rollcall_curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        rollcall_curl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, limits.silence.milliseconds)
        rollcall_curl_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
        rollcall_curl_set_number(handle, CURLOPT_LOW_SPEED_TIME, max(1, limits.silence.milliseconds / 1000))
        rollcall_curl_set_number(handle, CURLOPT_TIMEOUT_MS, answer.milliseconds)
        for (option, data) in [
            (CURLOPT_WRITEFUNCTION, CURLOPT_WRITEDATA), (CURLOPT_HEADERFUNCTION, CURLOPT_HEADERDATA),
        ] {
            rollcall_curl_set_receiver(handle, option, option == CURLOPT_WRITEFUNCTION ? takeBody : takeLine)
            rollcall_curl_set_pointer(handle, data, transfer)
        }
        rollcall_curl_set_number(handle, CURLOPT_NOPROGRESS, 0)
        rollcall_curl_set_watcher(handle, watch)
        rollcall_curl_set_pointer(handle, CURLOPT_XFERINFODATA, transfer)
    }

    /// libcurl takes no line of a head that is longer than 100 KiB, and says that memory is out; since 8.6 that it is too
    /// large, by a number that older headers have no name for.
    private func isForLongLine(_ code: CURLcode) -> Bool { code == CURLE_OUT_OF_MEMORY || code.rawValue == 100 }

    private func failure(_ code: CURLcode, _ address: WebAddress) -> ClientError {
        if code == CURLE_OPERATION_TIMEDOUT { return .slow("\(address.origin) did not answer in time") }
        // libcurl's own text, which names no URL.
        return .lost("\(address.origin): \(String(cString: curl_easy_strerror(code)))")
    }
}

private let takeBody: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
    bytes, size, count, context in
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.take(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}

private let takeLine: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
    bytes, size, count, context in
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.take(line: UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}

private let watch: @convention(c) (UnsafeMutableRawPointer?, curl_off_t, curl_off_t, curl_off_t, curl_off_t) -> Int32 =
    {
        context, _, _, _, _ in
        guard let context else { return 1 }
        return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().watch() ? 0 : 1
    }

extension Duration {
    fileprivate var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
