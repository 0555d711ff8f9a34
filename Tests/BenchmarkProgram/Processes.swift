import Foundation

/// CPU time and memory of a program and all of its descendants, as the system reports them.
struct ProcessTree {
    let root: pid_t

    /// User and system time of all processes so far, in seconds. Processes that have ended are counted in their
    /// parents.
    var cpuSeconds: Double {
        let ticks = members.compactMap(Self.fields).reduce(0.0) { sum, fields in
            // proc(5): utime, stime, cutime and cstime are fields 14 to 17; after the name, 11 to 14.
            sum + fields[11...14].reduce(0) { $0 + (Double($1) ?? 0) }
        }
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Resident memory in MiB.
    var memory: Double { members.reduce(0.0) { $0 + Self.mebibytes("VmRSS:", of: $1) } }

    /// The peak resident memory of one process in MiB.
    static func peakMemory(of process: pid_t) -> Double { mebibytes("VmHWM:", of: process) }

    private static func mebibytes(_ name: String, of process: pid_t) -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        return (line.flatMap { Double($0.split(whereSeparator: \.isWhitespace)[1]) } ?? 0) / 1024
    }

    private var members: [pid_t] {
        let parents = Self.processes.compactMap { process in
            Self.fields(of: process).flatMap { pid_t($0[1]) }.map { (process, $0) }
        }
        var members = [root]
        var next = 0
        while next < members.count {
            members += parents.filter { $0.1 == members[next] }.map(\.0)
            next += 1
        }
        return members
    }

    private static var processes: [pid_t] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
    }

    /// The fields of `/proc/PID/stat` after the name, which may contain any character.
    private static func fields(of process: pid_t) -> [Substring]? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        return text[text.index(after: end)...].split(separator: " ")
    }
}
