import ArgumentParser
import People
import Publishing

struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Print, replace or change the settings of a directory.",
        discussion: """
            The settings are a JSON object: which fields people have, who may see them, and where they are shown, \
            searched, filtered and sorted by. Without a file and without changes, the command prints the object: \
            your own settings first, then the inferred ones under "inferred". A file changes what it names: other \
            members stay, fields are merged by their keys, and null returns to what is inferred. With --replace it \
            replaces the object, except that "private", "pictures", "key" and "inferred" keep their values unless the \
            file names them. Changes on the command line are applied after the file. The key of a directory with \
            people changes only in an import with --settings and --adopt.

            Columns that are dropped are erased from the database. If people have values in them, the command asks \
            first; where it cannot ask, it needs --yes.
            """)

    @Argument(help: "The directory's slug.", transform: Slug.read)
    var slug: Slug

    @Argument(help: "A file with settings; - is standard input.", completion: .file(extensions: ["json"]))
    var file: String?

    @OptionGroup var replacement: ReplaceOption
    @OptionGroup var consent: ConsentOption

    @Flag(help: "Repeat the inference of everything that you did not set, from the people in the directory.")
    var infer = false

    @OptionGroup(title: "Columns") var columns: ColumnOptions
    @OptionGroup(title: "Fields") var fields: FieldOptions
    @OptionGroup var options: DatabaseOptions

    /// The changes that the options ask for. Environment variables apply to imports only, so that printing changes
    /// nothing.
    private var edits: SettingsEdits { get throws { try SettingsEdits(fields, columns) } }

    func validate() throws {
        try expect(!replacement.replace || file != nil, "--replace: expected a file with settings, found none")
        _ = try edits
    }

    func run() throws {
        let isChange = try file != nil || infer || !edits.isEmpty
        let store = try isChange ? options.open() : openExistingStore(options.database)
        let directory = try store.directory(named: slug)
        guard isChange else {
            return StandardStreams.print(
                json: SettingsFile(settings: directory.settings.stored, title: directory.title).json)
        }
        let change = try change(directory, in: store)
        print("\(slug): settings saved")
        let resolved = ResolvedSettings(change.settings)
        if let line = resolved.visibilityChange(of: slug, since: directory.settings) { print(line) }
        let erased = change.erasedColumns
        if !erased.isEmpty { print("erased from the database: \(erased.joined(separator: ", "))") }
        let columns = resolved.storedColumns(besides: directory.settings)
        guard !columns.isEmpty else { return }
        print("newly stored columns, which stay empty until the next import: \(columns.joined(separator: ", "))")
    }

    /// Changes the settings of `directory`, and saves them.
    func change(_ directory: StoredDirectory, in store: any Store) throws -> SettingsChange {
        var change = SettingsChange(directory, in: store)
        if let file { try change.apply(SettingsSource(path: file), replaces: replacement.replace) }
        if infer { try change.infer() }
        try change.apply(edits)
        try change.save(with: Consent(isGivenAlready: consent.yes))
        return change
    }
}

/// A change of a directory's settings. Nothing is saved until all of it has been checked.
struct SettingsChange {
    private let store: any Store
    private let directory: StoredDirectory
    var settings: DirectorySettings
    private var title: String?
    private var logo: Logo??

    init(_ directory: StoredDirectory, in store: any Store) {
        self.store = store
        self.directory = directory
        settings = directory.settings.stored
    }

    /// Changes the settings that the file names, or, if it `replaces` them, all of them.
    mutating func apply(_ source: SettingsSource, replaces: Bool) throws {
        let (file, oldLogo) = (source.file, settings.own.logo)
        try apply(file, replaces: replaces)
        // The logo of printed settings is in the database.
        let isOldLogo = settings.own.logo == oldLogo && (file.logo == nil || !source.hasLogoFile)
        if !isOldLogo { set(try source.logo()) }
        settings.offerSorts(notIn: directory.settings.stored)
        title = file.title.map(directory.slug.title)
        let columns = ResolvedSettings(settings).columns
        if !columns.isEmpty { try DirectorySettings(own: file.settings.own).check(columns: columns) }
    }

    mutating func apply(_ file: SettingsFile, replaces: Bool) throws {
        settings = try file.applied(to: settings, replacingAll: replaces)
    }

    mutating func set(_ logo: Logo?) {
        self.logo = .some(logo)
        settings.own.logo = logo?.name
    }

    mutating func infer() throws {
        if let builtIn = BuiltInSettings.bySource[directory.source] {
            settings.inferred = builtIn.settings
            return
        }
        try expect(
            settings.inferred.columns != nil,
            "--infer: the columns of \(directory.slug) are not known; import its file once more")
        var survey = StoredSurvey(ResolvedSettings(settings))
        try store.forEachPage(of: directory) { users in
            survey.add(users)
            return !survey.isComplete
        }
        settings = survey.inferredAgain
    }

    mutating func apply(_ edits: SettingsEdits) throws {
        if edits.isEmpty { return }
        let columns = ResolvedSettings(settings).columns
        do { settings = try edits.applying(to: settings, columns: columns) } catch {
            // People of a service, or of another Rollcall, have columns that no file had.
            let all = columns + (try store.holders(in: directory) { !columns.contains($0) }.map(\.column))
            settings = try edits.applying(to: settings, columns: all)
        }
    }

    /// The columns that were stored before and are not any more.
    var erasedColumns: [String] {
        directory.settings.columns.filter(
            Erasure(from: directory.settings, to: ResolvedSettings(settings)).has(column:))
    }

    /// Saves the settings, and reports colours that pages must change. Throws a ``Refusal`` if that does what needs
    /// `consent`, or rows of people that are not at hand.
    func save(with consent: Consent) throws {
        try settings.check()
        let stored = directory.settings.stored
        try consent.check(
            stored.consequences(of: settings, people: directory.total, isAdopting: false) {
                [store, directory] isCounted in
                try store.holders(in: directory, where: isCounted)
            })
        let earlier = stored.own
        if (settings.own.accent, settings.own.paper) != (earlier.accent, earlier.paper) {
            for notice in settings.own.brandNotices { StandardStreams.write("note: \(notice)\n") }
        }
        if let logo { try store.set(logo, of: directory.slug) }
        try store.set(settings, of: directory.slug)
        guard let title, title != directory.title else { return }
        var description = DirectoryDescription()
        description.title = title
        try store.describe(directory.slug, as: description)
    }
}

extension Settings {
    /// Lines about the colours that pages show instead of those that these settings choose.
    var brandNotices: [String] {
        BrandColours.notices(accent: accent.flatMap { Colour($0) }, paper: paper.flatMap { Colour($0) })
    }
}

extension BuiltInSettings {
    /// The settings of directories by the kind of import that fills them, where all have the same columns.
    fileprivate static let bySource = [
        "github": gitHub, "stackexchange": stackExchange, "rickandmorty": rickAndMorty, "git": git,
    ]
}
