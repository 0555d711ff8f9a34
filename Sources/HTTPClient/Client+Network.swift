import Base
import CCurl
import Glibc

extension Client {
    /// The servers that a client connects to.
    public struct Network: Sendable {
        /// Returns why a server must not be asked, or `nil` if it may be. The address is an IPv6 address, or an IPv4
        /// address that is mapped into one; `nil` if only the proxy knows it.
        public typealias Refusal = @Sendable (_ address: UInt128?, _ port: Int) -> String?

        public enum Proxy: Sendable {
            /// The proxy that the environment names: see ``WebAddress/environmentProxy(value:)``.
            case environment
            case none
            case server(WebAddress)
        }

        public var proxy: Proxy
        var refusal: Refusal?

        public init(proxy: Proxy = .environment, refusal: Refusal? = nil) {
            self.proxy = proxy
            self.refusal = refusal
        }
    }
}

extension Client.Network {
    /// The way of a request to a server: the URL of the proxy, `nil` without one; the check of each address that a
    /// socket is opened for, `nil` to allow all, because a proxy's own address is not checked: the publisher has chosen
    /// it; and the address of the server, if it is known without a connection: the proxy resolves the host's name.
    typealias Route = (proxy: String?, refusalOfSockets: Refusal?, address: UInt128?)

    /// Returns the way to `server`. Throws an error if it must not be asked.
    func route(to server: WebAddress) throws(ClientError) -> Route {
        let proxy =
            switch proxy {
            case .environment: server.environmentProxy()
            case .none: String?.none
            case .server(let proxy): proxy.text
            }
        guard proxy != nil else { return (nil, refusal, nil) }
        let address = AddressRange(server.host.trimmingBrackets)?.first
        if let reason = refusal?(address, server.port) { throw .refused("\(server.host): \(reason)") }
        return (proxy, nil, address)
    }
}

extension UnsafeMutablePointer<curl_sockaddr> {
    /// The address and the port that libcurl is about to connect to; `nil` for anything but IPv4 and IPv6.
    var ip: (address: UInt128, port: Int)? {
        guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return nil }
        // The field is as long as its address family needs, longer than its type says.
        let bytes = UnsafeRawPointer(self) + offset
        switch pointee.family {
        case AF_INET:
            let found = bytes.loadUnaligned(as: sockaddr_in.self)
            return (
                AddressRange.mapped(UInt32(bigEndian: found.sin_addr.s_addr)), Int(UInt16(bigEndian: found.sin_port))
            )
        case AF_INET6:
            let found = bytes.loadUnaligned(as: sockaddr_in6.self)
            let address = withUnsafeBytes(of: found.sin6_addr) { $0.loadUnaligned(as: UInt128.self) }
            return (UInt128(bigEndian: address), Int(UInt16(bigEndian: found.sin6_port)))
        default: return nil
        }
    }
}

extension String {
    /// The text without the brackets of an IPv6 address in a URL.
    var trimmingBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
}
