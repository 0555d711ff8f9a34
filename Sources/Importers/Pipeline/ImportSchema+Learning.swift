import Base
import People
import Publishing

extension ImportRequest {
    /// Returns how records of a service or a repository are read, whose columns are known.
    func schema(of builtIn: BuiltInSettings) throws -> ImportSchema {
        try schema(for: RecordSurvey(of: .service(builtIn)))
    }

    /// Returns how the source is read whose beginning is in `survey`: by the stored settings, those that are built in
    /// or inferred for new columns, and the changes of the command line. Throws a ``Refusal`` if that does what the
    /// publisher may not want.
    func schema(for survey: RecordSurvey) throws -> ImportSchema {
        if let heading = survey.columns.first(where: HandleHeading.isChanged) {
            throw RollcallError(
                """
                a program has changed the heading "\(heading)" of an export, so nobody can tell which columns are \
                private; export again, and leave that heading as it is
                """)
        }
        var schema =
            switch survey.source {
            case .service(let builtIn), .ownExport(let builtIn): try schema(builtIn, survey)
            case .unknown, .table, .objects, .cards, .edits: try learn(survey)
            }
        schema.agreed = try schema.consequences(survey)
        try agree(schema.agreed)
        return schema
    }

    private func schema(_ builtIn: BuiltInSettings, _ survey: RecordSurvey) throws -> ImportSchema {
        let users = ColumnNames.columns(of: survey.source)
        let kept = edits.keep.flatMap(SettingsEdits.keys).compactMap { users[$0.folded] }
        let isKept = kept.contains { $0 != .avatarURL }
        try expect(
            !isKept || survey.source != .service(builtIn),
            """
            --keep: the id, the login and the name of a service's people cannot be private, because readers see these of \
            everybody; --drop does not store them
            """)
        var settings = start
        if settings.inferred == Settings() { settings.inferred = builtIn.settings }
        // A service that is asked has shown nobody yet.
        let shown = survey.columns.isEmpty ? builtIn.published.union(users.keys).sorted() : survey.columns
        let columns = ResolvedSettings(settings).columns + shown + survey.survey.handles.restricted
        var schema = ImportSchema(self, try edits.applying(to: settings, columns: columns), survey.source)
        schema.survey = survey.survey
        let naming = shown.filter { [.login, .name].contains(users[$0.folded]) }
        try expect(
            naming.isEmpty || ColumnNames(schema).hasNames,
            "neither the login nor the name of people is stored; --publish stores one of \(listed(naming))")
        return schema
    }

    /// Learns the columns of a file, for the first or a later time.
    private func learn(_ survey: RecordSurvey) throws -> ImportSchema {
        let columns = survey.columns
        // JSON lacks a column that is empty.
        let named = columns + survey.survey.handles.restricted.filter { !columns.contains($0) }
        try check(named, survey.source)
        var (settings, ambiguousDates) = (start, [String]())
        var (newColumns, hidden) = ([String](), [String]())
        if isFirst {
            ambiguousDates = try settings.learn(survey.survey, named, self)
        } else {
            newColumns = start.newColumns(among: columns)
            hidden = try settings.learn(newColumns, survey, named, self)
        }
        if let file { try DirectorySettings(own: file).check(columns: settings.inferred.columns ?? columns) }
        var (leavers, lacked): (Consequence?, [String]) = (nil, [])
        if survey.source != .edits {
            settings.inferKey(from: survey, as: stored)
            leavers = decideOnLeavers(in: &settings, survey.survey)
            lacked = (stored.inferred.columns ?? []).lacking(in: columns + survey.nulls)
        }
        var schema = ImportSchema(self, settings, survey.source)
        (schema.survey, schema.newColumns, schema.leavers) = (survey.survey, newColumns, leavers)
        schema.ambiguousDates = ambiguousDates
        schema.newlyHidden = schema.resolved.split(hidden).restricted
        schema.lacking = schema.resolved.split(lacked).stored
        return schema
    }

    /// Throws an error if the options name columns that are not among `columns`, or say what no edited export can do.
    private func check(_ columns: [String], _ source: SourceLayout) throws {
        for rule in edits.set.leaveOut ?? [] { _ = try columns.column(LeaveOutRule(rule).column, for: "only-where") }
        try expect(
            source != .edits || missing != .erase,
            """
            --missing: an export with a column of handles changes the columns that it has, and no others; \
            --drop COLUMN removes values
            """)
    }
}

extension DirectorySettings {
    /// Learns from the first source of a directory. The publisher's changes may name the columns `named`.
    /// Returns sentences about dates that may begin with the day or the month.
    fileprivate mutating func learn(_ survey: Survey, _ named: [String], _ request: ImportRequest) throws -> [String] {
        let keyed = try keyingFields(by: survey)
        var inference = Inference(survey, own: keyed.own)
        let inferred = {
            var inferred = inference.settings
            (inferred.columns, inferred.separator) = (survey.headings, request.separator)
            return inferred
        }
        self = DirectorySettings(own: keyed.own, inferred: inferred())
        self = try request.edits.applying(to: listingKeys(), columns: named)
        // Nothing else depends on the key.
        var unchanged = keyed.own
        unchanged.key = own.key
        if own != unchanged {
            // A column that the publisher leaves out becomes no filter; one that another field reads gets no field of
            // its own.
            inference = Inference(survey, own: own)
            self.inferred = inferred()
        }
        hideRepeats(among: survey.headings)
        return inference.ambiguousDates
    }

    /// Learns what is new in a later source, and returns the columns that older rules took for public.
    fileprivate mutating func learn(
        _ newColumns: [String], _ survey: RecordSurvey, _ named: [String], _ request: ImportRequest
    ) throws -> [String] {
        // Columns whose values people keep are still columns of the directory.
        let keeps = survey.source == .edits || request.missing == .keep
        let columns = keeps ? (inferred.columns ?? []) + newColumns : survey.columns
        let again = Inference(survey.survey, own: own).settings.fields
        takeFields(of: newColumns, from: again)
        let hidden = hideWithheld(as: again)
        takeFormats(from: again, survey.survey)
        (inferred.columns, inferred.separator) = (columns, request.separator)
        self = try request.edits.applying(to: listingKeys(), columns: named)
        if survey.source != .edits { inferFields(readBy: request.edits.map.map(\.key), survey.survey) }
        offerSorts(notIn: request.stored)
        hideRepeats(among: newColumns)
        return hidden
    }
}

extension DirectorySettings {
    /// Returns those of `columns` that no field reads and that no earlier file had.
    func newColumns(among columns: [String]) -> [String] {
        let resolved = ResolvedSettings(self)
        return columns.lacking(in: resolved.columns + resolved.fields.flatMap(\.source.columns))
    }

    /// Infers the fields `keys` again, because they read other columns now, and all lists of fields.
    fileprivate mutating func inferFields(readBy keys: [String], _ survey: Survey) {
        if keys.isEmpty { return }
        let again = Inference(survey, own: own).settings
        let columns = Set(own.fields.filter { keys.contains($0.key) }.compactMap { $0.from?.lowercased() })
        let isMapped = { (field: FieldSettings) in
            keys.contains(field.key) || field.from.map { columns.contains($0.lowercased()) } == true
        }
        inferred.fields.removeAll(where: isMapped)
        inferred.fields += again.fields.filter(isMapped)
        (inferred.rows, inferred.cards, inferred.search) = (again.rows, again.cards, again.search)
        (inferred.filters, inferred.sorts) = (again.filters, again.sorts)
    }

    /// Takes the formats of dates and numbers, as they are inferred `again`, that this file writes in another way than
    /// the last one: workbooks have dates of their own, and CSV has them as they were shown.
    fileprivate mutating func takeFormats(from again: [FieldSettings], _ survey: Survey) {
        for (index, field) in inferred.fields.enumerated() where field.type == .date || field.type == .number {
            let name = field.onlyColumn?.lowercased()
            let isSame = { (other: FieldSettings) in
                (other.from ?? other.key) == (field.from ?? field.key) && other.type == field.type
            }
            guard let column = survey.columns.first(where: { $0.heading.lowercased() == name }),
                let other = again.first(where: isSame), !column.isRead(as: field.type, field.format)
            else { continue }
            inferred.fields[index].format = other.format
        }
    }

    /// Hides those of the new `columns` that repeat the heading of a private one, such as `Code 2`.
    fileprivate mutating func hideRepeats(among columns: [String]) {
        let resolved = ResolvedSettings(self)
        for column in resolved.split(columns).shown {
            guard let space = column.lastIndex(of: " "), Int(column[space...].dropFirst()) != nil,
                !resolved.split([String(column[..<space])]).restricted.isEmpty,
                let index = inferred.fields.firstIndex(where: { $0.onlyColumn == column })
            else { continue }
            inferred.fields[index].show = .private
        }
    }

    /// Makes columns private that were inferred to be public and would be withheld today, as they are inferred `again`,
    /// and returns them. Ids and logins stay, because people are known by them.
    fileprivate mutating func hideWithheld(as again: [FieldSettings]) -> [String] {
        let withheld = again.filter { $0.show == .never }.compactMap(\.onlyColumn)
        let shown = Set(ResolvedSettings(self).split(withheld).shown)
        let kept = own.fields.filter { $0.show != nil }.map(\.key) + [FieldRole.id, .login].map(\.rawValue)
        var hidden: [String] = []
        for (index, field) in inferred.fields.enumerated() where !kept.contains(field.key) {
            guard field.show == nil, let column = field.onlyColumn, shown.contains(column) else { continue }
            hidden.append(column)
            inferred.fields[index].show = .private
        }
        return hidden
    }

    /// Returns the settings with the keys that `survey` infers in the place of headings by which fields are called.
    fileprivate func keyingFields(by survey: Survey) throws -> DirectorySettings {
        guard own.fields.contains(where: { $0.from == nil }) else { return self }
        var others = self
        others.own.fields.removeAll { $0.from == nil }
        others.inferred = Inference(survey, own: others.own).settings
        return try keyingFields(by: others)
    }

    /// Adds a field for each of `columns`, as they are inferred `again`.
    fileprivate mutating func takeFields(of columns: [String], from again: [FieldSettings]) {
        let names = Set(columns)
        for var field in again {
            guard let column = field.onlyColumn, names.contains(column) else { continue }
            let keys = (own.fields + inferred.fields).map(\.key)
            if keys.contains(field.key) { field.key = FieldKey.unique(column, among: keys) }
            inferred.fields.append(field)
        }
    }
}
