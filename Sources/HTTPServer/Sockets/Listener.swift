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
    let file: SocketFile?

    /// - Parameter isShared: whether another server may listen at the same place: an older version that is about to end.
    init(_ address: Server.Address, isShared: Bool = false) throws {
        switch address {
        case .tcp(let hostname, let port): try self.init(hostname: hostname, port: port, isShared: isShared)
        case .unix(let path): try self.init(path: path, isShared: isShared)
        case .descriptor(let descriptor): try self.init(descriptor: descriptor)
        }
    }

    init(_ socket: Socket, at address: Server.Address, file: SocketFile? = nil) {
        self.socket = socket
        self.address = address
        self.file = file
    }

    /// Stops listening, and takes the file of a unix socket away if it is still its own.
    func close() {
        file?.remove()
        socket.close()
    }

    /// As many as the system allows wait to be accepted.
    static let backlog = Int32(4096)

    /// A socket that somebody else has opened, such as systemd. Its queue outlives this process: what is not accepted here is
    /// there for the next one.
    private init(descriptor: Int32) throws {
        let socket = Socket(descriptor: descriptor)
        var accepts: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &accepts, &length) == 0, accepts != 0 else {
            throw ServerError("descriptor \(descriptor) is not a listening stream socket")
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let address = Self.address(of: socket) ?? .descriptor(descriptor)
        if case .tcp = address { socket.setUpForAnswers() }
        self.init(socket, at: address)
    }

    /// What the system says that a socket is bound to.
    static func address(of socket: Socket) -> Server.Address? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket.descriptor, $0, &length) }
        }
        guard code == 0 else { return nil }
        return withUnsafeBytes(of: storage) { bytes in
            // The port is at the same place in both families.
            let port = Int(bytes[2]) << 8 | Int(bytes[3])
            switch Int32(storage.ss_family) {
            case AF_INET, AF_INET6: return .tcp(hostname: Peer(storage).text, port: port)
            case AF_UNIX: return .unix(path: String(decoding: bytes[2..<Int(length)].prefix { $0 != 0 }, as: UTF8.self))
            default: return nil
            }
        }
    }
}

extension Socket {
    func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// A new stream socket, non-blocking and not inherited by child processes; `nil` where the system says no.
    init?(family: Int32) {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.init(descriptor: descriptor)
    }
}
