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
    /// `survey` has the beginning of an export in Rollcall's own layout.
    func schema(inferred: Settings, survey: RecordSurvey? = nil) throws -> ImportSchema {
        var settings = start
        let isFirst = settings.inferred == Settings()
        if isFirst { settings.inferred = inferred }
        let handles = survey?.handleHeadings ?? []
        let columns = ResolvedSettings(settings).columns + handles.flatMap(\.privateColumns)
        settings = try edits.splitLists(columns: columns).applying(to: settings, columns: columns)
        try checkOrigin(handles, newColumns: [], in: settings)
        try checkKey(settings)
        try people?.agree(to: settings)
        return ImportSchema(settings: settings, isTable: false)
    }

    /// Returns the settings for a file whose beginning is in `survey`: the stored settings, those inferred for new
    /// columns, and the changes of the command line.
    func schema(for survey: RecordSurvey) throws -> ImportSchema {
        if let source = survey.knownSource {
            if survey.isOwnExport { try checkKey(ofExport: survey) }
            return try schema(inferred: source.settings, survey: survey.isOwnExport ? survey : nil)
        }
        var settings = start
        let isFirst = settings.inferred.fields == nil
        let columns = survey.survey.headings.filter { HandleHeading($0) == nil }
        let newColumns = isFirst ? [] : settings.newColumns(among: columns)
        let isPatch = survey.handleHeadings.contains { $0.directory == handleHeading }
        if isPatch, missing == .erase {
            throw ImportError(
                """
                --missing: an export with a column of handles changes the columns that it has, and no others; \
                --drop COLUMN removes values
                """)
        }
        // JSON lacks a column that is empty.
        let named = columns + survey.handleHeadings.flatMap(\.privateColumns).filter { !columns.contains($0) }
        let changes = edits.splitLists(columns: named)
        if isFirst { settings = try settings.keyingFields(by: survey.survey) }
        var inference = isFirst ? Inference(survey.survey, own: settings.own) : nil
        if let inference { settings.inferred = inference.settings }
        if !newColumns.isEmpty { settings.inferFields(of: newColumns, survey.survey) }
        let hidden = isFirst ? [] : settings.hideWithheld(survey.survey)
        if !isFirst { settings.inferFormats(survey.survey) }
        // Columns whose values people keep are still columns of the directory.
        let keepsColumns = isPatch || missing == .keep && !isFirst
        settings.inferred.separator = separator
        settings.inferred.columns = keepsColumns ? (settings.inferred.columns ?? []) + newColumns : columns
        var unchanged = settings.own
        settings = try changes.applying(to: settings.listingKeys(), columns: named)
        // Nothing else depends on the key.
        unchanged.key = settings.own.key
        if isFirst, settings.own != unchanged {
            // A column that the publisher leaves out becomes no filter; one that another field reads gets no field of
            // its own.
            let again = Inference(survey.survey, own: settings.own)
            (settings.inferred, inference) = (again.settings, again)
            (settings.inferred.columns, settings.inferred.separator) = (columns, separator)
        } else if !isFirst, !changes.map.isEmpty, !isPatch {
            settings.inferFields(readBy: changes.map.map(\.key), survey.survey)
        }
        if !isFirst { settings.offerSorts(notIn: stored) }
        settings.hideRepeats(among: isFirst ? columns : newColumns)
        try checkOrigin(survey.handleHeadings, newColumns: start.newColumns(among: columns), in: settings)
        if let file { try DirectorySettings(own: file).check(columns: settings.inferred.columns ?? columns) }
        try checkKey(settings, columns: isPatch ? nil : columns)
        if !isPatch { settings.inferKey(from: survey, columns: columns, as: stored) }
        let manyLeavers = isPatch ? nil : try decideOnLeavers(in: &settings, survey.survey, isFirst: isFirst)
        var schema = ImportSchema(settings: settings, isTable: true)
        schema.manyLeavers = manyLeavers
        (schema.survey, schema.newColumns, schema.isFirst) = (survey.survey, newColumns, isFirst)
        schema.directoryHadPeople = total > 0
        schema.notes = inference?.notes ?? []
        schema.newlyHidden = hidden.filter { schema.resolved.visibility(ofColumn: $0) == .private }
        schema.isPatch = isPatch
        schema.isAdopting = isAdopting || stored.own.key == nil && total > 0 && settings.hasOtherKey(than: stored)
        schema.adoptedHandles = adoptedHandles
        schema.hasNewKey = total > 0 && settings.hasOtherKey(than: stored)
        schema.hasUIDs = survey.hasUIDs
        if !isPatch {
            let present = columns + survey.nulls
            let lacking = missing(present).filter { schema.resolved.visibility(ofColumn: $0) != .never }
            // A few JSON records may be all that changed, with other members than the rest.
            if missing == nil, survey.hasHeader || survey.isWhole(of: total) {
                try checkMissing(lacking, in: schema.resolved, columns: present)
            }
            schema.keepsMissing = missing == .keep && !lacking.isEmpty
            // A JSON object may lack what later ones have.
            if survey.hasHeader { schema.missingColumns = lacking }
        }
        try people?.agree(to: settings)
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
        return schema
    }

    /// Returns the columns of the last import that are not among `columns`.
    private func missing(_ columns: [String]) -> [String] {
        let names = Set(columns.map { $0.lowercased() })
        return (stored.inferred.columns ?? []).filter { !names.contains($0.lowercased()) }
    }

    /// Throws an error if the key differs from the one that identifies the people of the directory, or, for a table
    /// with `columns`, if a column of the key is missing.
    private func checkKey(_ settings: DirectorySettings, columns: [String]? = nil) throws {
        let key = settings.own.key ?? []
        if let columns {
            for name in key where !columns.contains(where: { $0.lowercased() == name.lowercased() }) {
                throw ImportError(
                    "expected a column \"\(name)\", which identifies people\(Suggestion.question(name, in: columns)), "
                        + "found \(CSVHeader.list(columns))")
            }
        }
        let known = stored.key
        // From a key that the publisher did not name, people are taken over without being asked for it.
        guard total > 0, !isAdopting, stored.own.key != nil || known.isEmpty, settings.hasOtherKey(than: stored) else {
            return
        }
        let people = total == 1 ? "1 person" : "\(total) people"
        let text = known.isEmpty ? "without a key" : "by \(known.joined(separator: " and "))"
        throw ImportError(
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
            throw ImportError(
                """
                the file is an export of the directory \(owner): nothing was saved. --directory \(owner) changes that \
                one, and --directory SLUG makes another one
                """)
        }
        let undecided = handles.filter { !$0.privateColumns.isEmpty }.flatMap { heading in
            heading.directory == handleHeading ? newColumns : heading.privateColumns
        }.filter { !settings.decides(on: $0) }
        if undecided.isEmpty { return }
        throw ImportError(
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
        throw ImportError(
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
            field.source.columns.contains { $0.lowercased() == column.lowercased() }
        }
        return !fields.isEmpty
            && fields.allSatisfy { field in own.fields?.contains { $0.key == field.key && $0.show != nil } == true }
    }

    /// Returns those of `columns` that no field reads and that no earlier file had.
    fileprivate func newColumns(among columns: [String]) -> [String] {
        let resolved = ResolvedSettings(self)
        let known = Set((resolved.columns + resolved.fields.flatMap(\.source.columns)).map { $0.lowercased() })
        return columns.filter { !known.contains($0.lowercased()) }
    }

    /// Infers the fields `keys` again, because they read other columns now, and all lists of fields.
    fileprivate mutating func inferFields(readBy keys: [String], _ survey: Survey) {
        let again = Inference.settings(for: survey, own: own)
        let columns = Set((own.fields ?? []).filter { keys.contains($0.key) }.compactMap { $0.from?.lowercased() })
        let isMapped = { (field: FieldSettings) in
            keys.contains(field.key) || field.from.map { columns.contains($0.lowercased()) } == true
        }
        inferred.fields?.removeAll(where: isMapped)
        inferred.fields = (inferred.fields ?? []) + (again.fields ?? []).filter(isMapped)
        (inferred.rows, inferred.cards, inferred.search) = (again.rows, again.cards, again.search)
        (inferred.filters, inferred.sorts) = (again.filters, again.sorts)
    }

    /// Infers the formats of dates and numbers again that this file writes in another way than the last one: workbooks
    /// have dates of their own, and CSV has them as they were shown.
    fileprivate mutating func inferFormats(_ survey: Survey) {
        let unread = (inferred.fields ?? []).compactMap { field in
            let name = FieldTemplate(field.from ?? field.key).onlyColumn?.lowercased()
            let column = survey.columns.first { $0.heading.lowercased() == name }
            return column?.isRead(as: field.type ?? .text, field.format) == false ? field.key : nil
        }
        if unread.isEmpty { return }
        let again = Inference.settings(for: survey, own: own).fields ?? []
        inferred.fields = inferred.fields?.map { field in
            guard unread.contains(field.key),
                let other = again.first(where: { ($0.from ?? $0.key) == (field.from ?? field.key) }),
                other.type == field.type
            else { return field }
            var field = field
            field.format = other.format
            return field
        }
    }

    /// Hides those of the new `columns` that repeat the heading of a private one, such as `Code 2`.
    fileprivate mutating func hideRepeats(among columns: [String]) {
        let resolved = ResolvedSettings(self)
        inferred.fields = inferred.fields?.map { field in
            guard let column = FieldTemplate(field.from ?? field.key).onlyColumn, columns.contains(column),
                let space = column.lastIndex(of: " "), Int(column[space...].dropFirst()) != nil,
                resolved.visibility(ofColumn: column) == .public,
                resolved.visibility(ofColumn: String(column[..<space])) == .private
            else { return field }
            var field = field
            field.show = .private
            return field
        }
    }

    /// Makes columns private that were inferred to be public and would be withheld today, and returns them. Ids and
    /// logins stay, because people are known by them.
    fileprivate mutating func hideWithheld(_ survey: Survey) -> [String] {
        let withheld = Set(
            (Inference.settings(for: survey, own: own).fields ?? []).filter { $0.show == .never }.compactMap { $0.from }
        )
        let resolved = ResolvedSettings(self)
        var hidden: [String] = []
        inferred.fields = inferred.fields?.map { field in
            guard field.show == nil, let from = field.from, withheld.contains(from),
                field.key != FieldRole.id.rawValue, field.key != FieldRole.login.rawValue,
                let column = FieldTemplate(from).onlyColumn, resolved.visibility(ofColumn: column) == .public,
                own.fields?.contains(where: { $0.key == field.key && $0.show != nil }) != true
            else { return field }
            hidden.append(column)
            var field = field
            field.show = .private
            return field
        }
        return hidden
    }

    /// Returns the settings with the keys that `survey` infers in the place of headings by which fields are called.
    fileprivate func keyingFields(by survey: Survey) throws -> DirectorySettings {
        guard own.fields?.contains(where: { $0.from == nil }) == true else { return self }
        var others = self
        others.own.fields?.removeAll { $0.from == nil }
        others.inferred = Inference.settings(for: survey, own: others.own)
        return try keyingFields(by: others)
    }

    /// Adds a field for each of `columns`, as inferred from `survey`.
    fileprivate mutating func inferFields(of columns: [String], _ survey: Survey) {
        let names = Set(columns)
        for field in Inference.settings(for: survey, own: own).fields ?? [] {
            guard let column = FieldTemplate(field.from ?? field.key).onlyColumn, names.contains(column) else {
                continue
            }
            var field = field
            let keys = ((own.fields ?? []) + (inferred.fields ?? [])).map(\.key)
            if keys.contains(field.key) { field.key = FieldKey.unique(column, among: keys) }
            inferred.fields = (inferred.fields ?? []) + [field]
        }
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

/// The settings by which an import reads its source, complete before the first record is decoded.
public struct ImportSchema: Sendable {
    public var settings: DirectorySettings
    public let resolved: ResolvedSettings
    /// Whether the settings were made from the columns of the source; otherwise the names of the columns decide.
    public var isTable: Bool
    /// The part of the source that was read ahead.
    public var survey = Survey()
    /// The headings of columns that only this import has.
    public var newColumns: [String] = []
    /// The headings of stored columns that the last import had and this one lacks.
    public var missingColumns: [String] = []
    /// Whether nothing was inferred for the directory before.
    public var isFirst = false
    /// Whether the report says what each column was taken for.
    public var isExplained = false
    /// A doubt about many people who may have left.
    var manyLeavers: String?
    /// Whether the directory had people before the import.
    var directoryHadPeople = false
    /// The notes of the inference, if it is the first one.
    var notes: [Inference.Note] = []
    /// Whether the file is an edited export that changes people by their handles. Columns that it lacks keep their
    /// values.
    var isPatch = false
    /// Whether people keep the values of columns that the file lacks (`--missing keep`).
    public internal(set) var keepsMissing = false
    /// Whether each record has a text that identifies it, such as the UID of a vCard.
    var hasUIDs = false
    /// Whether people whose identity is new take over those of the same name (`--adopt`).
    var isAdopting = false
    /// Whether people who are here already are known by something else than before.
    var hasNewKey = false
    /// See ``ImportSettings/adoptedHandles``.
    var adoptedHandles: [String] = []
    /// The heading of a column with the handles of another directory, which is ignored, and that directory's slug if it
    /// is in the same database.
    var foreignHeading: String?
    var foreignDirectory: String?
    /// The columns that are public from now on, although their headings would withhold them.
    var published: [String] = []
    /// The columns that older rules took for public.
    var newlyHidden: [String] = []
    /// The keys of fields for which the command line names columns.
    var mappedKeys: [String] = []
    /// The keys that `--map` has added.
    var newKeys: [String] = []

    init(settings: DirectorySettings, isTable: Bool) {
        self.settings = settings
        self.isTable = isTable
        resolved = settings.isEmpty ? .empty : ResolvedSettings(settings)
    }
}
