import Foundation

/// What the system says about a running program, as a Linux tells it.
extension Program {
    /// Open files and sockets.
    public var openDescriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(processID)/fd").count) ?? 0
    }

    public var openSockets: Int {
        let folder = "/proc/\(processID)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
            return target?.hasPrefix("socket:") == true
        }
    }

    /// Memory in use, in KiB.
    public var residentKiB: Int { kiB("VmRSS:") }

    /// The most memory that it has used so far, in KiB.
    public var mostResidentKiB: Int { kiB("VmHWM:") }

    private func kiB(_ name: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    /// User and system time so far, in hundredths of a second.
    public var ticks: Int {
        let stat = (try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8)) ?? ""
        let words = stat.split(separator: ")").last?.split(separator: " ") ?? []
        guard words.count > 12, let user = Int(words[11]), let system = Int(words[12]) else { return 0 }
        return user + system
    }
}

/// Waits, at most a minute, for what a program is about to do.
public func eventually(_ what: String, _ condition: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(60)
    while try !condition() {
        guard ContinuousClock.now < end else { throw Failure("did not happen within a minute: \(what)") }
        Thread.sleep(forTimeInterval: 0.005)
    }
}
