import Base
import People
import Publishing

/// The settings of a directory after an import has looked at the columns of its source, with the publisher's changes.
struct LearnedSettings {
    private(set) var settings: DirectorySettings
    /// The headings of columns that only this source has.
    private(set) var newColumns: [String] = []
    /// The columns that older rules took for public.
    private(set) var hidden: [String] = []
    private(set) var notes: [Inference.Note] = []

    /// Learns from the first source of a directory, whose publisher's settings are in `start`.
    init(
        first survey: Survey, _ columns: [String], separator: String?, _ start: DirectorySettings,
        _ apply: (DirectorySettings) throws -> DirectorySettings
    ) throws {
        let keyed = try start.keyingFields(by: survey)
        var inference = Inference(survey, own: keyed.own)
        let inferred = {
            var inferred = inference.settings
            (inferred.columns, inferred.separator) = (columns, separator)
            return inferred
        }
        settings = keyed
        settings.inferred = inferred()
        settings = try apply(settings.listingKeys())
        // Nothing else depends on the key.
        var unchanged = keyed.own
        unchanged.key = settings.own.key
        if settings.own != unchanged {
            // A column that the publisher leaves out becomes no filter; one that another field reads gets no field of
            // its own.
            inference = Inference(survey, own: settings.own)
            settings.inferred = inferred()
        }
        settings.hideRepeats(among: columns)
        notes = inference.notes
    }

    /// Learns what is new in a later source.
    ///
    /// - Parameters:
    ///   - kept: The columns of the directory, if people keep the values of those that the source lacks.
    ///   - mapped: The keys of fields that the publisher lets read other columns.
    ///   - stored: The settings before the import.
    init(
        more survey: Survey, _ columns: [String], besides kept: [String]?, separator: String?,
        _ start: DirectorySettings, mapped: [String], _ stored: DirectorySettings,
        _ apply: (DirectorySettings) throws -> DirectorySettings
    ) throws {
        settings = start
        newColumns = start.newColumns(among: columns)
        settings.inferFields(of: newColumns, survey)
        hidden = settings.hideWithheld(survey)
        settings.inferFormats(survey)
        settings.inferred.separator = separator
        settings.inferred.columns = kept.map { $0 + newColumns } ?? columns
        settings = try apply(settings.listingKeys())
        if !mapped.isEmpty { settings.inferFields(readBy: mapped, survey) }
        settings.offerSorts(notIn: stored)
        settings.hideRepeats(among: newColumns)
    }
}

extension DirectorySettings {
    /// Returns those of `columns` that no field reads and that no earlier file had.
    func newColumns(among columns: [String]) -> [String] {
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
        if columns.isEmpty { return }
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
