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
}
