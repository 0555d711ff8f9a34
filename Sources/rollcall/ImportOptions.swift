import ArgumentParser
import Directories
import Foundation
import Importers

/// What every import takes.
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

    @Option(
        help: ArgumentHelp(
            "Import again and again, so long after each start, as in 6h, until it is stopped.", valueName: "duration"))
    var every: Interval?

    @Option(help: "How to tell how it goes: text or json, a line every few seconds; by default a bar on a terminal.")
    var progress: ProgressFormat?

    @OptionGroup var locking: LockOptions

    func validate() throws {
        _ = (Environment.bool("DRY_RUN"), Environment.bool("PRUNE"), progressFormat)
        try Environment.check()
        if let directory = chosenDirectory, Slug(directory) == nil {
            throw ValidationError(
                "expected \(Slug.rule), as --directory, found \"\(directory)\""
            )
        }
        try expectLine(chosenTitle, of: "--title")
        let every = repetition
        try Environment.check()
        if let every, every.duration < .seconds(1) {
            throw ValidationError("--every: expected a second or more, as in 6h, found \(every)")
        }
    }

    private var chosenDirectory: String? { directory ?? Environment.string("DIRECTORY") }
    var isDryRun: Bool { dryRun || Environment.bool("DRY_RUN") == true }
    var isPruning: Bool { prune || Environment.bool("PRUNE") == true }
    var repetition: Interval? { every ?? Environment.interval("EVERY") }
    var progressFormat: ProgressFormat? { progress ?? Environment.value("PROGRESS") }

    private var chosenTitle: String? { title ?? Environment.string("TITLE") }

    /// What people are to call the directory `slug`; `nil` to leave that as it is.
    func title(of slug: Slug) -> String? { chosenTitle.map(slug.title) }

    /// The directory to fill. Throws where none is chosen, and none can be called after the source.
    private func slug(defaultName: String) throws -> Slug {
        if let chosen = chosenDirectory.flatMap({ Slug($0) }) { return chosen }
        if let slug = Slug(importName: defaultName) { return slug }
        throw ValidationError(
            "expected a --directory to fill, such as --directory people, because \"\(defaultName)\" has none of a–z and 0–9"
        )
    }

    /// Imports what `makeSource` makes of the ledger, once or for ever, and exits as that ended.
    func run<Source: ImportSource>(
        kind: String, defaultName: String, batchSize: Int? = nil, terms: Terms = Terms(),
        makeSource: @escaping ((any ImportLedger)?) throws -> Source
    ) throws {
        let importing = Importing(
            options: self, kind: kind, slug: try slug(defaultName: defaultName), batchSize: batchSize,
            terms: terms, makeSource: makeSource)
        let status = try importing.run()
        if status != 0 { throw ExitCode(status) }
    }
}

/// For sources that hand over their people faster than they can be saved.
struct BatchOptions: ParsableArguments {
    @Option(
        parsing: .unconditional, help: ArgumentHelp("How many people are handed over at a time.", valueName: "number"))
    var batchSize = Environment.int("BATCH_SIZE") ?? ImportRun.Configuration().batchSize

    func validate() throws {
        try Environment.check()
        guard (1...1_000_000).contains(batchSize) else {
            throw ValidationError("expected a --batch-size from 1 to 1,000,000, found \(batchSize)")
        }
    }
}

extension Slug {
    /// The directory for a source called `name`: `Our Team.csv.gz` fills `our-team`. `nil` where nothing of the name may
    /// stand in a slug.
    init?(importName name: String) {
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
        self.init(slug.prefix(64))
    }
}
