import CLinux
import Glibc

/// A non-blocking stream socket. It is only a descriptor number: its owner must close it.
struct Socket: Equatable, Sendable {
    let descriptor: Int32

    enum Outcome: Equatable {
        case bytes(Int)
        /// The peer sends no more bytes.
        case end
        /// The operation would block. Wait until the system reports that the socket is ready.
        case wouldBlock
        /// The connection is broken.
        case failed
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            if errno == EINTR { continue }
            return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .failed
        }
    }

    /// Whether a read would return anything: bytes, the end, or a failure.
    var hasArrivals: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK)) >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK)
    }

    /// Sends bytes.
    ///
    /// - Parameter continues: Whether more bytes follow at once, so that the system may wait for them before it sends a
    ///   packet.
    func write(_ bytes: UnsafeRawBufferPointer, continues: Bool = false) -> Outcome {
        let flags = Int32(MSG_NOSIGNAL) | (continues ? Int32(MSG_MORE) : 0)
        while true {
            let count = send(descriptor, bytes.baseAddress, bytes.count, flags)
            if count >= 0 { return .bytes(count) }
            if errno == EINTR { continue }
            return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .failed
        }
    }

    func shutdownWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    func close() { _ = systemClose(descriptor) }

    /// Makes `close` discard the bytes that the peer has not received yet; otherwise the system would keep trying to
    /// send them.
    func abortOnClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }

    /// Makes the system break the connection if the peer does not acknowledge bytes within this time, because it
    /// is gone without a word. Has no effect on sockets other than TCP.
    func limitUnacknowledged(milliseconds: Int) {
        var limit = Int32(clamping: milliseconds)
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &limit, socklen_t(MemoryLayout<Int32>.size))
    }

    enum Acceptance {
        case connection(Socket, Peer)
        case nothingMore
        /// The connection was already gone, or its network failed. Other connections may be waiting behind it.
        case lost
        /// The system has no descriptors or memory left.
        case exhausted(String)
    }

    func accept() -> Acceptance {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let accepted = withUnsafeMutablePointer(to: &address) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { systemAccept(descriptor, $0, &length) }
        }
        if accepted >= 0 { return .connection(Socket(descriptor: accepted), Peer(address)) }
        switch errno {
        case EAGAIN, EWOULDBLOCK: return .nothingMore
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted(System.message())
        case EBADF, EINVAL, ENOTSOCK, EFAULT: return .nothingMore
        default: return .lost
        }
    }
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

private func systemAccept(
    _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>, _ length: UnsafeMutablePointer<socklen_t>
) -> Int32 {
    return accept4(descriptor, address, length, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
}
