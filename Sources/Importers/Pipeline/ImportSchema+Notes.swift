import Base
import People
import Publishing

extension ImportSchema {
    /// The columns of the source that are not stored because of their headings or values, and not by the publisher's
    /// choice.
    public var withheld: [String] {
        let own = Set(settings.own.fields.filter { $0.show == .never }.compactMap { $0.from?.lowercased() })
        let names = ColumnNames(self)
        if settings.own.others == .never { return [] }
        return survey.headings.filter { names.isLeftOut($0) && !own.contains($0.lowercased()) }
    }

    /// The columns that are not shown in the sheet.
    public var hiddenInSheet: [String] { survey.columns.filter(\.isHiddenInSheet).map(\.heading) }

    /// Notes that inform the publisher or ask for a decision.
    public var advice: [String] {
        if !isLearned { return [] }
        let isKnownAnew = hasNewKey && settings.own.key == nil && !settings.key.isEmpty
        let foreign = survey.handles.map(\.directory).first { $0 != request.handleHeading }
        let ignored = foreign.map { heading in
            let owner = request.handleHeadings[heading].map { "the directory \($0)" } ?? "another directory or database"
            return "\(heading) ignored: it has the handles of \(owner)"
        }
        let withheld = withheldMappings.map { key, column in
            "--map \(key)=…: nothing is stored, because \(column) is withheld; "
                + "\(column.shellValue(of: "--publish")) shows it"
        }
        let published = published
        let shown = resolved.split(hiddenInSheet).shown.lacking(in: published)
        return ambiguousDates + (isKnownAnew ? ["people are known by \(knownBy)"] : [])
            + Self.note(
                "private from now on; new directories do not store such columns (--publish shows them)", newlyHidden)
            + [ignored].compactMap(\.self) + withheld
            + misspelledKeys.map { key, role in "--map \(key)=…: a new field; did you mean \(role)?" }
            + Self.note("published (--drop erases)", published)
            + Self.note("hidden in the sheet, but published (--drop erases)", shown)
    }

    /// The columns that are public from now on, although their headings would withhold them.
    private var published: [String] {
        let shown = resolved.split(survey.headings.filter(Withheld.matches)).shown
        return isFirst ? shown : shown.lacking(in: ResolvedSettings(request.stored).split(shown).shown)
    }

    private static func note(_ text: String, _ columns: [String]) -> [String] {
        columns.isEmpty ? [] : ["\(columns.joined(separator: ", ")): \(text)"]
    }

    /// The keys of fields for which the command line names columns.
    private var mappedKeys: [String] { request.edits.map.map(\.key) }

    /// The keys of fields that the command line reads from columns that are not stored, with such a column.
    private var withheldMappings: [(key: String, column: String)] {
        resolved.fields.filter { mappedKeys.contains($0.key) }.compactMap { field in
            resolved.split(field.source.columns).leftOut.first(where: Withheld.matches).map { (field.key, $0) }
        }
    }

    /// The keys of new fields that nearly are roles, with the roles.
    private var misspelledKeys: [(key: String, role: String)] {
        let known = FieldRole.allCases.map(\.rawValue) + request.stored.own.fields.map(\.key)
        let roles = FieldRole.allCases.map(\.rawValue)
        return mappedKeys.filter { !known.contains($0) }.compactMap { key in
            Suggestion.nearest(to: key, in: roles).map { (key, $0) }
        }
    }
}

extension SurveyedColumn {
    /// Whether all texts are dates, or else numbers, in `format`.
    func isRead(as type: FieldType?, _ format: String?) -> Bool {
        values.lazy.compactMap(\.text).allSatisfy { text in
            text.withBytes { bytes in
                type == .date ? FieldDate.read(bytes, format) != nil : FieldNumber.read(bytes, format) != nil
            }
        }
    }
}
