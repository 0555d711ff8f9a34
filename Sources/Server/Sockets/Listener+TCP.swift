import Base
import Glibc

/// Listening on an IP address and port.
extension Listener {
    init(hostname: String, port: Int, isShared: Bool) throws {
        guard (0...65535).contains(port) else {
            throw ServerError("cannot listen on port \(port): the highest port is 65535")
        }
        let place = Server.Address.tcp(hostname: hostname, port: port).hostAndPort
        var failure = ServerError("no address was found for it")
        for candidate in try Self.resolve(hostname, port: port) {
            switch Self.open(candidate, isShared: isShared) {
            case .success(let socket):
                var found = port
                if case .tcp(_, let port) = Self.address(of: socket) { found = port }
                self.init(socket, at: .tcp(hostname: hostname, port: found))
                return
            case .failure(let error): failure = error
            }
        }
        failure.description = "cannot listen on \(place): \(failure)"
        throw failure
    }

    /// One way to bind: an address family and a socket address.
    private struct Candidate {
        var family: Int32
        var address: [UInt8]
    }

    private static func resolve(_ hostname: String, port: Int) throws -> [Candidate] {
        // All addresses of the machine: "::" includes IPv4, and "0.0.0.0" is the fallback for a system without IPv6.
        if hostname == "*" || hostname.isEmpty { return try lookUp("::", port: port) + lookUp("0.0.0.0", port: port) }
        let isBracketed = hostname.hasPrefix("[") && hostname.hasSuffix("]")
        let candidates = try lookUp(isBracketed ? String(hostname.dropFirst().dropLast()) : hostname, port: port)
        // A name like localhost may have an IPv4 and an IPv6 address. IPv4 comes first, because every client can reach
        // it.
        return candidates.filter { $0.family == AF_INET } + candidates.filter { $0.family != AF_INET }
    }

    private static func lookUp(_ name: String, port: Int) throws -> [Candidate] {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = stream
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name, String(port), &hints, &list)
        guard code == 0 else { throw ServerError("cannot listen on \(name): \(String(cString: gai_strerror(code)))") }
        defer { freeaddrinfo(list) }
        var candidates: [Candidate] = []
        var next = list
        while let entry = next?.pointee {
            if let address = entry.ai_addr {
                let bytes = [UInt8](UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen)))
                candidates.append(Candidate(family: entry.ai_family, address: bytes))
            }
            next = entry.ai_next
        }
        return candidates
    }

    private static func open(_ candidate: Candidate, isShared: Bool) -> Result<Socket, ServerError> {
        guard let socket = Socket(family: candidate.family) else { return .failure(ServerError(SystemFile.reason)) }
        socket.set(SOL_SOCKET, SO_REUSEADDR, 1)
        if isShared { socket.set(SOL_SOCKET, SO_REUSEPORT, 1) }
        socket.setUpForAnswers()
        if candidate.family == AF_INET6 { socket.set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        let isBound = candidate.address.withUnsafeBytes { bytes in
            bytes.baseAddress.map {
                bind(socket.descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
            } ?? false
        }
        guard isBound, listen(socket.descriptor, backlog) == 0 else {
            let error = ServerError(explanation, isPortTaken: errno == EADDRINUSE)
            socket.close()
            return .failure(error)
        }
        return .success(socket)
    }

    /// Why the last call failed.
    private static var explanation: String {
        switch errno {
        case EADDRINUSE: "the port is in use"
        case EACCES: "permission denied (ports below 1024 are reserved for the system administrator)"
        case EADDRNOTAVAIL: "this machine does not have that address"
        default: SystemFile.reason
        }
    }
}

extension Socket {
    /// The bytes that the system keeps of an answer before it sends them. Without this limit it keeps up to 4 MB a
    /// connection (`net.ipv4.tcp_wmem`) for a peer that reads nothing. Bytes on their way to the peer are not part of
    /// it, so that a fast reader far away is served as fast as before.
    private static let maxUnsentBytes: Int32 = 128 * 1024

    /// Sets what accepted sockets inherit from their listener.
    func setUpForAnswers() {
        // Responses are written whole, so waiting for more bytes is useless.
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        set(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, Self.maxUnsentBytes)
    }
}

private let stream = Int32(SOCK_STREAM.rawValue)
