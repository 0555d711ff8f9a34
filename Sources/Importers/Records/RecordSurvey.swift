import Base
import People
import Publishing

/// Collects the values of the first records of a file, by column, before any record is decoded.
final class RecordSurvey {
    /// Enough to infer the meaning of a column, in little memory.
    private static let maxRecords = 10_000
    /// A file with no more people may be a correction of some of them.
    private static let maxCorrections = 5
    static let maxBytes = 16 << 20
    /// The rest of a longer value does not help inference.
    private static let maxValueBytes = 512

    private(set) var survey = Survey()
    /// The layout of the file, as far as it is known.
    private(set) var layout: FileLayout?
    /// The member names that identify the source of the first record.
    private(set) var marks: ColumnMapping.Marks = []
    /// The kind of the records, unless their members tell it.
    private var kind: SourceLayout
    /// The heading of the column of handles in exports of the directory.
    private let handleHeading: String?
    /// The folded columns that the publisher's options name: in records whose other members are known, they are looked
    /// for.
    private let wanted: Set<String>
    /// The indexes of the columns by heading, as files write it and folded.
    private var indexes: [String: Int] = [:]
    /// The names of members that were `null`. A file that has only `null` in a member does not lack
    /// the column.
    private(set) var nulls: Set<String> = []
    /// Whether a column that most of `total` people have is missing by mistake: a few records, and not most of all, may
    /// lack it by chance.
    func mayLackByMistake(_ total: Int) -> Bool { survey.records > Self.maxCorrections || survey.records * 2 >= total }
    /// The columns that have no heading of their own.
    private(set) var renamed: [(number: Int, heading: String, name: String)] = []

    init(of kind: SourceLayout = .cards, for request: ImportRequest = ImportRequest()) {
        (self.kind, handleHeading) = (kind, request.handleHeading)
        wanted = Set(request.edits.names.map(\.folded))
    }

    var isComplete: Bool {
        survey.records >= Self.maxRecords || !source.isLearned && wanted.isSubset(of: indexes.keys)
    }

    /// The layout of the source, by its first record or else by what all records have in common.
    var source: SourceLayout { marks.layout ?? (hasHandles ? .edits : kind) }
    private var hasHandles: Bool { survey.handles.contains { $0.directory == handleHeading } }

    var columns: [String] { survey.headings }

    /// Adds the columns of a table, including those without any value.
    func add(_ header: CSVHeader) {
        kind = .table
        renamed = header.renamed
        for title in header.titles { _ = index(of: title) }
    }

    /// Removes the columns without a heading and without values: the separators at the end of rows make such columns.
    func removeEmptyColumns() {
        let unnamed = Set(renamed.filter(\.heading.isEmpty).map(\.name))
        survey.columns.removeAll { unnamed.contains($0.heading) && $0.values.isEmpty }
        let headings = Set(survey.headings)
        renamed.removeAll { !headings.contains($0.name) }
        indexes = [:]
        for (index, heading) in survey.headings.enumerated() { note(heading, index) }
    }

    /// Notes that columns are hidden in the sheet, or others than those that describe people.
    func mark(_ mark: WritableKeyPath<SurveyedColumn, Bool>, where holds: (_ heading: String) -> Bool) {
        for index in survey.columns.indices where holds(survey.columns[index].heading) {
            survey.columns[index][keyPath: mark] = true
        }
    }

    /// Whether another program has damaged half of the texts beyond ASCII.
    var isMojibake: Bool { NormalizedText.mojibake(in: texts { _ in true }) != nil }

    /// A name that is damaged so, and what was meant.
    var damagedName: (shown: String, meant: String)? {
        let roles = FieldRole.of(headings: survey.headings)
        return NormalizedText.mojibake(
            in: texts { [.name, .firstName, .lastName].contains(roles[$0]) })
    }

    /// Returns the texts of columns, by their indexes.
    private func texts(_ isWanted: @escaping (Int) -> Bool) -> some Sequence<String> {
        survey.columns.indices.lazy.filter(isWanted).flatMap { [columns = survey.columns] index in
            columns[index].values.lazy.compactMap(\.text)
        }
    }

    /// Adds the values of a record. Throws an error for an object that is not JSON.
    func add(_ record: SourceRecord) throws {
        switch record {
        case .object(let text, let uid, _):
            if uid.isEmpty { kind = .objects }
            try add(json: text)
        case .row(let cells, let header): add(titles: header.titles, cells: cells)
        }
    }

    private func add(json text: UnsafeRawBufferPointer) throws {
        var count = 0
        var memberNames = MemberNames()
        try JSON.forEachMember(of: text) { key, value in
            count += 1
            guard count <= RecordLimits.members else { return }
            let member = key.text
            if survey.records == 0 {
                marks.note(ColumnNames.marks(of: member), isList: value.kind == .array)
                // Rollcall's own records have all other members in one object.
                if member == "fields", value.kind == .object { noteMarks(inside: value.raw) }
            }
            guard let heading = memberNames.name(member) else { return }
            if value.isNull, nulls.count < RecordLimits.columns { nulls.insert(heading) }
            guard !value.isNull, let index = index(of: heading),
                let value = SurveyedColumn.Value(value, maxTexts: 100, text: Self.text)
            else { return }
            survey.columns[index].values.append(value)
        }
        survey.records += 1
    }

    private func add(titles: [String], cells: [UnsafeRawBufferPointer]) {
        if survey.records == 0 {
            marks = ColumnMapping.Marks(titles.map(ColumnNames.marks))
            // Rollcall's own tables have all other members in one cell.
            if marks.isSuperset(of: .ownExport), let column = titles.firstIndex(of: "more"), column < cells.count {
                noteMarks(inside: cells[column])
            }
        }
        for (title, cell) in zip(titles, cells) where !cell.isEmpty {
            let text = Self.text(cell)
            if !text.isEmpty, let index = index(of: title) { survey.columns[index].values.append(.text(text)) }
        }
        survey.records += 1
    }

    private func noteMarks(inside object: UnsafeRawBufferPointer) {
        try? JSON.forEachMember(of: object) { key, _ in marks.formUnion(ColumnNames.marks(of: key.text)) }
    }

    private func index(of heading: String) -> Int? {
        if let index = indexes[heading] { return index }
        // Names that differ in case alone are one column, called as in the first record.
        if let index = indexes[heading.folded] {
            indexes[heading] = index
            return index
        }
        if let handles = HandleHeading(heading) {
            if !survey.handles.contains(handles) { survey.handles.append(handles) }
            return nil
        }
        // More columns have no fields of their own.
        guard survey.columns.count < RecordLimits.columns else { return nil }
        survey.columns.append(SurveyedColumn(heading: heading))
        note(heading, survey.columns.count - 1)
        return survey.columns.count - 1
    }

    private func note(_ heading: String, _ index: Int) {
        indexes[heading] = index
        indexes[heading.folded] = index
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        NormalizedText.cleaned(String(decoding: bytes.prefix(maxValueBytes), as: UTF8.self))
    }

    private static func text(_ value: JSONValue) -> String {
        let buffer = ByteBuffer(capacity: 64)
        RecordValue.json(value).appendText(to: buffer)
        return text(buffer.bytes)
    }
}

/// Neither stores nor rejects a record.
extension RecordSurvey: RecordSink {
    /// Ends the reading when the survey is complete.
    struct End: Error {}

    func take(_ record: SourceRecord, at place: @autoclosure () -> String) throws {
        // A record that cannot be read is rejected when it is decoded.
        try? add(record)
        if isComplete { throw End() }
    }

    func reject(_ rejection: Rejection) {}
    func note(_ text: String) {}

    func describe(_ layout: FileLayout, _ header: CSVHeader?) {
        self.layout = layout
        // So that columns without values are known, too.
        if let header { add(header) }
    }
}
