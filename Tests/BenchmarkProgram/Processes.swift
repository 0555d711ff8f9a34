import Foundation
import TestSupport

/// CPU time and memory of a program and all of its descendants, as the system reports them.
struct ProcessTree {
    let root: pid_t

    /// User and system time of all processes so far, in seconds. Processes that have ended are counted in their
    /// parents.
    var cpuSeconds: Double {
        let ticks = members.compactMap { ProcessFiles($0).fields }.reduce(0.0) { sum, fields in
            // proc(5): utime, stime, cutime and cstime are fields 14 to 17; after the name, 11 to 14.
            sum + fields[11...14].reduce(0) { $0 + (Double($1) ?? 0) }
        }
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Resident memory in MiB.
    var memory: Double { Double(members.reduce(0) { $0 + ProcessFiles($1).kiB("VmRSS:") }) / 1024 }

    private var members: [pid_t] {
        let parents = Self.processes.compactMap { process in
            ProcessFiles(process).fields.flatMap { pid_t($0[1]) }.map { (process, $0) }
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
}
