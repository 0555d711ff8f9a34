import Glibc

/// The system's calls about time and about this process, as functions that return values instead of taking pointers.
public enum SystemValues {
    /// The time on `clock` (clock_gettime(2)), in nanoseconds: by default on the monotonic one that measures durations,
    /// which counts from some moment in the past and is read without a system call, in about 20 ns.
    @inlinable public static func nanoseconds(on clock: clockid_t = CLOCK_MONOTONIC) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// The time of day on the coarse clock, in whole seconds.
    @inlinable public static var secondsSince1970: Int { nanoseconds(on: CLOCK_REALTIME_COARSE) / 1_000_000_000 }

    /// Ignores SIGPIPE: writing shall report that the peer has gone away, instead of ending the process.
    public static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Raises the limit of open descriptors to the maximum that the system administrator allows. Returns the new limit.
    public static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        if getrlimit(resource, &limit) == 0 {
            limit.rlim_cur = limit.rlim_max
            setrlimit(resource, &limit)
        }
        return descriptorLimit ?? .max
    }

    /// How many descriptors this process may have open; `nil` if the system does not say.
    public static var descriptorLimit: Int? {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        return getrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : nil
    }
}

extension SystemValues {
    /// The words behind the program's name. Bytes that are not UTF-8 are kept: see `String.init(systemPath:)`.
    /// (`CommandLine.arguments` replaces them.)
    public static var arguments: [String] {
        (0..<Int(CommandLine.argc)).dropFirst().compactMap { index in
            CommandLine.unsafeArgv[index].map { String(systemPath: $0) }
        }
    }

    /// The value of a variable of the environment as it is now; `nil` if it is not set.
    public static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Removes a variable from the environment. No other thread may read the environment meanwhile.
    public static func unset(_ name: String) { unsetenv(name) }

    /// Whether this process ignores signal `number`.
    public static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        // Compared as numbers: SIG_IGN is not a function, although Swift imports it as one.
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// How many characters a line of the terminal has; `nil` if `descriptor` is not a terminal.
    public static func columns(ofTerminal descriptor: Int32) -> Int? {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : nil
    }

    /// Whether this process may listen on `port` of 127.0.0.1.
    public static func isFree(port: UInt16) -> Bool {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { return false }
        defer { close(file) }
        var yes: Int32 = 1
        setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port.bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// The length of the name of a unix socket must be below this.
    public static let socketNameLimit = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

    /// Sends a datagram to the unix socket `name`, a path, or behind a zero byte an abstract name (unix(7)). Errors are
    /// ignored.
    public static func send(_ message: String, toSocket name: [UInt8]) {
        precondition(name.count < socketNameLimit)
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let message = Array(message.utf8)
        withAddress(ofSocket: name) { _ = sendto(descriptor, message, message.count, 0, $0, $1) }
    }

    /// Calls `body` with the address of the unix socket `name`, and its length: see ``send(_:toSocket:)``.
    public static func withAddress<Result>(
        ofSocket name: [UInt8], _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - socketNameLimit + name.count)
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
