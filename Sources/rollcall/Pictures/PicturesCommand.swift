import ArgumentParser
import Images

struct PicturesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pictures",
        abstract: "Fetch people's pictures, import photos, or remove them.",
        discussion: """
            rollcall pictures --directory team      fetch the pictures that are due
            rollcall pictures --every 24h           and again every day
            rollcall pictures import photos/        take photos of your own from a folder
            rollcall pictures remove octocat        for a person who objects to the picture

            Pages then show Rollcall's own small copies, and no other host learns who reads them.
            """,
        subcommands: [FetchPictures.self, ImportPictures.self, RemovePictures.self],
        defaultSubcommand: FetchPictures.self)
}

/// The process that makes pictures. `WorkerProcess` starts it; nobody types it.
struct PictureWorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "picture-worker", abstract: "Make pictures for the process that started this one.",
        shouldDisplay: false)

    func run() throws {
        Memory.keepFreedBlocks(upTo: 32 << 20)
        throw ExitCode(WorkerLoop.run())
    }
}
