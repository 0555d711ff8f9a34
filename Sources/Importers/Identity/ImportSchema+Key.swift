import People
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
        let isKnown = survey.source == .cards || resolved.shownAccount != nil
        let key = isKnown ? nil : survey.survey.inferredKey(names: resolved.nameColumns)
        (inferred.key, inferred.apart) = (key?.columns, key?.apart)
    }
}

extension ResolvedSettings {
    /// The id, or else the login, if readers see the column of the source that it is.
    fileprivate var shownAccount: FieldRole? {
        let roles = shown.fields.filter { $0.source.onlyColumn != nil }.compactMap(\.role)
        return [.id, .login].first(where: roles.contains)
    }

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
        return resolved.shownAccount?.rawValue ?? (source == .cards ? "the ids in the file" : "name")
    }

    /// The columns of a key that was inferred, unless they are those of the name.
    public var inferredKey: [String] { settings.own.key == nil && !settings.knowsByName ? settings.key : [] }
}
