import Foundation
import Images
import TestSupport

enum TestWorker {
    /// A worker of the program beside the tests.
    static func make(_ limits: WorkerProcess.Limits = .init()) throws -> WorkerProcess {
        WorkerProcess(executable: try RollcallProcess.executable().path, limits: limits)
    }

    /// The CPU time in seconds.
    static func processorTime(of processID: Int32) throws -> Double {
        var (clock, time) = (clockid_t(), timespec())
        guard clock_getcpuclockid(processID, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            throw CocoaError(.fileNoSuchFile)
        }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The most memory that was ever resident, in bytes, from `proc(5)`.
    static func peakMemory(of processID: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0) << 10
    }
}
