import Base
import People
import Publishing

/// The settings by which an import reads its source, complete before the first record is decoded.
public struct ImportSchema: Sendable {
    public var settings: DirectorySettings
    public let resolved: ResolvedSettings
    /// What the source is, if its columns are learned.
    let source: SourceLayout?
    /// Whether the settings were made from the columns of the source; otherwise the names of the columns decide.
    public var isTable: Bool { source?.isToBeLearned == true }
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
    /// The headings of the file, if people keep the values of all other columns: it is an edited export that changes
    /// people by their handles, or the publisher says so. Empty if all columns change.
    var changedHeadings: [String] = []
    /// Whether people keep the values of columns that the file lacks (`--missing keep`).
    public internal(set) var keepsMissing = false
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

    init(settings: DirectorySettings, source: SourceLayout? = nil) {
        (self.settings, self.source) = (settings, source)
        resolved = settings.isEmpty ? .empty : ResolvedSettings(settings)
    }
}
