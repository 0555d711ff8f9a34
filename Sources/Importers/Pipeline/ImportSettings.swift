import Base
import People
import Publishing

/// The settings of the directory that an import fills, and the changes that the command line asks for.
public struct ImportSettings: Sendable {
    /// The settings of the directory; empty if it is new.
    public var stored = DirectorySettings()
    /// The number of people in the directory.
    public var total = 0
    /// The heading of the column of handles in exports of the directory (``HandleHeading/directory``), if it exists.
    public var handleHeading: String?
    /// The slugs of the database's directories by the headings of their columns of handles.
    public var handleHeadings: [String: String] = [:]
    /// Whether the directory is new, and called after the source because the publisher named none.
    public var namesDirectoryAfterSource = false
    /// The publisher's settings after those of a file; `nil` for the stored ones.
    public var own: Settings?
    /// The settings in that file, whose columns the source must have.
    public var file: Settings?
    /// Whether people keep or lose values of columns that the source lacks and most people have; `nil` refuses the
    /// import.
    public var missing: MissingColumns?
    /// The name of the file, for messages.
    var source = "the file"
    /// `;` if the source has that between its columns.
    var separator: String?
    /// Asks about the people that the directory has; `nil` if it has none.
    public var people: (any StoredPeople)?
    public var edits = SettingsEdits()
    /// Asks the publisher a question: yes, no, or `nil` if nobody can be asked.
    public var asks: (@Sendable (String) -> Bool?)?
    /// Whether people may be identified by another key than before.
    public var isAdopting = false
    /// The handles of people who are gone, and for whom new people of the same name stand (`--adopt HANDLE`).
    public var adoptedHandles: [String] = []

    public init() {}

    /// Whether nothing was inferred for the directory before.
    var isFirst: Bool { start.inferred.fields == nil }

    /// The stored settings, with the publisher's part from a file.
    private var start: DirectorySettings { DirectorySettings(own: own ?? stored.own, inferred: stored.inferred) }

    /// The names of columns that are known before anything is read: to find the header of a table.
    var namesBeforeReading: ColumnNames {
        var settings = start
        for mapping in edits.map {
            var field = FieldSettings(key: FieldRole(column: mapping.key)?.rawValue ?? mapping.key)
            field.from = mapping.template
            settings.own.fields = (settings.own.fields ?? []).filter { $0.key != field.key } + [field]
        }
        return ColumnNames(settings: ResolvedSettings(settings), isTable: false, handleHeading: handleHeading)
    }

    /// Returns the settings for a source whose columns are known, where `inferred` are those of a new directory.
    ///
    /// - Parameter handles: The headings of handles of an export in Rollcall's own layout.
    func schema(inferred: Settings, handles: [HandleHeading] = []) throws -> ImportSchema {
        var settings = start
        if settings.inferred == Settings() { settings.inferred = inferred }
        let columns = ResolvedSettings(settings).columns + handles.flatMap(\.privateColumns)
        settings = try edits.splitLists(columns: columns).applying(to: settings, columns: columns)
        try checkOrigin(handles, newColumns: [], in: settings)
        try checkKey(settings)
        try people?.agree(to: settings)
        return ImportSchema(settings: settings)
    }

    /// Returns the settings for a file whose beginning is in `survey`: the stored settings, those inferred for new
    /// columns, and the changes of the command line.
    func schema(for survey: RecordSurvey) throws -> ImportSchema {
        switch survey.source {
        case .service(let builtIn): return try schema(inferred: builtIn.settings)
        case .ownExport(let builtIn):
            try checkKey(ofExport: survey)
            return try schema(inferred: builtIn.settings, handles: survey.handleHeadings)
        case .table, .objects, .cards: return try schema(learnedFrom: survey)
        }
    }

    private func schema(learnedFrom survey: RecordSurvey) throws -> ImportSchema {
        let columns = survey.survey.headings.filter { HandleHeading($0) == nil }
        // JSON lacks a column that is empty.
        let named = columns + survey.handleHeadings.flatMap(\.privateColumns).filter { !columns.contains($0) }
        let changes = edits.splitLists(columns: named)
        let isPatch = survey.handleHeadings.contains { $0.directory == handleHeading }
        let learned = try learn(survey.survey, columns, isPatch: isPatch, changes, named)
        var settings = learned.settings
        try checkOrigin(survey.handleHeadings, newColumns: start.newColumns(among: columns), in: settings)
        if let file { try DirectorySettings(own: file).check(columns: settings.inferred.columns ?? columns) }
        if !isPatch { try checkColumns(of: settings.own.key ?? [], among: columns) }
        try checkKey(settings)
        var manyLeavers: String?
        if !isPatch {
            settings.inferKey(from: survey, columns: columns, as: stored)
            manyLeavers = try decideOnLeavers(in: &settings, survey.survey)
        }
        var schema = ImportSchema(settings: settings, source: survey.source)
        schema.manyLeavers = manyLeavers
        (schema.survey, schema.newColumns, schema.isFirst) = (survey.survey, learned.newColumns, isFirst)
        schema.notes = learned.notes
        schema.newlyHidden = learned.hidden.filter { schema.resolved.visibility(ofColumn: $0) == .private }
        schema.directoryHadPeople = total > 0
        schema.hasNewKey = total > 0 && settings.hasOtherKey(than: stored)
        schema.isAdopting = isAdopting || stored.own.key == nil && schema.hasNewKey
        schema.adoptedHandles = adoptedHandles
        if isPatch {
            schema.changedHeadings = survey.survey.headings
        } else {
            try noteMissing(survey, columns, in: &schema)
        }
        try people?.agree(to: settings)
        note(survey, changes, in: &schema)
        return schema
    }

    /// Learns the columns of the file, and applies `changes`, which may name the columns `named`.
    private func learn(
        _ survey: Survey, _ columns: [String], isPatch: Bool, _ changes: SettingsEdits, _ named: [String]
    ) throws -> LearnedSettings {
        for rule in changes.set.leaveOut ?? [] { _ = try named.column(LeaveOutRule(rule).column, for: "only-where") }
        let apply = { try changes.applying(to: $0, columns: named) }
        if isPatch, missing == .erase {
            throw RollcallError(
                """
                --missing: an export with a column of handles changes the columns that it has, and no others; \
                --drop COLUMN removes values
                """)
        }
        if isFirst { return try LearnedSettings(first: survey, columns, separator: separator, start, apply) }
        // Columns whose values people keep are still columns of the directory.
        let keptColumns = isPatch || missing == .keep ? start.inferred.columns ?? [] : nil
        return try LearnedSettings(
            more: survey, columns, besides: keptColumns, separator: separator, start,
            mapped: isPatch ? [] : changes.map.map(\.key),
            stored, apply)
    }

    /// Notes the columns that the directory has and the file lacks. Throws an error if most people would lose a value.
    private func noteMissing(_ survey: RecordSurvey, _ columns: [String], in schema: inout ImportSchema) throws {
        let present = columns + survey.nulls
        let lacking = missing(present).filter { schema.resolved.visibility(ofColumn: $0) != .never }
        // A few JSON records may be all that changed, with other members than the rest.
        let isTable = survey.source == .table
        if missing == nil, isTable || survey.isWhole(of: total) {
            try checkMissing(lacking, in: schema.resolved, columns: present)
        }
        schema.keepsMissing = missing == .keep && !lacking.isEmpty
        if schema.keepsMissing { schema.changedHeadings = survey.survey.headings }
        // A JSON object may lack what later ones have.
        if isTable { schema.missingColumns = lacking }
    }

    /// Notes what the report tells of headings and options.
    private func note(_ survey: RecordSurvey, _ changes: SettingsEdits, in schema: inout ImportSchema) {
        schema.foreignHeading = survey.handleHeadings.first { $0.directory != handleHeading }?.directory
        schema.foreignDirectory = schema.foreignHeading.flatMap { handleHeadings[$0] }
        let before = isFirst ? nil : ResolvedSettings(stored)
        schema.published = survey.survey.headings.filter {
            Withheld.matches(heading: $0) && schema.resolved.visibility(ofColumn: $0) == .public
                && before?.visibility(ofColumn: $0) != .public
        }
        let known = Set(stored.own.fields?.map(\.key) ?? [])
        schema.mappedKeys = changes.map.map(\.key)
        schema.newKeys = changes.map.map(\.key).filter { !known.contains($0) }
    }

    /// Returns the columns of the last import that are not among `columns`.
    private func missing(_ columns: [String]) -> [String] {
        let names = Set(columns.map { $0.lowercased() })
        return (stored.inferred.columns ?? []).filter { !names.contains($0.lowercased()) }
    }

    /// Throws an error if a table lacks a column of the key.
    private func checkColumns(of key: [String], among columns: [String]) throws {
        for name in key where !columns.contains(where: { $0.lowercased() == name.lowercased() }) {
            throw RollcallError(
                "expected a column \"\(name)\", which identifies people\(Suggestion.question(name, in: columns)), "
                    + "found \(CSVHeader.list(columns))")
        }
    }

    /// Throws an error if the key differs from the one that identifies the people of the directory.
    private func checkKey(_ settings: DirectorySettings) throws {
        let known = stored.key
        // From a key that the publisher did not name, people are taken over without being asked for it.
        guard total > 0, !isAdopting, stored.own.key != nil || known.isEmpty, settings.hasOtherKey(than: stored) else {
            return
        }
        let people = total == 1 ? "1 person" : "\(total) people"
        let text = known.isEmpty ? "without a key" : "by \(known.joined(separator: " and "))"
        throw RollcallError(
            """
            the directory has \(people), known \(text); another key needs --adopt, which takes over the people whose \
            name occurs in one row only
            """)
    }
}

extension ImportSettings {
    /// Throws an error if the file is an export of another directory, as its columns of handles say, and the publisher
    /// did not say where to import it. Throws one, too, if it has private columns that the publisher has not decided
    /// on: those of another directory, or of this one those that it does not know.
    fileprivate func checkOrigin(
        _ handles: [HandleHeading], newColumns: [String], in settings: DirectorySettings
    ) throws {
        if namesDirectoryAfterSource, let owner = handles.lazy.compactMap({ handleHeadings[$0.directory] }).first {
            // A second directory would show what is private in the first.
            throw RollcallError(
                """
                the file is an export of the directory \(owner): nothing was saved. --directory \(owner) changes that \
                one, and --directory SLUG makes another one
                """)
        }
        let undecided = handles.filter { !$0.privateColumns.isEmpty }.flatMap { heading in
            heading.directory == handleHeading ? newColumns : heading.privateColumns
        }.filter { !settings.decides(on: $0) }
        if undecided.isEmpty { return }
        throw RollcallError(
            """
            the file is an export with private columns, and this directory does not know who may see \
            \(CSVHeader.list(undecided)): nothing was saved. --keep COLUMN shows a column to nobody, --publish COLUMN \
            shows it, --drop COLUMN leaves it out
            """)
    }

    /// Throws an error if an export in Rollcall's own layout lacks a column that identifies people.
    fileprivate func checkKey(ofExport survey: RecordSurvey) throws {
        let columns = Set(survey.survey.headings.map { $0.lowercased() })
        let missing = (stored.own.key ?? []).filter { !columns.contains($0.lowercased()) }
        if missing.isEmpty || isAdopting || edits.key != nil { return }
        throw RollcallError(
            """
            an export in Rollcall's own layout has no column \(CSVHeader.list(missing)), by which people are known \
            here: nothing was saved. An export with --layout source names them by their handles
            """)
    }
}

extension DirectorySettings {
    /// Whether the publisher has said who may see `column`.
    fileprivate func decides(on column: String) -> Bool {
        if own.others == .private || own.others == .never { return true }
        let fields = ResolvedSettings(self).fields.filter { field in
            field.source.reads(column)
        }
        return !fields.isEmpty
            && fields.allSatisfy { field in own.fields?.contains { $0.key == field.key && $0.show != nil } == true }
    }
}

extension SettingsEdits {
    /// Returns the changes with lists of columns split at commas. A text that is itself a column is not split.
    public func splitLists(columns: [String]) -> SettingsEdits {
        let names = Set(columns.map { $0.lowercased() })
        let split = { (texts: [String]) in
            texts.flatMap { text in
                names.contains(text.lowercased())
                    ? [text] : text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
            }
        }
        var edits = self
        edits.only = only.map(split)
        (edits.drop, edits.keep, edits.publish) = (split(drop), split(keep), split(publish))
        edits.key = key.map(split)
        return edits
    }
}
