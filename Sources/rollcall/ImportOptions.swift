import ArgumentParser
import Directories
import Dispatch
import Foundation
import Importers

/// What every import takes, and how every import runs.
struct ImportOptions: ParsableArguments {
    @Option(help: "The database file.")
    var database = Environment.string("DATABASE") ?? "rollcall.sqlite"

    @Option(
        help: ArgumentHelp(
            "The directory to fill, made if it is new; by default called after the source.", valueName: "slug"))
    var directory: String?

    @Option(help: "What people call the directory.")
    var title: String?

    @Flag(help: "Read and check everything, save nothing.")
    var dryRun = false

    @Flag(help: "Afterwards remove the people that the source does not have; not if any record was rejected.")
    var prune = false

    @Option(help: ArgumentHelp("How many people are handed over at a time.", valueName: "number"))
    var batchSize = Environment.int("BATCH_SIZE") ?? ImportRun.Configuration().batchSize

    func validate() throws {
        _ = (Environment.bool("DRY_RUN"), Environment.bool("PRUNE"))
        try Environment.check()
        guard (1...1_000_000).contains(batchSize) else {
            throw ValidationError("expected a --batch-size from 1 to 1,000,000, found \(batchSize)")
        }
        if let directory = chosenDirectory, Slug(directory) == nil {
            throw ValidationError(
                "expected 1 to 64 of a–z, 0–9, - and _, starting with a letter or digit, as --directory, found \"\(directory)\""
            )
        }
    }

    private var chosenDirectory: String? { directory ?? Environment.string("DIRECTORY") }

    func run(_ source: some ImportSource, kind: String, defaultName: String) throws {
        var configuration = ImportRun.Configuration()
        configuration.batchSize = batchSize
        configuration.isPruning = prune || Environment.bool("PRUNE") == true
        let slug = chosenDirectory.flatMap { Slug($0) } ?? Slug(importName: defaultName)
        let isDryRun = dryRun || Environment.bool("DRY_RUN") == true
        // Ctrl-C ends the import after the batch at hand; a second one at once, which loses nothing but that batch.
        let signals = onTermination { [cancellation = configuration.cancellation] number in
            if cancellation.isCancelled { _exit(128 + number) }
            cancellation.cancel()
        }
        defer { for signal in signals { signal.cancel() } }
        let report = ImportReport(directory: slug, isDryRun: isDryRun)
        // Opened only when there is somebody to write: a missing file leaves no empty directory behind.
        let run = ImportRun(configuration: configuration) {
            try isDryRun
                ? nil
                : openStore(database, isForWriting: true).openDirectory(
                    slug, title: title ?? Environment.string("TITLE"), source: kind)
        }
        let summary = run.run(source, observe: report.show)
        try report.finish(summary)
    }
}

extension Slug {
    /// The directory for a source called `name`: `Our Team.csv.gz` fills `our-team`.
    init(importName name: String) {
        let stem = name.drop { $0 == "." }.prefix { $0 != "." }
        var slug = ""
        for byte in stem.lowercased().utf8 {
            let isKept = (97...122).contains(byte) || (48...57).contains(byte) || (byte == 95 && !slug.isEmpty)
            if isKept {
                slug.append(Character(Unicode.Scalar(byte)))
            } else if !slug.isEmpty, slug.last != "-" {
                slug.append("-")
            }
        }
        while slug.last == "-" { slug.removeLast() }
        self = Slug(slug.prefix(64)) ?? Slug(literal: "people")
    }
}
