import Base
import CLinux
import Glibc

/// The sandbox, which takes everything away from this process that making pictures does not need.
extension WorkerLoop {
    /// The memory for one picture: 64 MiB of pixels, a file of 32 MiB, and what a progressive JPEG of 50 megapixels
    /// with half of the colours in each direction needs to decode.
    private static let memory = 320 << 20

    /// Limits the process, runs `warmUp`, and then ends the process at any system call that computing does not need.
    ///
    /// `warmUp` uses everything once, so that libraries open nothing later.
    static func closeSandbox(after warmUp: () throws -> Void) throws {
        try check(closeDescriptors(3), "close descriptors")
        // The parent ends this process by closing the connection; a terminal or systemd signals both at once.
        for signal in [SIGINT, SIGTERM, SIGHUP] { Glibc.signal(signal, SIG_IGN) }
        // An absolute limit would not do: a Swift program maps some 500 MiB before it does anything.
        try check(limitResources(UInt64(addressSpace() + memory)), "limit resources")
        try check(giveUpPrivileges(), "give up privileges")
        try warmUp()
        try check(forbidOpening(), "limit open files")
        // Last: whatever comes after it may need a call that it forbids.
        try check(allowOnlyComputing(), "filter system calls")
    }

    private static func check(_ result: Int32, _ action: String) throws {
        try expect(result == 0, "cannot \(action): \(SystemFile.reason)")
    }

    /// Returns the size of the address space in bytes, from `proc(5)`.
    private static func addressSpace() throws -> Int {
        let file = SystemFile.open("/proc/self/statm", O_RDONLY)
        defer { Glibc.close(file) }
        let digits = SystemFile.read(upTo: 64, from: file)?.prefix { $0 != UInt8(ascii: " ") }
        let pages = try required(
            digits.flatMap { Int(String(decoding: $0, as: UTF8.self)) }, "cannot read /proc/self/statm")
        return pages * Int(getpagesize())
    }
}

/// Something that the sandbox forbids. Tests let a worker try it; nothing else asks for it.
package enum Probe: String, CaseIterable, Sendable {
    case open, socket, execute, gibibyte
    /// Computes without end.
    case compute

    init?(_ name: [UInt8]) { self.init(rawValue: String(decoding: name, as: UTF8.self)) }

    /// Returns words for how it went. In the sandbox, most of these do not return.
    func attempt() -> String {
        switch self {
        case .open: return outcome(Glibc.open("/dev/null", O_RDONLY) >= 0)
        case .socket: return outcome(Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0)
        case .execute:
            var arguments: [UnsafeMutablePointer<CChar>?] = [nil]
            return outcome(execve("/bin/true", &arguments, &arguments) == 0)
        case .gibibyte:
            let memory = mmap(nil, 1 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            return outcome(memory != MAP_FAILED)
        case .compute:
            while clock() >= 0 {}
            return outcome(false)
        }
    }

    private func outcome(_ isAllowed: Bool) -> String { "\(rawValue) \(isAllowed ? "succeeded" : "failed")" }
}
