import People
import Publishing

/// The state before a source is read: the directory that an import fills, and the publisher's options. With a
/// survey of the source, it becomes an ``ImportSchema``.
public struct ImportRequest: Sendable {
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
    /// Counts the people of the directory who have values; `nil` if it has none.
    public var holders: FindHolders?
    /// Throws a ``Refusal`` unless the publisher agrees to what the import does.
    public var agree: @Sendable ([Consequence]) throws -> Void = { if !$0.isEmpty { throw Refusal($0) } }
    public var edits = SettingsEdits()
    /// Asks the publisher a question: yes, no, or `nil` if nobody can be asked.
    public var asks: (@Sendable (String) -> Bool?)?
    /// Whether people may be identified by another key than before.
    public var isAdopting = false
    /// The handles of people who are gone; new people of the same name take their place (`--adopt HANDLE`).
    public var adoptedHandles: [String] = []

    public init() {}

    /// Whether nothing was inferred for the directory before.
    var isFirst: Bool { start.inferred.fields.isEmpty }

    /// The stored settings, with the publisher's part from a file.
    var start: DirectorySettings { DirectorySettings(own: own ?? stored.own, inferred: stored.inferred) }

    /// The names of columns that are known before anything is read: to find the header of a table.
    var namesBeforeReading: ColumnNames {
        var settings = start
        for mapping in edits.map {
            var field = FieldSettings(key: FieldRole(column: mapping.key)?.rawValue ?? mapping.key)
            field.from = mapping.text
            settings.own.fields = settings.own.fields.filter { $0.key != field.key } + [field]
        }
        return ColumnNames(ImportSchema(self, settings))
    }
}

/// Decides about the values of columns that the last import had and this one lacks.
public enum MissingColumns: String, CaseIterable, Sendable {
    case keep, erase
}
