import Foundation
import Glibc

/// A blocking TCP connection on this machine, on which tests speak HTTP byte by byte, so that they see exactly what was
/// sent.
public struct Connection: Sendable {
    let descriptor: Int32

    /// Connects to `127.0.0.1:port`. Reads and writes fail after two minutes, so that no test hangs.
    ///
    /// - Parameter receiveBuffer: The number of bytes that the system buffers, for a slow reader.
    public init(port: Int, receiveBuffer: Int32? = nil) throws {
        self.init(descriptor: makeSocket())
        // Set before connecting, because the connection then announces its window.
        if var receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4) }
        try open(loopback(port: port), "127.0.0.1:\(port)")
    }

    init(descriptor: Int32, hasLimits: Bool = true) {
        self.descriptor = descriptor
        guard hasLimits else { return }
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    /// Connects to a Unix socket.
    public init(path: String) throws {
        self.init(descriptor: makeSocket(AF_UNIX))
        try open(local(path), path)
    }

    private func open<Address>(_ address: Address, _ name: String) throws {
        let result = unlessInterrupted { Int(withSocketAddress(address) { connect(descriptor, $0, $1) }) }
        guard result == 0 else {
            close()
            throw Failure("nothing accepts connections at \(name): errno \(errno)")
        }
    }

    /// Returns the two ends of a connection. A program may inherit the second: it waits there as long as it likes.
    static func pair() throws -> (Connection, Connection) {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, streams, 0, &ends) == 0 else { throw Failure("no pair of sockets: errno \(errno)") }
        return (Connection(descriptor: ends[0]), Connection(descriptor: ends[1], hasLimits: false))
    }

    public func write(_ bytes: some Collection<UInt8>) throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = unlessInterrupted {
                rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, noSignal) }
            }
            guard count > 0 else { throw Failure("the peer accepted no more bytes: errno \(errno)") }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes as many bytes as the peer accepts without reading. Returns their number.
    public func writeWhatFits(_ bytes: [UInt8]) -> Int {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, noSignal | Int32(MSG_DONTWAIT))
            }
            guard count > 0 else { break }
            sent += count
        }
        return sent
    }

    /// Announces that nothing more will be sent.
    public func endWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Ends the connection; a call that reads returns.
    public func endReading() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Closes the connection with a reset.
    public func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Returns the next bytes, empty at the end.
    public func read() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unlessInterrupted { recv(descriptor, &buffer, buffer.count, 0) }
        guard count >= 0 else { throw Failure("no bytes arrived: errno \(errno)") }
        return Array(buffer.prefix(count))
    }

    /// Returns the bytes up to and including the empty line that ends a head, empty if the peer has closed.
    public func readHead() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
            let more = try read()
            if more.isEmpty { return [] }
            bytes += more
        }
        return bytes
    }

    public func close() { _ = Glibc.close(descriptor) }
}

/// A socket that accepts connections on a free port of `127.0.0.1`, or of another address of this machine.
public struct LoopbackListener: Sendable {
    public let descriptor: Int32
    public let port: Int

    public init(host: String = "127.0.0.1") throws {
        descriptor = makeSocket()
        var address = loopback(port: 0)
        address.sin_addr.s_addr = inet_addr(host)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        guard withSocketAddress(address, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, 4096) == 0 else {
            throw Failure("no free port: errno \(errno)")
        }
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// Listens on a Unix socket at a path.
    public init(path: String) throws {
        descriptor = makeSocket(AF_UNIX)
        port = 0
        let descriptor = descriptor
        guard withSocketAddress(local(path), { bind(descriptor, $0, $1) }) == 0, listen(descriptor, 4096) == 0 else {
            throw Failure("cannot listen at \(path): errno \(errno)")
        }
    }

    /// Returns the next connection, or `nil` once the listener is shut down.
    public func next() -> Connection? {
        let accepted = unlessInterrupted { Int(accept(descriptor, nil, nil)) }
        return accepted < 0 ? nil : Connection(descriptor: Int32(accepted))
    }

    /// Serves each connection on a thread of its own, and then closes it, until the listener is shut down.
    public func serveEach(_ serve: @escaping @Sendable (Connection) throws -> Void) {
        Thread.detachNewThread {
            while let connection = next() {
                Thread.detachNewThread {
                    defer { connection.close() }
                    try? serve(connection)
                }
            }
        }
    }

    public func close() { _ = Glibc.close(descriptor) }

    public func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// Returns the result of a system call, repeated if a signal interrupted it.
public func unlessInterrupted(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

/// A test failure, described in words.
public struct Failure: Error, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}

private let noSignal = Int32(MSG_NOSIGNAL)
private let streams = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
private func makeSocket(_ family: Int32 = AF_INET) -> Int32 { socket(family, streams, 0) }

private func loopback(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
}

private func local(_ path: String) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    return address
}

private func withSocketAddress<Address>(
    _ address: Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
    withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<Address>.size)) }
    }
}
