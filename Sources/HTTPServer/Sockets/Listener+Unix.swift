#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Listening at a socket in the file system.
extension Listener {
    /// Longer ones leave no room for the name that a socket has before it takes its place.
    private static let maxPathBytes = 98

    init(path: String, isShared: Bool) throws {
        guard (1...Self.maxPathBytes).contains(path.utf8.count) else {
            throw ServerError(
                "cannot listen on \(path): the path of a unix socket has 1 to \(Self.maxPathBytes) bytes here")
        }
        try Self.checkPlace(path, isShared: isShared)
        guard let socket = Socket(family: AF_UNIX) else {
            throw ServerError("cannot listen on \(path): \(System.message())")
        }
        // Under another name until it listens: nobody finds it closed, and whoever listened there before loses nobody.
        let draft = "\(path).\(getpid())"
        _ = unlink(draft)
        guard Self.call(bind, socket, draft) == 0, listen(socket.descriptor, Self.backlog) == 0,
            rename(draft, path) == 0
        else {
            let message = System.message()
            socket.close()
            _ = unlink(draft)
            throw ServerError("cannot listen on \(path): \(message)")
        }
        self.init(socket, at: .unix(path: path), file: SocketFile(path: path))
    }

    /// A socket that nobody listens at any more is left over from a process that was killed, and may be replaced.
    private static func checkPlace(_ path: String, isShared: Bool) throws {
        guard let file = SocketFile(path: path) else { return }
        guard file.isSocket else { throw ServerError("cannot listen on \(path): there is a file that is no socket") }
        guard !isShared, let probe = Socket(family: AF_UNIX) else { return }
        defer { probe.close() }
        if call(connect, probe, path) == 0 || errno == EAGAIN {
            throw ServerError("cannot listen on \(path): another server does")
        }
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ socket: Socket, _ path: String
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// The file of a unix socket, told from another one that took its name.
struct SocketFile: Equatable, Sendable {
    let path: String
    let isSocket: Bool
    private let device: UInt64
    private let inode: UInt64

    /// What is at `path` now; `nil` if nothing is.
    init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.path = path
        isSocket = status.st_mode & S_IFMT == S_IFSOCK
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// Removes it, unless another one is in its place.
    func remove() {
        if SocketFile(path: path) == self { _ = unlink(path) }
    }
}
