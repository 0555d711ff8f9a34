import Base
import Glibc

extension WebAddress {
    /// Returns the URL of the proxy that the environment names for requests to this server, by the rules of curl(1), or
    /// `nil` if it is asked directly. Requests to this machine never go through a proxy, whatever the environment says.
    ///
    /// libcurl knows these rules, too, but does not say what it decides. Rollcall must know: with a proxy, it cannot
    /// check the address of the server.
    func environmentProxy(
        value: @escaping (String) -> String? = { getenv($0).map { String(cString: $0) } }
    ) -> String? {
        let first = { (names: [String]) in names.compactMap(value).first { !$0.isEmpty } }
        // Not HTTP_PROXY: to a CGI program, that is a field of the request.
        let names = isEncrypted ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        guard let proxy = first(names + ["all_proxy", "ALL_PROXY"]), !isLoopback else { return nil }
        return Self.isListed(host.trimmingBrackets, in: first(["no_proxy", "NO_PROXY"]) ?? "") ? nil : proxy
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
