import ArgumentParser
import Foundation
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
    @OptionGroup(title: "Import") var course: CourseOptions
    @OptionGroup(title: "Import") var consent: ConsentOption
    @OptionGroup(title: "Import") var repetition: RepetitionOptions

    func validate() throws {
        _ = (try logo, try edits)
    }

    /// The file that `--settings` names.
    var settingsFile: SettingsFile? {
        get throws { try file.source?.file }
    }

    /// The logo that the file with settings names.
    var logo: Logo? {
        get throws { try file.source?.logo() }
    }

    /// The changes of settings that the options ask for.
    private var edits: SettingsEdits {
        get throws {
            var edits = SettingsEdits()
            try fields.add(to: &edits)
            try columns.add(to: &edits)
            edits.key = identity.key.isEmpty ? nil : identity.key
            return edits
        }
    }

    /// The settings of `directory`, which may not exist yet, with the changes that the options ask for.
    func settings(of directory: StoredDirectory? = nil, in store: (any Store)? = nil) throws -> ImportSettings {
        var settings = ImportSettings()
        if let directory { (settings.stored, settings.total) = (directory.settings.stored, directory.total) }
        if let store {
            settings.handleHeading = directory.map { HandleHeading(of: $0.directory, in: store.instance).directory }
            settings.handleHeadings = Dictionary(
                store.directories.map { (HandleHeading(of: $0, in: store.instance).directory, $0.slug.text) },
                uniquingKeysWith: { first, _ in first })
        }
        settings.namesDirectoryAfterSource = directory == nil && target.directory == nil
        try add(settingsFile, to: &settings)
        settings.missing = course.missing
        if let directory, let store {
            let consent = ErasureConsent(isGivenAlready: consent.yes, isDryRun: isDryRun)
            settings.people = DirectoryPeople(store: store, directory: directory, consent: consent)
        }
        settings.edits = try edits
        settings.asks = Confirmation.asks
        (settings.isAdopting, settings.adoptedHandles) = (identity.adopt, identity.adoptedHandles)
        return settings
    }

    /// Adds the settings of a file, and that the directory is to be private.
    private func add(_ file: SettingsFile?, to settings: inout ImportSettings) throws {
        if let file {
            do {
                settings.own = try file.applied(to: settings.stored, replacingAll: self.file.replace).own
            } catch { throw ValidationError("--settings: \(error)") }
            settings.file = file.settings.own
        }
        guard target.private else { return }
        var own = settings.own ?? settings.stored.own
        own.isPrivate = true
        settings.own = own
    }

    /// Whether the directory is private from the transaction on that makes it.
    var isPrivate: Bool { get throws { try target.private || settingsFile?.settings.own.isPrivate == true } }

    var database: DatabaseLocation { storage.database }
    var isDryRun: Bool { course.dryRun }
    var isPruning: Bool { course.prune || course.pruneAll }
    var locking: LockOptions { course.locking }

    /// The title that the publisher gives the directory `slug`; `nil` to keep the one it has.
    func title(of slug: Slug) throws -> String? { try (target.title ?? settingsFile?.title).map(slug.title) }

    /// Returns the directory to fill. Throws if none is chosen and the source's name makes no slug.
    private func importTarget(defaultName: String) throws -> ImportTarget {
        if let chosen = target.directory.flatMap({ Slug($0) }) { return .chosen(chosen) }
        if let slug = Slug(importName: defaultName) { return .named(slug, after: defaultName) }
        throw ValidationError(
            """
            name the directory with --directory, such as --directory people: \"\(defaultName)\" has no Latin letter \
            and no digit to derive a slug from
            """
        )
    }

    /// Imports the source that `makeSource` returns, once or repeatedly, and exits with the import's status.
    ///
    /// - Parameter newTitle: the title of a new directory that the publisher gives none; `nil` for its slug.
    func run<Source: ImportSource>(
        kind: String, defaultName: String, newTitle: String? = nil, batchSize: Int? = nil, terms: Terms = Terms(),
        makeSource: @escaping (ImportContext) throws -> Source
    ) throws {
        course.quietness.apply()
        let job = ImportJob(
            options: self, kind: kind, target: try importTarget(defaultName: defaultName), newTitle: newTitle,
            batchSize: batchSize, terms: terms, makeSource: makeSource)
        let status = try job.run()
        if status != 0 { throw ExitCode(status) }
    }
}

/// The options that say which directory an import fills.
struct TargetOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The directory to fill; it is created if it is new. By default it is named after the source.",
            valueName: "slug"))
    var directory: String?

    @Option(
        help: """
            The title of the directory, for people; by default the one it has, or the name of the file in words, or \
            its slug.
            """)
    var title: String?

    @Flag(
        help: """
            Show the directory only on servers that were started with --private. A new one is never public, and one that \
            is public is hidden before anything is saved.
            """)
    var `private` = false

    func validate() throws {
        _ = try Slug.chosen(directory)
        try expectLine(title, of: "--title")
    }
}

/// The options for the course of an import.
struct CourseOptions: ParsableArguments {
    @Flag(help: "Read and check everything, but save nothing.")
    var dryRun = false

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

    /// `--prune=all`: see ``CourseOptions/spelledOut(_:)``.
    @Flag(help: .private)
    var pruneAll = false

    @Option(
        help: ArgumentHelp(
            """
            What to do with the values of a column that the file lacks and that more than half of the people have; by \
            default the import is refused.
            """, valueName: "keep|erase"))
    var missing: MissingColumns?

    @OptionGroup var locking: LockOptions
    @OptionGroup var quietness: QuietOption

    func validate() throws {
        if !dryRun, all || json {
            throw ValidationError("\(json ? "--json" : "--all"): expected --dry-run, whose result it is about")
        }
    }
}

extension CourseOptions {
    /// Returns the arguments with `--prune=all` as the flag that the parser knows: it has no flags with a value that
    /// may be left out.
    static func spelledOut(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments[..<end].map { $0 == "--prune=all" ? "--prune-all" : $0 } + arguments[end...]
    }
}

/// The options of sources that can deliver people faster than they can be saved.
struct BatchOptions: ParsableArguments {
    @Option(
        in: 1...1_000_000,
        help: ArgumentHelp("How many people are passed to the database at a time.", valueName: "number"))
    var batchSize = ImportRun.Configuration().batchSize
}
