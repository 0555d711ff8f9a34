import Base
import People

extension ImportSchema {
    /// The columns of the source that are not stored because of their headings or values, and not by the publisher's
    /// choice.
    public var withheld: [String] {
        let own = Set((settings.own.fields ?? []).filter { $0.show == .never }.compactMap { $0.from?.lowercased() })
        return survey.columns.map(\.heading).filter { heading in
            !RecordSurvey.isHandleHeading(heading) && resolved.visibility(ofColumn: heading) == .never
                && !own.contains(heading.lowercased()) && settings.own.others != .never
        }
    }

    /// The columns that are not shown in the sheet.
    public var hiddenInSheet: [String] { survey.columns.filter(\.isHidden).map(\.heading) }

    private var dateNotes: [String] {
        notes.compactMap { note in
            if case .ambiguousDate = note { note.description } else { nil }
        }
    }

    /// The columns with e-mail addresses that tell all people apart: each person has one, and no two have the same.
    private var addressColumns: [String] {
        survey.columns.filter { column in
            let texts = column.values.compactMap { value in if case .text(let text) = value { text } else { nil } }
            let addresses = texts.count { Array($0.utf8).withUnsafeBytes(LinkStyle.isEmail) }
            return !texts.isEmpty && addresses * 2 >= texts.count && texts.count == survey.records
                && Set(texts.map(\.folded)).count == texts.count
        }.map(\.heading)
    }

    /// Notes that inform the publisher or ask for a decision.
    public var advice: [String] {
        if !isTable { return [] }
        var lines = isFirst ? dateNotes : []
        if let foreignHeading {
            let owner = foreignDirectory.map { "the directory \($0)" } ?? "another directory or database"
            lines.append("\(foreignHeading) ignored: it has the handles of \(owner)")
        }
        lines += misspelledKeys.map { key, role in "--map \(key)=…: a new field; did you mean \(role)?" }
        if !published.isEmpty {
            lines.append("\(published.joined(separator: ", ")): published, because the settings say so (--drop erases)")
        }
        let shown = hiddenInSheet.filter { resolved.visibility(ofColumn: $0) == .public && !published.contains($0) }
        if !shown.isEmpty {
            lines.append(
                "\(shown.joined(separator: ", ")): hidden in the sheet, but published, because the settings say so "
                    + "(--drop erases)")
        }
        if let keyAdvice { lines.append("rows are identified by their whole content; \(keyAdvice)") }
        return lines
    }

    /// Whether people are identified by their whole rows, because the file has neither a key nor ids or logins.
    var isIdentifiedByRows: Bool {
        let roles = Set(resolved.fields.filter { $0.visibility == .public && $0.source.onlyColumn != nil }.map(\.role))
        return (settings.own.key ?? []).isEmpty && !hasUIDs && !roles.contains(.id) && !roles.contains(.login)
    }

    /// The keys of new fields that nearly are roles, with the roles.
    private var misspelledKeys: [(key: String, role: String)] {
        let roles = FieldRole.allCases.map(\.rawValue)
        return newKeys.filter { !roles.contains($0) }.compactMap { key in
            Suggestion.nearest(to: key, in: roles).map { (key, $0) }
        }
    }

    /// Advice to name a key, so that people stay the same when their rows change; `nil` if they do already, or if no
    /// column is suitable.
    var keyAdvice: String? {
        guard isIdentifiedByRows, let column = addressColumns.first else { return nil }
        return "--key \(column.shellWord) keeps people when something changes"
    }
}

extension String {
    /// The text, in quotes if a shell would split it.
    fileprivate var shellWord: String {
        unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "-" }
            ? self : "\"\(self)\""
    }
}
