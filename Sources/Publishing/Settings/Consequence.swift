import Base
import People

/// An effect of a change of settings, or of an import, that its publisher may not want: it erases values, shows
/// columns, or no longer knows people. All are found before anything is saved, and each has a sentence and a cure.
///
/// ```swift
/// Consequence.erases([("Team", 6)]).fact  // this erases Team of 6 people
/// ```
public struct Consequence: Equatable, Sendable {
    /// What would happen.
    public let fact: String
    /// The publisher's way out.
    public let cure: String

    /// Whether `--yes`, or a yes at the terminal, agrees to it.
    public private(set) var isErasure = false

    /// Columns are not stored any more in which people have values.
    public static func erases(_ columns: [(column: String, people: Int)]) -> Consequence {
        let parts = columns.map { "\($0.column) of \(counted($0.people, "person", "people"))" }
        return Consequence(fact: "this erases \(listed(parts))", cure: "--yes agrees", isErasure: true)
    }

    /// A source lacks columns in which most people have a value; `field` reads the first of them.
    public static func loses(
        _ columns: [(column: String, people: Int)], of total: Int, source: String, field: String?
    ) -> Consequence {
        let all = counted(total, "person", "people")
        let parts = columns.map { "\($0.column), which \($0.people.grouped) of \(all) have" }
        return Consequence(
            fact: "\(source) lacks \(parts.joined(separator: ", and "))",
            cure: "--missing keep leaves the values, --missing erase removes them, "
                + "--map \(field ?? "KEY")=COLUMN reads another")
    }

    /// A source lacks columns that say who is not listed: who has left, for example.
    public static func lists(_ columns: [String], source: String, cure: String) -> Consequence {
        Consequence(fact: "\(source) lacks \(quoted(columns)), which says who is not listed", cure: cure)
    }

    /// People are removed because the source lacks them.
    public static func removes(_ pruning: Pruning, from slug: Slug) -> Consequence {
        let people = "\(pruning.gone.grouped) of \(pruning.total.grouped) people (\(pruning.share) %)"
        return Consequence(
            fact: "\(slug): --prune would remove \(people)", cure: "If that is right: --prune=all")
    }

    /// The people of the directory are known by the columns `known`, and another key is wanted.
    public static func changesKey(known: [String], people: Int) -> Consequence {
        let text = known.isEmpty ? "without a key" : "by \(known.joined(separator: " and "))"
        return Consequence(
            fact: "the directory has \(counted(people, "person", "people")), known \(text), and not by another key",
            cure: "An import with --adopt takes over the people whose name occurs in one row only")
    }

    /// A source lacks columns by which people are known.
    public static func lacksKey(_ columns: [String], cure: String) -> Consequence {
        Consequence(fact: "the file has no column \(quoted(columns)), by which people are known here", cure: cure)
    }

    /// A column would be hidden that people's addresses or stored names are made of, as `fact` says.
    public static func needs(_ fact: String) -> Consequence {
        Consequence(
            fact: fact,
            cure: """
                It cannot be hidden in a directory that has people: remove the directory, and import its source again \
                with the same option
                """)
    }

    /// An export has private columns, and nobody has said who may see them here.
    public static func publishes(_ columns: [String]) -> Consequence {
        Consequence(
            fact: "the file is an export with private columns, and this directory does not know who may see "
                + quoted(columns),
            cure: "--keep COLUMN shows a column to nobody, --publish COLUMN shows it, --drop COLUMN leaves it out")
    }

    /// An export of a directory of the same database would make another directory.
    public static func copies(_ slug: String) -> Consequence {
        Consequence(
            fact: "the file is an export of the directory \(slug)",
            cure: "--directory \(slug) changes that one, and --directory SLUG makes another one")
    }

    /// More than a third of a list may have left, as the rule says; `options` are those that decide.
    public static func leavesOut(people: Int, of total: Int, mark: String, options: String) -> Consequence {
        Consequence(
            fact: "\(people.grouped) of \(counted(total, "person", "people")) may have left (\(mark))", cure: options)
    }
}

/// Returns the first eight columns, in quotes: `"Phone", "Room", …`. One that cannot be shown is `nil`.
public func quoted(_ columns: [String?]) -> String {
    let shown = columns.prefix(8).map { column in column.map { "\"\($0)\"" } ?? "…" }
    return (shown + (columns.count > 8 ? ["…"] : [])).joined(separator: ", ")
}

/// Returns how many of a directory's people have a value in each column that a function accepts. Columns that nobody
/// has a value in are left out.
public typealias FindHolders =
    @Sendable (_ isCounted: @escaping (_ column: String) -> Bool) throws -> [(column: String, people: Int)]

extension DirectorySettings {
    /// Returns what happens to the people of a directory with these settings if it gets other ones.
    ///
    /// - Parameters:
    ///   - isAdopting: Whether those whose name occurs once are taken over if another key is wanted.
    ///   - holders: `nil` if nothing is known of them.
    public func consequences(
        of new: DirectorySettings, people: Int, isAdopting: Bool, _ holders: FindHolders?
    ) throws -> [Consequence] {
        guard people > 0, new != self else { return [] }
        let (old, resolved) = (ResolvedSettings(self), ResolvedSettings(new))
        let erasure = Erasure(from: old, to: resolved)
        let erased = erasure.isEmpty ? [] : try holders?(erasure.has(column:)) ?? []
        // If only an inference has chosen another key, everybody is taken over.
        let hasOtherKey = DirectorySettings(own: new.own, inferred: inferred).hasOtherKey(than: self)
        let changed = hasOtherKey && !isAdopting ? [Consequence.changesKey(known: key, people: people)] : []
        return changed + old.hidden(by: resolved)
            + (erased.isEmpty ? [] : [.erases(erased)])
    }
}

extension ResolvedSettings {
    /// Whether people may have a value of `role`: a list whose columns were learned has none that it had no column for.
    private func mayHave(_ role: FieldRole) -> Bool {
        guard let columns = stored.inferred.columns else { return true }
        return field(role) != nil || columns.contains { $0.lowercased() == role.rawValue }
    }

    /// Whether readers see what has `role`: a field, or a member of a service's records.
    private func shows(_ role: FieldRole) -> Bool {
        field(role) == nil ? split([role.rawValue]).leftOut.isEmpty : !hides(role)
    }

    /// Returns the columns that `new` hides and that people's addresses or stored names are made of: these would go on
    /// showing the values.
    package func hidden(by new: ResolvedSettings) -> [Consequence] {
        let roles = [FieldRole.login, .name].filter { shows($0) && !new.shows($0) && mayHave($0) }
        // Where the whole name is hidden, so are its parts.
        let parts = roles.contains(.name) ? [] : field(.name)?.source.columns ?? []
        let columns = split(parts).shown.lacking(in: new.split(parts).shown)
        return roles.map { .needs("the \($0.rawValue) is what people's addresses are made of") }
            + columns.map { .needs("\"\($0)\" is a part of people's names") }
    }
}

/// An import or a change of settings that is not made because of what it would do.
public struct Refusal: Error, Equatable, CustomStringConvertible {
    public let consequences: [Consequence]
    /// How the import or the change ended.
    public let outcome: String

    public init(_ consequences: [Consequence], outcome: String = "nothing was saved") {
        (self.consequences, self.outcome) = (consequences, outcome)
    }

    /// A sentence for each consequence, with its cure.
    public var lines: [String] { consequences.map { "\($0.fact): \(outcome). \($0.cure)" } }

    public var description: String { lines.joined(separator: "\n") }
}
