import Base
import Glibc

/// The proxy that the environment names, by the rules of curl(1).
///
/// libcurl knows these rules, too, but does not say what it decides. Rollcall must know: with a proxy, it cannot check
/// the address of the server.
enum EnvironmentProxy {
    /// Returns the URL of the proxy for requests to `server`, or `nil` if it is asked directly. Requests to this
    /// machine never go through a proxy, whatever the environment says.
    static func proxy(
        for server: WebAddress, value: @escaping (String) -> String? = { getenv($0).map { String(cString: $0) } }
    ) -> String? {
        let first = { (names: [String]) in names.compactMap(value).first { !$0.isEmpty } }
        // Not HTTP_PROXY: to a CGI program, that is a field of the request.
        let names = server.isEncrypted ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        guard let proxy = first(names + ["all_proxy", "ALL_PROXY"]), !server.isLoopback else { return nil }
        return isListed(server.host.trimmingBrackets, in: first(["no_proxy", "NO_PROXY"]) ?? "") ? nil : proxy
    }

    /// Whether `host` is in a list of hosts, domains, addresses and blocks of addresses, or the list is `*`.
    private static func isListed(_ host: String, in list: String) -> Bool {
        let address = AddressRange(host)?.first
        return list.split { $0 == "," || $0.isWhitespace }.contains { item in
            if item == "*" { return list == "*" }
            if let address { return AddressRange(String(item).trimmingBrackets)?.contains(address) == true }
            let domain = item.lowercased().drop { $0 == "." }
            return host == domain || host.hasSuffix(".\(domain)")
        }
    }
}
