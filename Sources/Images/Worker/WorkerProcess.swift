import Base
import People

/// Makes pictures in a process of its own that can do nothing but compute, and starts it again when it ends.
///
/// Files from strangers are decoded by C libraries. Whatever a file does to them stays in that process, which has no
/// open files, no network and little memory. Confined to one queue or task at a time.
public final class WorkerProcess {
    public struct Limits: Sendable {
        /// The CPU time for one picture, in seconds. A picture of 460 px takes 0.005.
        public var computing = 2
        /// The time until the answer is there. On a busy machine it says little about the work that was done.
        public var waiting: Duration = .seconds(30)

        public init() {}
    }

    private let executable: String
    private let arguments: [String]
    private let limits: Limits
    private var worker: SpawnedWorker?
    /// How often a worker was started.
    public private(set) var starts = 0

    /// - Parameter executable: The program that runs `WorkerLoop` when it gets `arguments`; by default this program.
    public init(
        executable: String = "/proc/self/exe", arguments: [String] = ["picture-worker"], limits: Limits = Limits()
    ) {
        (self.executable, self.arguments, self.limits) = (executable, arguments, limits)
    }

    /// The id of the running worker.
    public var processID: Int32? { worker?.processID }

    /// Returns the picture that `file` becomes, or why it becomes none. Throws if no worker can be started.
    ///
    /// A file that ends the worker, or exceeds a limit, is refused; the next one gets a new worker.
    public func make(_ file: [UInt8]) throws(RollcallError) -> Result<MadePicture, RollcallError> {
        try answer(WorkerRequest.picture.message(file))
    }

    /// Lets the worker try what the sandbox forbids, and returns how it went. For tests.
    package func attempt(_ probe: Probe) throws(RollcallError) -> Result<MadePicture, RollcallError> {
        try answer(WorkerRequest.probe.message(Array(probe.rawValue.utf8)))
    }

    private func answer(_ message: [UInt8]) throws(RollcallError) -> Result<MadePicture, RollcallError> {
        let worker = try runningWorker()
        do throws(RollcallError) {
            try worker.limitComputing(seconds: limits.computing)
            switch try worker.exchange(message, for: limits.waiting) {
            case .made(let picture): return .success(picture)
            case .refused(let refusal): return .failure(refusal)
            case .ready: throw RollcallError("expected an answer, found another")
            }
        } catch {
            self.worker = nil
            return .failure(error)
        }
    }

    /// Returns the worker, a new one if the last one is gone.
    private func runningWorker() throws(RollcallError) -> SpawnedWorker {
        if let worker, worker.isConnected { return worker }
        worker = nil
        let next: SpawnedWorker
        do throws(RollcallError) {
            next = try SpawnedWorker(executable, arguments)
            starts += 1
            switch try next.exchange([], for: limits.waiting) {
            case .ready: break
            case .refused(let refusal): throw refusal
            case .made: throw RollcallError("found a picture that was not asked for")
            }
        } catch { throw RollcallError("the process for pictures does not start: \(error)") }
        worker = next
        return next
    }
}
