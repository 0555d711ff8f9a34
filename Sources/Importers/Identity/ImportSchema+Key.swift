import Publishing

extension DirectorySettings {
    /// Chooses what people are known by, unless the publisher or an earlier import has: an inferred key stays as long
    /// as the file has its columns.
    ///
    /// - Parameter stored: The settings before the import.
    mutating func inferKey(from survey: RecordSurvey, as stored: DirectorySettings) {
        (inferred.key, inferred.apart) = (stored.inferred.key, stored.inferred.apart)
        if own.key != nil || inferred.key?.lacking(in: survey.columns).isEmpty == true { return }
        let resolved = ResolvedSettings(self)
        let isKnown = resolved.shown.fields.contains {
            ($0.role == .id || $0.role == .login) && $0.source.onlyColumn != nil
        }
        let key = survey.source == .cards || isKnown ? nil : survey.survey.inferredKey(names: resolved.nameColumns)
        (inferred.key, inferred.apart) = (key?.columns, key?.apart)
    }
}

extension ResolvedSettings {
    /// The columns that names are read from.
    var nameColumns: [String] {
        if let name = field(.name) { return name.source.columns }
        return fields.filter { $0.role == .firstName || $0.role == .lastName }.flatMap(\.source.columns)
    }
}

extension ImportSchema {
    /// The columns that people are known by: `E-Mail`, `Vorname and Nachname`, `id`, `login`.
    public var knownBy: String {
        let key = settings.key
        if !key.isEmpty { return key.joined(separator: " and ") }
        let roles = resolved.shown.fields.filter { $0.source.onlyColumn != nil }.compactMap(\.role)
        if roles.contains(.id) { return "id" }
        if roles.contains(.login) { return "login" }
        return source == .cards ? "the ids in the file" : "name"
    }

    /// The columns of a key that was inferred, unless they are those of the name.
    public var inferredKey: [String] { settings.own.key == nil && !settings.knowsByName ? settings.key : [] }
}
