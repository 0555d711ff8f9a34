import Base
import Glibc

/// Listening on a socket in the file system.
extension Listener {
    /// The longest path. A longer one leaves no room for the temporary name that the socket has before it is renamed.
    private static let maxPathBytes = 98

    init(path: String, isShared: Bool) throws {
        guard (1...Self.maxPathBytes).contains(path.utf8.count) else {
            throw ServerError(
                "cannot listen on \(path): the path of a unix socket must have 1 to \(Self.maxPathBytes) bytes")
        }
        try Self.checkPlace(path, isShared: isShared)
        guard let socket = Socket(family: AF_UNIX) else {
            throw ServerError("cannot listen on \(path): \(SystemFile.reason)")
        }
        // The socket has a temporary name until it listens. So no client finds it closed, and a server that already
        // listens at the path loses no connection.
        let draft = "\(path).\(getpid())"
        _ = unlink(draft)
        guard Self.call(bind, socket, draft) == 0, listen(socket.descriptor, Self.backlog) == 0,
            rename(draft, path) == 0
        else {
            let message = SystemFile.reason
            socket.close()
            _ = unlink(draft)
            throw ServerError("cannot listen on \(path): \(message)")
        }
        self.init(socket, at: .unix(path: path), file: SocketFile(path: path))
    }

    /// Throws an error if the path is in use. A socket without a listener is left over from a killed process and may be
    /// replaced.
    private static func checkPlace(_ path: String, isShared: Bool) throws {
        guard let file = SocketFile(path: path) else { return }
        guard file.isSocket else { throw ServerError("cannot listen on \(path): the file there is not a socket") }
        guard !isShared, let probe = Socket(family: AF_UNIX) else { return }
        defer { probe.close() }
        if call(connect, probe, path) == 0 || errno == EAGAIN {
            throw ServerError("cannot listen on \(path): another server listens there")
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

/// The file of a unix socket. Its device and inode distinguish it from another file that took over its path.
struct SocketFile: Equatable, Sendable {
    let path: String
    let isSocket: Bool
    private let device: UInt64
    private let inode: UInt64

    /// Describes the file at `path`. Returns `nil` if nothing is there.
    init?(path: String) {
        guard let status = SystemFile.status(ofLink: path) else { return nil }
        self.path = path
        isSocket = status.st_mode & S_IFMT == S_IFSOCK
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// Removes the file, unless another one has replaced it.
    func remove() {
        if SocketFile(path: path) == self { _ = unlink(path) }
    }
}
