import ArgumentParser
import Bytes
import Directories
import Exports
import Fields
import Foundation
import Importers

struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Print, replace or change the settings of a directory.",
        discussion: """
            The settings are a JSON object: which fields people have, who may see them, and where they are shown, \
            searched, filtered and sorted by. Without a file and without changes, the command prints the object: \
            your own settings first, then the inferred ones under "inferred". A file replaces the object, except \
            that "private" and "key" keep their values unless the file names them ("private": false and "key": [] \
            remove them). Changes on the command line are applied after the file. The key of a directory with people \
            changes only in an import with --settings and --adopt.

            Columns that are dropped are erased from the database.
            """)

    @Argument(help: "The directory's slug.", transform: Slug.read)
    var slug: Slug

    @Argument(help: "A file with settings; - is standard input.", completion: .file(extensions: ["json"]))
    var file: String?

    @Flag(help: "Repeat the inference of everything that you did not set, from the people in the directory.")
    var infer = false

    @OptionGroup(title: "Columns") var columns: ColumnOptions
    @OptionGroup(title: "Fields") var fields: FieldOptions
    @OptionGroup var options: DatabaseOptions

    /// The changes that the options ask for. Environment variables apply to imports only, so that printing changes
    /// nothing.
    private var edits: SettingsEdits {
        get throws {
            var edits = SettingsEdits()
            try columns.add(to: &edits)
            try fields.add(to: &edits)
            return edits
        }
    }

    func run() throws {
        let edits = try edits
        let isChange = file != nil || infer || !edits.isEmpty
        let store = try isChange ? options.open() : openExistingStore(options.database)
        let directory = try store.directory(named: slug.text)
        guard isChange else {
            return print(SettingsFile(settings: directory.plan.settings, title: directory.title).json, terminator: "")
        }
        var change = SettingsChange(directory, in: store)
        if let file { try change.replace(by: SettingsSource(path: file)) }
        if infer { try change.infer() }
        try change.apply(edits)
        try change.save()
        print("\(slug): settings saved")
        let erased = change.erasedColumns
        if !erased.isEmpty { print("erased from the database: \(erased.joined(separator: ", "))") }
        let columns = change.columnsWithoutValues
        guard !columns.isEmpty else { return }
        print("newly stored columns, which stay empty until the next import: \(columns.joined(separator: ", "))")
    }
}

/// A change of a directory's settings. Nothing is saved until all of it has been checked.
struct SettingsChange {
    private let store: any Store
    private let directory: Directory
    var settings: DirectorySettings
    private var title: String?
    private var logo: Logo??

    init(_ directory: Directory, in store: any Store) {
        self.store = store
        self.directory = directory
        settings = directory.plan.settings
    }

    /// Replaces the publisher's settings. The inferred settings stay unless the file contains some.
    mutating func replace(by source: SettingsSource) throws {
        let file = source.file
        // The logo of printed settings is in the database.
        let isOldLogo = file.logo != nil && file.logo == settings.own.logo && !source.hasLogoFile
        let oldLogo = settings.own.logo
        settings.own = file.settings.own.replacing(settings.own)
        if isOldLogo { settings.own.logo = oldLogo } else { set(try source.logo()) }
        if file.hasInferred { settings.inferred = file.settings.inferred }
        if directory.total > 0, settings.hasOtherKey(than: directory.plan.settings) {
            throw ValidationError(
                """
                key: another key needs the rows of people; import their file with --settings and --adopt, which takes \
                over the people whose name occurs in one row only
                """)
        }
        settings.offerSorts(notIn: directory.plan.settings)
        title = file.title
        let columns = FieldPlan(settings).columns
        do { if !columns.isEmpty { try settings.check(columns: columns) } } catch { throw ValidationError("\(error)") }
    }

    /// Sets the logo; `nil` removes it.
    mutating func set(_ logo: Logo?) {
        self.logo = .some(logo)
        settings.own.logo = logo?.name
    }

    /// Infers settings from the people in the directory.
    mutating func infer() throws {
        if let builtIn = BuiltInSettings(source: directory.source) {
            settings.inferred = builtIn.settings
            return
        }
        guard settings.inferred.columns != nil else {
            throw ValidationError(
                "--infer: the columns of \(directory.slug) are not known; import its file once more")
        }
        var survey = StoredSurvey(FieldPlan(settings))
        let reader = try store.makePrivateReader()
        var query = UserQuery(directory: directory.id, limit: DirectoryExport.pageLimit)
        while !survey.isComplete, let page = try reader.page(query), !page.users.rows.isEmpty {
            survey.add(page.users)
            guard page.hasNext else { break }
            query.start = .after(page.users.cursor(of: page.users.rows.count - 1, in: query.sort.key))
        }
        settings = survey.inferredAgain
    }

    /// Makes the changes that options ask for.
    mutating func apply(_ edits: SettingsEdits) throws {
        if edits.isEmpty { return }
        let columns = FieldPlan(settings).columns
        do { settings = try edits.splitLists(columns: columns).applying(to: settings, columns: columns) } catch {
            throw ValidationError("\(error)")
        }
    }

    /// The columns that were not stored before and will be from now on.
    var columnsWithoutValues: [String] {
        let plan = FieldPlan(settings)
        return plan.columns.filter { column in
            plan.visibility(ofColumn: column) != .never && directory.plan.visibility(ofColumn: column) == .never
        }
    }

    /// The columns that were stored before and are not any more.
    var erasedColumns: [String] {
        let plan = FieldPlan(settings)
        return directory.plan.columns.filter { column in
            plan.visibility(ofColumn: column) == .never && directory.plan.visibility(ofColumn: column) != .never
        }
    }

    /// Saves the settings, and reports colours that pages must change.
    func save() throws {
        do { try settings.check() } catch { throw ValidationError("\(error)") }
        let earlier = directory.plan.settings.own
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
    /// The settings of directories that an import of kind `source` filled; `nil` if their columns differ.
    init?(source: String) {
        switch source {
        case "github": self = .gitHub
        case "stackexchange": self = .stackExchange
        case "rickandmorty": self = .rickAndMorty
        case "git": self = .git
        default: return nil
        }
    }
}

extension StoredSurvey {
    fileprivate mutating func add(_ users: UserRows) {
        users.text.withUnsafeBytes { text in
            for row in users.rows {
                add(
                    FieldRecord(
                        id: row.id, reputation: row.reputation, login: text[row.login], name: text[row.name],
                        avatarURL: text[row.avatarURL], htmlURL: text[row.htmlURL], type: text[row.type],
                        more: text[row.more]))
            }
        }
    }
}
