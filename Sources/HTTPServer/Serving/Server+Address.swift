extension Server {
    /// An address at which a server listens.
    public enum Address: Equatable, Sendable, CustomStringConvertible {
        /// An IPv4 or IPv6 address or a host name. Port 0 chooses a free port; `*` stands for all addresses of the
        /// machine.
        case tcp(hostname: String, port: Int)
        /// A socket in the file system. A socket left over from a killed process is replaced.
        case unix(path: String)
        /// A listening socket that another process opened, as in systemd's socket activation.
        case descriptor(Int32)

        public static func tcp(port: Int) -> Self { .tcp(hostname: "127.0.0.1", port: port) }

        /// The URL of a TCP address, such as `http://127.0.0.1:8080`, or a short description.
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
