import CCurl

extension ClientError {
    /// Makes the error for a code of libcurl.
    ///
    /// - Parameters:
    ///   - proxy: the URL of the proxy that the request went through.
    ///   - answer: the status and reason that arrived last. A proxy that does not connect to an encrypted server says
    ///     why in an answer of its own.
    ///   - report: libcurl's own words, which contain no URL.
    init(_ code: CURLcode, at address: WebAddress, through proxy: String?, answer: String, report: String) {
        let place = address.origin
        let general = String(cString: curl_easy_strerror(code))
        let via = proxy.map { "the proxy \(Self.place(ofProxy: $0))" }
        self =
            switch (code, via) {
            case (CURLE_OPERATION_TIMEDOUT, nil): .slow("\(place) did not answer in time")
            case (CURLE_OPERATION_TIMEDOUT, let via?): .slow("\(place) did not answer in time, through \(via)")
            case (_, let via?) where !answer.isEmpty && !answer.hasPrefix("2"):
                .lost("\(place): \(via) answered \(answer)")
            case (CURLE_COULDNT_RESOLVE_PROXY, let via?): .lost("\(place): there is no host of the name of \(via)")
            case (CURLE_COULDNT_CONNECT, let via?): .lost("\(place): cannot connect to \(via)")
            case (CURLE_PEER_FAILED_VERIFICATION, _):
                .lost(
                    """
                    \(place): its certificate is not accepted: \(report.isEmpty ? general : report); if an authority of \
                    your own has signed it, install that one's certificate with update-ca-certificates
                    """)
            case (CURLE_SSL_CACERT_BADFILE, _):
                .lost("\(place): \(report.isEmpty ? general : report); install the package ca-certificates")
            case (_, let via?): .lost("\(place), through \(via): \(general)")
            default: .lost("\(place): \(general)")
            }
    }

    /// Returns host and port of a proxy's URL, which may have no scheme and may have a password.
    static func place(ofProxy url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let authority = rest.prefix { $0 != "/" }
        return String(authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority)
    }
}
