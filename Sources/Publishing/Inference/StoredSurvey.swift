import Base
import People

/// Collects the columns of the people in a directory, so that settings can be inferred from them again.
public struct StoredSurvey {
    public private(set) var survey: Survey
    private var indexes: [String: Int] = [:]
    /// The columns that are also columns of users, with the indexes of their fields.
    private let fieldsOfUsers: [(column: Int, field: Int)]
    private let reader: FieldReader
    private let settings: DirectorySettings

    /// The number of people that is enough to infer from.
    public static let maxRecords = 10_000
    private static let maxColumns = 1024

    public init(_ resolved: ResolvedSettings) {
        settings = resolved.stored
        reader = FieldReader(resolved.shown(to: .publisher))
        survey = Survey(columns: resolved.columns.map { SurveyedColumn(heading: $0) })
        for (index, heading) in resolved.columns.enumerated() where indexes[heading] == nil { indexes[heading] = index }
        let columns = resolved.columns.map { $0.folded }
        fieldsOfUsers = resolved.fieldsOfUsers.compactMap { heading, field, _ in
            columns.firstIndex(of: heading.folded).map { ($0, field) }
        }
    }

    /// Whether enough people have been added.
    public var isComplete: Bool { survey.records >= Self.maxRecords }

    /// Adds people, read with the private columns.
    public mutating func add(_ users: UserRows) {
        users.text.withUnsafeBytes { text in
            for row in users.rows { add(row.columns.bytes(in: text)) }
        }
    }

    package mutating func add(_ record: UserColumns<UnsafeRawBufferPointer>) {
        survey.records += 1
        var filled: Set<Int> = []
        try? JSON.forEachMember(of: record.more) { key, value in
            guard let index = index(of: key.text), let value = SurveyedColumn.Value(value),
                filled.insert(index).inserted
            else { return }
            survey.columns[index].values.append(value)
        }
        reader.read(record)
        for (column, field) in fieldsOfUsers where !filled.contains(column) {
            let text = String(decoding: reader.text(of: field), as: UTF8.self)
            if !text.isEmpty { survey.columns[column].values.append(.text(text)) }
        }
    }

    /// Returns the settings with the inferred part replaced by an inference from the people. A column that was not
    /// stored stays that way, because its values are unknown.
    public var inferredAgain: DirectorySettings {
        var inferred = Inference(survey, own: settings.own).settings
        // People are known by it, and it need not be stored.
        (inferred.key, inferred.apart) = (settings.inferred.key, settings.inferred.apart)
        let empty = Set(survey.columns.filter(\.values.isEmpty).map(\.heading))
        for field in settings.inferred.fields where field.show == .never {
            guard let column = field.onlyColumn, empty.contains(column),
                let index = inferred.fields.firstIndex(where: { $0.from == field.from })
            else { continue }
            inferred.fields[index].show = .never
        }
        return DirectorySettings(own: settings.own, inferred: inferred)
    }

    private mutating func index(of heading: String) -> Int? {
        if let index = indexes[heading] { return index }
        guard survey.columns.count < Self.maxColumns else { return nil }
        survey.columns.append(SurveyedColumn(heading: heading))
        indexes[heading] = survey.columns.count - 1
        return survey.columns.count - 1
    }
}

extension SurveyedColumn.Value {
    /// Returns `nil` for a value that is empty.
    ///
    /// - Parameters:
    ///   - maxTexts: How many texts of a list are kept.
    ///   - text: Returns the text of a scalar value.
    public init?(
        _ value: JSONValue, maxTexts: Int = .max,
        text: (JSONValue) -> String = { ($0.string?.text ?? String(decoding: $0.raw, as: UTF8.self)).trimmed }
    ) {
        switch value.kind {
        case .null: return nil
        case .object: self = .object
        case .array:
            var texts: [String] = []
            var hasObjects = false
            try? JSON.forEachElement(of: value.raw) { element in
                if element.kind == .object || element.kind == .array { hasObjects = true }
                if texts.count < maxTexts, case .text(let text) = Self(element, text: text) { texts.append(text) }
            }
            if hasObjects { self = .object } else if texts.isEmpty { return nil } else { self = .list(texts) }
        case .string, .number, .bool:
            let text = text(value)
            if text.isEmpty { return nil }
            self = .text(text)
        }
    }
}
