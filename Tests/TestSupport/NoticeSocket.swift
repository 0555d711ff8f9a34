import Foundation

/// Receives a program's notifications, as systemd does: datagrams to the socket that `NOTIFY_SOCKET` names.
public struct NoticeSocket: Sendable {
    private let socket: Connection
    private let path: String?

    /// - Parameter name: A path, or `@` and an abstract name.
    public init(_ name: String) throws {
        path = name.hasPrefix("/") ? name : nil
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        socket = Connection(descriptor: Foundation.socket(AF_UNIX, kind, 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = path == nil ? [0] + name.utf8.dropFirst() : Array(name.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let descriptor = socket.descriptor
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard result == 0 else { throw Failure("cannot listen at \(name): errno \(errno)") }
    }

    /// Returns the next message.
    public func next() throws -> String { String(decoding: try socket.read(), as: UTF8.self) }

    public func close() {
        socket.close()
        if let path { unlink(path) }
    }
}
