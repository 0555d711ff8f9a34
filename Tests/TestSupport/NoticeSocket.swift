import Foundation

/// Receives a program's notifications, as systemd does: datagrams to the socket that `NOTIFY_SOCKET` names.
public struct NoticeSocket: Sendable {
    private let descriptor: Int32
    private let path: String?

    /// - Parameter name: A path, or `@` and an abstract name.
    public init(_ name: String) throws {
        path = name.hasPrefix("/") ? name : nil
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var minute = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &minute, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = path == nil ? [0] + name.utf8.dropFirst() : Array(name.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let descriptor = descriptor
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard result == 0 else { throw Failure("cannot listen at \(name): errno \(errno)") }
    }

    /// Returns the next message.
    public func next() throws -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unlessInterrupted { recv(descriptor, &buffer, buffer.count, 0) }
        guard count >= 0 else { throw Failure("no message arrived within a minute") }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    public func close() {
        _ = Foundation.close(descriptor)
        if let path { unlink(path) }
    }
}
