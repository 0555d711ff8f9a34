import Base
import People
import Publishing

extension ImportSchema {
    /// The columns of the source that are not stored because of their headings or values, and not by the publisher's
    /// choice.
    public var withheld: [String] {
        let own = Set((settings.own.fields ?? []).filter { $0.show == .never }.compactMap { $0.from?.lowercased() })
        return survey.columns.map(\.heading).filter { heading in
            HandleHeading(heading) == nil && resolved.visibility(ofColumn: heading) == .never
                && !own.contains(heading.lowercased()) && settings.own.others != .never
        }
    }

    /// The columns that are not shown in the sheet.
    public var hiddenInSheet: [String] { survey.columns.filter(\.isHiddenInSheet).map(\.heading) }

    private var dateNotes: [String] {
        notes.compactMap { note in
            if case .ambiguousDate = note { note.description } else { nil }
        }
    }

    /// Notes that inform the publisher or ask for a decision.
    public var advice: [String] {
        if !isTable { return [] }
        let isKnownAnew = hasNewKey && settings.own.key == nil && !settings.key.isEmpty
        let ignored = foreignHeading.map { heading in
            let owner = foreignDirectory.map { "the directory \($0)" } ?? "another directory or database"
            return "\(heading) ignored: it has the handles of \(owner)"
        }
        let withheld = withheldMappings.map { key, column in
            "--map \(key)=…: nothing is stored, because \(column) is withheld; "
                + "\(column.shellValue(of: "--publish")) shows it"
        }
        let shown = hiddenInSheet.filter { resolved.visibility(ofColumn: $0) == .public && !published.contains($0) }
        return (isFirst ? dateNotes : []) + (isKnownAnew ? ["people are known by \(knownBy)"] : [])
            + Self.note(
                "private from now on; new directories do not store such columns (--publish shows them)", newlyHidden)
            + [ignored].compactMap(\.self) + withheld
            + misspelledKeys.map { key, role in "--map \(key)=…: a new field; did you mean \(role)?" }
            + Self.note("published (--drop erases)", published)
            + Self.note("hidden in the sheet, but published (--drop erases)", shown)
    }

    private static func note(_ text: String, _ columns: [String]) -> [String] {
        columns.isEmpty ? [] : ["\(columns.joined(separator: ", ")): \(text)"]
    }

    /// The keys of fields that the command line reads from columns that are not stored, with such a column.
    private var withheldMappings: [(key: String, column: String)] {
        resolved.fields.filter { mappedKeys.contains($0.key) && $0.visibility == .never }.compactMap { field in
            field.source.columns.first { Withheld.matches(heading: $0) }.map { (field.key, $0) }
        }
    }

    /// The keys of new fields that nearly are roles, with the roles.
    private var misspelledKeys: [(key: String, role: String)] {
        let roles = FieldRole.allCases.map(\.rawValue)
        return newKeys.filter { !roles.contains($0) }.compactMap { key in
            Suggestion.nearest(to: key, in: roles).map { (key, $0) }
        }
    }
}

/// Decides about the values of columns that the last import had and this one lacks.
public enum MissingColumns: String, CaseIterable, Sendable {
    case keep, erase
}

/// The people of a directory. An import asks about them before it changes anything.
public protocol StoredPeople: Sendable {
    /// Returns how many people have a value in each of `columns`. Columns that nobody has a value in are left out.
    func holders(of columns: [String]) throws -> [ColumnHolders.Count]

    /// Throws an error unless the publisher agrees that `settings` erase stored values, or if they erase none.
    func agree(to settings: DirectorySettings) throws
}

extension ImportSettings {
    /// Throws an error if more than half of the people have a value in one of the columns that the file lacks.
    ///
    /// - Parameters:
    ///   - missing: The stored columns that the file lacks.
    ///   - columns: The columns of the file.
    func checkMissing(_ missing: [String], in resolved: ResolvedSettings, columns: [String]) throws {
        let (old, found) = (ResolvedSettings(stored), Set(columns.map { $0.lowercased() }))
        // A field misses nothing if it now reads other columns and the file has them all.
        let asked = missing.filter { column in
            let key = old.fields.first { $0.source.reads(column) }?.key
            let field = resolved.fields.first { $0.key == key }
            return field?.source.columns.allSatisfy { found.contains($0.lowercased()) } != true
        }
        if asked.isEmpty { return }
        let most = try (people?.holders(of: asked) ?? []).filter { $0.people * 2 > total }
            .sorted { ($1.people, $0.column) < ($0.people, $1.column) }
        guard let first = most.first else { return }
        let reading = resolved.fields.first { $0.source.reads(first.column) }
        let all = counted(total, "person", "people")
        let lacks = most.map { "\($0.column), which \($0.people.grouped) of \(all) have" }.joined(separator: ", and ")
        throw RollcallError(
            """
            \(source) lacks \(lacks): nothing was saved. --missing keep leaves the values, --missing erase removes them, \
            --map \(reading?.key ?? "KEY")=COLUMN reads another
            """)
    }
}

extension SurveyedColumn {
    /// Whether all texts are dates or numbers in `format`; those of other types are always read.
    func isRead(as type: FieldType, _ format: String?) -> Bool {
        if type != .date && type != .number { return true }
        return values.allSatisfy { value in
            guard case .text(let text) = value else { return true }
            return Array(text.utf8).withUnsafeBytes { bytes in
                type == .date ? FieldDate.read(bytes, format) != nil : FieldNumber.read(bytes, format) != nil
            }
        }
    }
}
