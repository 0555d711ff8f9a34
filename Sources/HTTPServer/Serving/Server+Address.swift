extension Server {
    /// Where a server listens.
    public enum Address: Equatable, Sendable, CustomStringConvertible {
        /// An IPv4 or IPv6 address or a name; port 0 finds a free one. `*` is every address of the machine.
        case tcp(hostname: String, port: Int)
        /// A socket in the file system; one left over from a killed process is replaced.
        case unix(path: String)
        /// A listening socket that was handed over, as by systemd's socket activation.
        case descriptor(Int32)

        public static func tcp(port: Int) -> Self { .tcp(hostname: "127.0.0.1", port: port) }

        /// A URL where there is one: `http://127.0.0.1:8080`.
        public var description: String {
            switch self {
            case .tcp: "http://\(hostAndPort)"
            case .unix(let path): "unix:\(path)"
            case .descriptor(let descriptor): "descriptor \(descriptor)"
            }
        }

        var hostAndPort: String {
            guard case .tcp(let hostname, let port) = self else { return description }
            return hostname.contains(":") && !hostname.hasPrefix("[") ? "[\(hostname)]:\(port)" : "\(hostname):\(port)"
        }
    }
}
