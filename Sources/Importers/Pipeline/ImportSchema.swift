import People
import Publishing

/// How an import reads its source, complete before the first record is decoded: what was asked for, what the source
/// is, and the settings that follow from both.
public struct ImportSchema: Sendable {
    let request: ImportRequest
    let source: SourceLayout
    public let settings: DirectorySettings
    public let resolved: ResolvedSettings
    /// The part of the source that was read ahead.
    public internal(set) var survey = Survey()
    /// The headings of columns that only this import has, unless it is the first one.
    public internal(set) var newColumns: [String] = []
    /// The headings of stored columns that the last import had and this one lacks.
    var lacking: [String] = []
    /// The columns that older rules took for public.
    var newlyHidden: [String] = []
    /// Sentences about dates that may begin with the day or the month, if the inference is the first one.
    var ambiguousDates: [String] = []
    /// The columns' marks of people who may have left, if the publisher has not decided about them.
    var leavers: Consequence?
    /// The consequences that the publisher has agreed to.
    public internal(set) var agreed: [Consequence] = []
    /// Whether the report says what each column was taken for.
    public var isExplained = false

    init(_ request: ImportRequest, _ settings: DirectorySettings, _ source: SourceLayout = .unknown) {
        (self.request, self.settings, self.source) = (request, settings, source)
        resolved = settings.isEmpty ? .empty : ResolvedSettings(settings)
    }
}

extension ImportSchema {
    /// Whether the settings were made from the columns of the source; otherwise the names of the columns decide.
    public var isLearned: Bool { source.isLearned }

    /// Whether nothing was inferred for the directory before.
    public var isFirst: Bool { isLearned && request.isFirst }

    /// The headings of stored columns that the last table had and this one lacks. A JSON object may lack what later
    /// ones have.
    public var missingColumns: [String] { source == .table ? lacking : [] }

    /// Whether people keep the values of columns that the file lacks (`--missing keep`).
    public var keepsMissing: Bool { request.missing == .keep && !lacking.isEmpty }

    /// Whether records change only the columns that the file has.
    var changesColumns: Bool { source == .edits || keepsMissing }

    /// How much records say of people who are here already.
    var extent: UserBatch.Extent {
        if changesColumns { return .columns(survey.headings) }
        guard case .ownExport = source else { return .whole }
        return .export(keepsPrivate: survey.handles.restricted.isEmpty && request.missing != .erase)
    }

    /// Whether the directory had people before the import, who may be known by a key or a name.
    var directoryHadPeople: Bool { isLearned && request.total > 0 }

    /// Whether people who are here already are known by something else than before.
    var hasNewKey: Bool { directoryHadPeople && settings.hasOtherKey(than: request.stored) }

    /// Whether people whose identity is new take over those of the same name: `--adopt`, or a key that the publisher
    /// did not name.
    var isAdopting: Bool { isLearned && request.isAdopting || hasNewKey && request.stored.own.key == nil }
}
