import People
import Publishing

extension ImportSchema {
    /// Returns what the import would erase, publish, or no longer know people by.
    func consequences(_ survey: RecordSurvey) throws -> [Consequence] {
        let stored = request.stored
        // The rows are at hand, and nobody chose the key that was inferred.
        let isAdopting = request.isAdopting || stored.own.key == nil && !stored.key.isEmpty
        let lost = lost(survey)
        let source: [Consequence?] = try [
            copied, undecided, lackedKey, isFirst ? leavers : nil, losses(of: lost, survey), unmarked(lost), unruled,
        ]
        return try source.compactMap(\.self)
            + stored.consequences(of: settings, people: request.total, isAdopting: isAdopting, request.holders)
    }

    /// Whether the file is an export of another directory, as its columns of handles say, and the publisher did not say
    /// where to import it: a second directory would show what is private in the first.
    private var copied: Consequence? {
        guard request.namesDirectoryAfterSource else { return nil }
        return survey.handles.lazy.compactMap { request.handleHeadings[$0.directory] }.first.map(Consequence.copies)
    }

    /// Whether the file has private columns that the publisher has not decided on: those of another directory, or of
    /// this one those that it does not know.
    private var undecided: Consequence? {
        let own = survey.handles.filter { $0.directory == request.handleHeading }
        let others = survey.handles.filter { $0.directory != request.handleHeading }
        let new = isLearned && !own.restricted.isEmpty ? request.start.newColumns(among: survey.headings) : []
        let columns = (new + others.restricted).filter { !isDecided($0) }
        return columns.isEmpty ? nil : .publishes(columns)
    }

    /// Whether the file lacks columns that identify people.
    private var lackedKey: Consequence? {
        // Another key would be learned in place of one that was, and nobody who was forgotten is known by that.
        let learned = isLaterTable ? request.stored.inferred.key : nil
        let missing = (settings.own.key ?? learned ?? []).lacking(in: survey.headings)
        guard let first = missing.first else { return nil }
        switch source {
        case .unknown, .service, .edits: return nil
        case .ownExport:
            // Then people are found by their names, or by what the publisher says.
            if request.isAdopting || request.edits.key != nil { return nil }
            return .lacksKey(missing, cure: "An export with --layout source names them by their handles")
        case .table, .objects, .cards:
            let question = Suggestion.question(first, in: survey.headings)
            let list = CSVHeader.list(survey.headings)
            return .lacksKey(missing, cure: "It has \(list)\(question). --key COLUMN knows people by another one")
        }
    }

    /// Whether the source is a table for people who are here, and may not erase what it lacks.
    private var isLaterTable: Bool { source == .table && request.total > 0 && request.missing != .erase }

    /// Whether a table lacks columns that say who is not listed. Those who are not were never stored, so nobody would
    /// know them again.
    private var unruled: Consequence? {
        let missing = settings.leaveOut.map(\.column).lacking(in: survey.headings)
        guard isLaterTable, !missing.isEmpty else { return nil }
        let cure = "--only-where COLUMN=VALUE says by another column who is listed, --all-people lists everybody"
        return .lists(Set(missing).sorted(), source: request.source, cure: cure)
    }

    /// Whether the source lacks the column that hides people, or no record has that member.
    private func unmarked(_ lost: [String]) -> Consequence? {
        let hiding = ResolvedSettings(request.stored).fields.filter { $0.role == .hidden }
        let marks = lost.filter { column in hiding.contains { $0.source.reads(column) } }
        if marks.isEmpty { return nil }
        let cure = "--missing keep goes on hiding them, --missing erase lists everybody"
        return .lists(marks, source: request.source, cure: cure)
    }

    /// Whether more than half of the people have a value in one of the columns that the file lacks.
    private func losses(of lost: [String], _ survey: RecordSurvey) throws -> Consequence? {
        // A few JSON records may be all that changed, with other members than the rest.
        guard source == .table || survey.mayLackByMistake(request.total), !lost.isEmpty else { return nil }
        let names = Set(lost.map { $0.lowercased() })
        let most = try (request.holders?({ names.contains($0.lowercased()) }) ?? [])
            .filter { $0.people * 2 > request.total }
            .sorted { ($1.people, $0.column) < ($0.people, $1.column) }
        guard let first = most.first else { return nil }
        let reading = resolved.fields.first { $0.source.reads(first.column) }
        return .loses(most, of: request.total, source: request.source, field: reading?.key)
    }

    /// The columns that the source lacks, but for those whose field reads other columns now, which it has. None if
    /// the publisher has decided about them.
    private func lost(_ survey: RecordSurvey) -> [String] {
        if request.missing != nil { return [] }
        let (old, found) = (ResolvedSettings(request.stored), survey.columns + survey.nulls)
        return lacking.filter { column in
            let key = old.fields.first { $0.source.reads(column) }?.key
            let field = resolved.fields.first { $0.key == key }
            return field?.source.columns.lacking(in: found).isEmpty != true
        }
    }

    /// Whether the publisher has said who may see `column`.
    private func isDecided(_ column: String) -> Bool {
        let own = settings.own
        if let others = own.others, others != .public { return true }
        let fields = resolved.fields.filter { $0.source.reads(column) }
        return !fields.isEmpty && fields.allSatisfy { own.field($0.key)?.show != nil }
    }
}
