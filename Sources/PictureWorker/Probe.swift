import Platform

/// Something that the sandbox forbids. Tests let a worker try it; nothing else asks for it.
package enum Probe: String, CaseIterable, Sendable {
    case open, socket, execute, gibibyte
    /// Computes without end.
    case compute

    init?(_ name: [UInt8]) { self.init(rawValue: String(decoding: name, as: UTF8.self)) }

    /// Returns words for how it went. In the sandbox, most of these do not return.
    func attempt() -> String {
        switch self {
        case .open: return outcome(Platform.open("/dev/null", O_RDONLY) >= 0)
        case .socket: return outcome(Platform.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0)
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
