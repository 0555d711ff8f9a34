#if canImport(Glibc)
    import CLinux
    import Glibc
#elseif canImport(Musl)
    import CLinux
    import Musl
#else
    import Darwin
#endif

/// A socket that connections arrive at.
struct Listener: Sendable {
    let socket: Socket
    /// Where it can be reached: with the port that was found for port 0.
    let address: Server.Address
    /// The file of a unix socket, as it was when it was made; it goes when the listener does.
    private var file: (path: String, identity: FileIdentity)?

    init(_ address: Server.Address) throws {
        switch address {
        case .tcp(let hostname, let port): try self.init(hostname: hostname, port: port)
        case .unix(let path): try self.init(path: path)
        case .descriptor(let descriptor): try self.init(descriptor: descriptor)
        }
    }

    /// Stops listening, and takes the file of a unix socket away if it is still its own.
    func close() {
        if let file, FileIdentity(path: file.path) == file.identity { _ = unlink(file.path) }
        socket.close()
    }

    /// As many as the system allows wait to be accepted.
    private static let backlog = Int32(4096)

    private init(hostname: String, port: Int) throws {
        guard (0...65535).contains(port) else {
            throw ServerError("cannot listen on port \(port): ports go up to 65535")
        }
        let place = Server.Address.tcp(hostname: hostname, port: port).hostAndPort
        var failure = "no address was found for it"
        for candidate in try Self.resolve(hostname, port: port) {
            switch Self.open(candidate) {
            case .success(let socket):
                self.socket = socket
                self.address = .tcp(hostname: hostname, port: Self.port(of: socket))
                return
            case .failure(let error): failure = error.description
            }
        }
        throw ServerError("cannot listen on \(place): \(failure)")
    }

    /// A socket that somebody else has opened, such as systemd.
    private init(descriptor: Int32) throws {
        socket = Socket(descriptor: descriptor)
        var accepts: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &accepts, &length) == 0, accepts != 0 else {
            throw ServerError("descriptor \(descriptor) is not a listening socket")
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        let port = Self.port(of: socket)
        address = port > 0 ? .tcp(hostname: "127.0.0.1", port: port) : .descriptor(descriptor)
    }
}

// MARK: TCP

extension Listener {
    /// One way to bind: family, protocol and socket address.
    private struct Candidate {
        var family: Int32
        var kind: Int32
        var address: [UInt8]
    }

    private static func resolve(_ hostname: String, port: Int) throws -> [Candidate] {
        // Every address of the machine: "::" takes IPv4 along, and where there is no IPv6 the other one is left.
        if hostname == "*" || hostname.isEmpty { return try lookUp("::", port: port) + lookUp("0.0.0.0", port: port) }
        let isBracketed = hostname.hasPrefix("[") && hostname.hasSuffix("]")
        let candidates = try lookUp(isBracketed ? String(hostname.dropFirst().dropLast()) : hostname, port: port)
        // A name like localhost stands for both; IPv4 is what everything can reach.
        return candidates.filter { $0.family == AF_INET } + candidates.filter { $0.family != AF_INET }
    }

    private static func lookUp(_ name: String, port: Int) throws -> [Candidate] {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = systemStream
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name, String(port), &hints, &list)
        guard code == 0 else { throw ServerError("cannot listen on \(name): \(String(cString: gai_strerror(code)))") }
        defer { freeaddrinfo(list) }
        var candidates: [Candidate] = []
        var next = list
        while let entry = next?.pointee {
            if let address = entry.ai_addr {
                let bytes = [UInt8](UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen)))
                candidates.append(Candidate(family: entry.ai_family, kind: entry.ai_socktype, address: bytes))
            }
            next = entry.ai_next
        }
        return candidates
    }

    private static func open(_ candidate: Candidate) -> Result<Socket, ServerError> {
        let descriptor = systemSocket(candidate.family, candidate.kind)
        guard descriptor >= 0 else { return .failure(ServerError(System.message())) }
        let socket = Socket(descriptor: descriptor)
        socket.set(SOL_SOCKET, SO_REUSEADDR, 1)
        // Accepted sockets inherit it: answers are written whole, there is nothing to wait for.
        socket.set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        if candidate.family == AF_INET6 { socket.set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        let isBound = candidate.address.withUnsafeBytes { bytes in
            bytes.baseAddress.map {
                bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
            } ?? false
        }
        guard isBound, listen(descriptor, backlog) == 0 else {
            let error = ServerError(explanation(errno))
            socket.close()
            return .failure(error)
        }
        return .success(socket)
    }

    private static func explanation(_ code: Int32) -> String {
        switch code {
        case EADDRINUSE: "the port is in use"
        case EACCES: "permission denied (ports below 1024 are the system administrator's)"
        case EADDRNOTAVAIL: "this machine does not have that address"
        default: System.message(code)
        }
    }

    private static func port(of socket: Socket) -> Int {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket.descriptor, $0, &length) }
        }
        guard code == 0, [AF_INET, AF_INET6].contains(Int32(storage.ss_family)) else { return 0 }
        // The port is at the same place in both.
        return withUnsafeBytes(of: storage) { Int($0[2]) << 8 | Int($0[3]) }
    }
}

// MARK: Unix sockets

/// Tells a file from another one that took its name.
private struct FileIdentity: Equatable, Sendable {
    var device: UInt64
    var inode: UInt64
    var isSocket: Bool

    init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        isSocket = status.st_mode & S_IFMT == S_IFSOCK
    }
}

extension Listener {
    private init(path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw ServerError("cannot listen on \(path): the path of a unix socket has at most 107 bytes")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = systemSocket(AF_UNIX, systemStream)
        guard descriptor >= 0 else { throw ServerError("cannot listen on \(path): \(System.message())") }
        socket = Socket(descriptor: descriptor)
        do {
            try Self.removeStale(path, address)
            guard Self.call(bind, descriptor, address) == 0, listen(descriptor, Self.backlog) == 0 else {
                throw ServerError("cannot listen on \(path): \(System.message())")
            }
        } catch {
            socket.close()
            throw error
        }
        self.address = .unix(path: path)
        file = FileIdentity(path: path).map { (path, $0) }
    }

    /// A socket that nobody listens at any more is left over from a process that was killed.
    private static func removeStale(_ path: String, _ address: sockaddr_un) throws {
        guard let file = FileIdentity(path: path) else { return }
        guard file.isSocket else { throw ServerError("cannot listen on \(path): there is a file that is no socket") }
        let probe = systemSocket(AF_UNIX, systemStream)
        guard probe >= 0 else { return }
        defer { Socket(descriptor: probe).close() }
        if call(connect, probe, address) == 0 || errno == EAGAIN {
            throw ServerError("cannot listen on \(path): another server does")
        }
        if errno == ECONNREFUSED { _ = unlink(path) }
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32, _ address: sockaddr_un
    ) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

#if canImport(Glibc)
    private let systemStream = Int32(SOCK_STREAM.rawValue)
#else
    private let systemStream = SOCK_STREAM
#endif

/// A new socket, non-blocking and not inherited by child processes.
private func systemSocket(_ family: Int32, _ kind: Int32) -> Int32 {
    let descriptor = socket(family, kind, 0)
    guard descriptor >= 0 else { return descriptor }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
}

extension Socket {
    fileprivate func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
