/// The roles of a file's columns, derived from their headings.
public struct ColumnRoles: Equatable, Sendable {
    /// One for each heading. At most one column has a role: other candidates get `nil`.
    public private(set) var roles: [FieldRole?]
    /// The language of the headings that matched, or `und`.
    public private(set) var language: String

    public init(headings: [String]) {
        let names = headings.map(Heading.normalized)
        var meanings = names.map { RoleHeadings.meanings[$0] }
        Self.drop(&meanings, names)
        Self.resolve(&meanings, names)
        roles = meanings.indices.map { index in
            guard let meaning = meanings[index] else { return nil }
            let rivals = meanings.indices.filter { meanings[$0]?.role == meaning.role }
            let best = rivals.min { (meanings[$0]?.rank ?? 0, $0) < (meanings[$1]?.rank ?? 0, $1) }
            return best == index ? meaning.role : nil
        }
        language = Self.language(of: headings, meanings)
    }

    /// Drops names that count only beside others of their format, and reads LDAP's `uid` as a login.
    private static func drop(_ meanings: inout [RoleHeadings.Meaning?], _ names: [String]) {
        for (index, name) in names.enumerated() {
            for (ambiguous, companions) in RoleHeadings.contextual
            where ambiguous.contains(name) && companions.isDisjoint(with: names) {
                meanings[index] = nil
            }
            if name == "uid", !RoleHeadings.contextual[0].companions.isDisjoint(with: names) {
                meanings[index]?.role = .login
            }
        }
    }

    /// Decides by the other columns whether a column has the whole name or a part of it.
    private static func resolve(_ meanings: inout [RoleHeadings.Meaning?], _ names: [String]) {
        func has(_ role: FieldRole, otherThan name: String) -> Bool {
            zip(meanings, names).contains { $0?.role == role && $1 != name }
        }
        for (index, name) in names.enumerated() {
            switch name {
            case "name", "nom":
                // Beside columns for both parts, or another one with the whole name, it keeps its meaning.
                if has(.firstName, otherThan: name), !has(.lastName, otherThan: name), !has(.name, otherThan: name) {
                    meanings[index]?.role = .lastName
                }
            case "nombre", "nombres", "名", "명":
                if !has(.lastName, otherThan: name), !has(.name, otherThan: name) { meanings[index]?.role = .name }
            case "이름", "名字":
                if has(.lastName, otherThan: name), !has(.firstName, otherThan: name) {
                    meanings[index]?.role = .firstName
                }
            default: break
            }
        }
    }

    /// Returns the language in which most headings are known. English and then the order of the tables decide a tie.
    private static func language(of headings: [String], _ meanings: [RoleHeadings.Meaning?]) -> String {
        var counts: [String: Int] = [:]
        for (heading, meaning) in zip(headings, meanings) {
            let languages = (meaning?.languages ?? []).union(Withheld.languages(of: heading))
            for language in languages { counts[language, default: 0] += 1 }
        }
        let best = counts.values.max() ?? 0
        return Withheld.allLanguages.first { counts[$0] == best } ?? "und"
    }
}

extension FieldRole {
    /// Returns the roles of columns with `headings`. At most one column has a role.
    public static func of(headings: [String]) -> [FieldRole?] { ColumnRoles(headings: headings).roles }
}
