import CLinux
import Glibc

/// A listening socket.
struct Listener: Sendable {
    let socket: Socket
    /// The address at which clients can reach it. For port 0, it contains the port that the system chose.
    let address: Server.Address
    /// The file of a unix socket, as it was when the socket was created. `close` removes it.
    let file: SocketFile?

    /// Listens at `address`.
    ///
    /// - Parameter isShared: Whether another server, an older version that is about to end, may listen at the same
    ///   address.
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

    /// Stops listening, and removes the file of a unix socket if it is still the listener's own.
    func close() {
        file?.remove()
        socket.close()
    }

    /// The number of connections that may wait to be accepted; the system may allow fewer.
    static let backlog = Int32(4096)

    /// Uses a socket that another process, such as systemd, has opened. Its queue outlives this process: a connection
    /// that is not accepted here waits for the next process.
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

    /// Returns the address that a socket is bound to.
    static func address(of socket: Socket) -> Server.Address? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket.descriptor, $0, &length) }
        }
        guard code == 0 else { return nil }
        return withUnsafeBytes(of: storage) { bytes in
            // The port has the same offset in both address families.
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

    /// Creates a stream socket that is non-blocking and not inherited by child processes. Returns `nil` if the system
    /// refuses.
    init?(family: Int32) {
        let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let descriptor = socket(family, Int32(kind), 0)
        guard descriptor >= 0 else { return nil }
        self.init(descriptor: descriptor)
    }
}
