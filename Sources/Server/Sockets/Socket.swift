import Base
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
        outcome { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
    }

    /// Whether a read would return anything: bytes, the end, or a failure.
    var hasArrivals: Bool {
        var byte: UInt8 = 0
        return outcome { recv(descriptor, &byte, 1, Int32(MSG_PEEK)) } != .wouldBlock
    }

    /// Sends bytes.
    ///
    /// - Parameter continues: Whether more bytes follow at once, so that the system may wait for them before it sends a
    ///   packet.
    func write(_ bytes: UnsafeRawBufferPointer, continues: Bool = false) -> Outcome {
        let flags = Int32(MSG_NOSIGNAL) | (continues ? Int32(MSG_MORE) : 0)
        return outcome { send(descriptor, bytes.baseAddress, bytes.count, flags) }
    }

    /// Makes a call of the system until no signal interrupts it.
    @inline(__always) private func outcome(of call: () -> Int) -> Outcome {
        while true {
            let count = call()
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            if errno != EINTR { return errno == EAGAIN ? .wouldBlock : .failed }
        }
    }

    func shutdownWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    func close() { _ = Glibc.close(descriptor) }

    /// Makes `close` discard the bytes that the peer has not received yet; otherwise the system would keep trying to
    /// send them.
    func abortOnClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }

    /// Makes the system break the connection if the peer does not acknowledge bytes within this time, because it
    /// is gone without a word. Has no effect on sockets other than TCP.
    func limitUnacknowledged(milliseconds: Int) {
        set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, Int32(clamping: milliseconds))
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
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                accept4(descriptor, $0, &length, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
            }
        }
        if accepted >= 0 { return .connection(Socket(descriptor: accepted), Peer(address)) }
        switch errno {
        case EAGAIN, EBADF, EINVAL, ENOTSOCK, EFAULT: return .nothingMore
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted(SystemFile.reason)
        default: return .lost
        }
    }
}

/// The other side of a connection: an address, stored in as few bytes as it takes.
struct Peer: Hashable, Sendable {
    private enum Family: UInt8 { case unix, ip4, ip6 }

    private var family = Family.unix
    private var high: UInt64 = 0
    private var low: UInt64 = 0

    init() {}

    init(_ address: sockaddr_storage) {
        withUnsafeBytes(of: address) { bytes in
            switch Int32(address.ss_family) {
            case AF_INET:
                family = .ip4
                low = UInt64(bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
            case AF_INET6:
                family = .ip6
                high = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
                low = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
            default: break
            }
        }
    }

    /// The address as text.
    var text: String { String(writing: append) }

    /// Whether the client is on this machine and connected over its loopback network.
    var isLoopback: Bool {
        // ::1, and 127.0.0.0/8 as IPv6 has it.
        address == 1 || address >> 24 == 0xFFFF_7F
    }

    /// The address that a limit for each address counts by; `nil` for a unix socket. IPv4 over a socket for both counts
    /// as IPv4. IPv6 counts by its first 64 bits, because a single customer has all addresses that begin with them (RFC
    /// 6177 §2).
    var shareholder: UInt128? {
        if family == .unix { return nil }
        return address >> 32 == 0xFFFF ? address : (address >> 64) << 64
    }

    /// Whether what it says about its own client is believed: it is on this machine's Unix socket, or in one of
    /// `ranges`.
    func isTrusted(in ranges: [AddressRange]) -> Bool {
        family == .unix || ranges.contains { $0.contains(address) }
    }

    /// As an IPv6 address; IPv4 is mapped into it (`::ffff:192.0.2.1`), as sockets for both do. 0 for a unix socket.
    private var address: UInt128 {
        family == .ip4
            ? AddressRange.mapped(UInt32(bigEndian: UInt32(truncatingIfNeeded: low)))
            : UInt128(high.bigEndian) << 64 | UInt128(low.bigEndian)
    }

    /// Appends the address as text; the far side of a unix socket has none.
    func append(to buffer: ByteBuffer) {
        guard family != .unix else { return buffer.append("unix") }
        buffer.append(upTo: 64) { room in
            let words = (high, low)
            let isShort = family == .ip4
            return withUnsafeBytes(of: words) { bytes in
                let source = bytes.baseAddress.map { $0 + (isShort ? 8 : 0) }
                let text = room.baseAddress?.assumingMemoryBound(to: CChar.self)
                guard inet_ntop(isShort ? AF_INET : AF_INET6, source, text, socklen_t(room.count)) != nil, let text
                else { return 0 }
                return strlen(text)
            }
        }
    }
}
