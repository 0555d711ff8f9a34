import ArgumentParser
import Importers
import People
import Publishing

/// The options that every import takes, in the order in which `--help` lists them.
struct ImportOptions: ParsableArguments {
    @OptionGroup(title: "Directory") var target: TargetOptions
    @OptionGroup(title: "Directory") var storage: DatabaseOption
    @OptionGroup(title: "Columns") var columns: ColumnOptions
    @OptionGroup(title: "Columns") var identity: KeyOptions
    @OptionGroup(title: "Fields") var fields: FieldOptions
    @OptionGroup(title: "Fields") var file: SettingsFileOption
    @OptionGroup(title: "Import") var repetition: RepetitionOptions
    @OptionGroup(title: "Import") var course: CourseOptions
    @OptionGroup(title: "Import") var consent: ConsentOption

    func validate() throws {
        for (option, isGiven) in [("--json", course.json), ("--all", course.all)] {
            try expect(isDryRun || !isGiven, "\(option): expected --dry-run, whose result it is about")
        }
        _ = (try file.source?.logo(), try edits)
    }

    private var edits: SettingsEdits { get throws { try SettingsEdits(fields, columns, key: identity.key) } }

    /// The import into `directory`, which may not exist yet, that the options ask for.
    ///
    /// - Parameter file: what ``file`` names.
    func request(
        of directory: StoredDirectory?, in store: (any Store)?, _ file: SettingsFile?
    ) throws -> ImportRequest {
        var request = ImportRequest(try edits, of: directory, in: store)
        hide(&request.edits.set, file)
        if let store {
            request.handleHeadings = Dictionary(
                store.directories.map { (HandleHeading(of: $0, in: store.instance).directory, $0.slug.text) },
                uniquingKeysWith: { first, _ in first })
            if let directory { request.holders = { try store.holders(in: directory, where: $0) } }
        }
        request.namesDirectoryAfterSource = directory == nil && target.directory == nil
        if let file {
            request.own = try checked("--settings: ") {
                try file.applied(to: request.stored, replacingAll: self.file.replacement.replace).own
            }
            request.file = file.settings.own
        }
        request.missing = course.missing
        request.agree = Consent(isGivenAlready: consent.yes || isDryRun).check
        (request.isAdopting, request.adoptedHandles) = (identity.adopt, identity.adoptedHandles)
        return request
    }

    /// Hides the directory if it is to be private: as an import changes it, and from the transaction on that makes it.
    func hide(_ own: inout Settings, _ file: SettingsFile?) {
        if target.private || file?.settings.own.isPrivate == true { own.isPrivate = true }
    }

    var database: DatabaseLocation { storage.database }
    var isDryRun: Bool { repetition.dryRun }
    var purpose: ImportReport.Purpose {
        if !isDryRun { return .saving }
        return course.json ? .dryRunForPrograms : .dryRun
    }
    var prune: ImportRun.Prune { course.pruneAll ? .all : course.prune ? .few : .nobody }

    /// The title that the publisher gives the directory `slug`; `nil` to keep the one it has.
    func title(of slug: Slug, _ file: SettingsFile?) -> String? {
        (target.named.title ?? file?.title).map(slug.title)
    }

    var configuration: ImportRun.Configuration {
        var configuration = ImportRun.Configuration()
        (configuration.prune, configuration.isDryRun) = (prune, isDryRun)
        return configuration
    }

    /// Returns the directory to fill. Throws if none is chosen and the source's name makes no slug.
    func importTarget(defaultName: String) throws -> ImportTarget {
        if let chosen = target.directory { return ImportTarget(slug: chosen) }
        let slug = try required(
            Slug(importName: defaultName),
            """
            name the directory with --directory, such as --directory people: \"\(defaultName)\" has no Latin letter \
            and no digit to derive a slug from
            """)
        return ImportTarget(slug: slug, sourceName: defaultName)
    }
}

extension ImportRequest {
    /// What is known of an import into `directory`, which may not exist yet.
    init(_ edits: SettingsEdits, of directory: StoredDirectory?, in store: (any Store)?) {
        self.init()
        (self.edits, asks) = (edits, Consent.asks)
        guard let directory, let store else { return }
        (stored, total) = (directory.settings.stored, directory.total)
        handleHeading = HandleHeading(of: directory.directory, in: store.instance).directory
    }
}

struct TargetOptions: ParsableArguments {
    @Option(help: "The directory to fill; it is created if it is new. By default it is named after the source.")
    var directory: Slug?

    @OptionGroup var named: TitleOption

    @Flag(
        help: """
            Show the directory only on servers that were started with --private. A new one is never public, and one that \
            is public is hidden before anything is saved.
            """)
    var `private` = false
}

struct CourseOptions: ParsableArguments {
    @Flag(help: "List all people that a dry run would change; by default the first 20 of each kind.")
    var all = false

    @Flag(help: "Print the result of a dry run as one JSON object.")
    var json = false

    @Flag(
        help: """
            At the end, remove the people that the source no longer has, unless any record was rejected. An import that \
            would remove more than 5 people, and more than 20 %, is refused; with --prune=all, it is not.
            """)
    var prune = false

    /// `--prune=all`: see ``Arguments/spelledOut(_:)``.
    @Flag(help: .private)
    var pruneAll = false

    @Option(
        value: "keep|erase",
        help: """
            What to do with the values of a column that the file lacks and that more than half of the people have; by \
            default the import is refused.
            """)
    var missing: MissingColumns?

    @OptionGroup var locking: LockOptions
    @OptionGroup var quietness: QuietOption
}

/// The options of sources that can deliver people faster than they can be saved.
struct BatchOptions: ParsableArguments {
    @Option(in: 1...1_000_000, value: "number", help: "How many people are passed to the database at a time.")
    var batchSize = ImportRun.Configuration().batchSize
}
