import ArgumentParser
import PictureWorker

/// The process that makes pictures. `WorkerProcess` starts it; nobody types it.
struct PictureWorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "picture-worker", abstract: "Make pictures for the process that started this one.",
        shouldDisplay: false)

    func run() throws {
        Memory.keepFreedBlocks()
        throw ExitCode(WorkerLoop.run())
    }
}
