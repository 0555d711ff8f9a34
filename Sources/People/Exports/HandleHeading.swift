import Base
import Foundation

/// The heading of the column of handles in an export: `rollcall:3f9a07c2`, or with private columns
/// `rollcall:3f9a07c2:private:Phone,Room`.
///
/// The eight hexadecimal digits are made from the database and the directory, so that an import recognises its own
/// export and does not take handles of another directory for its own. The names after `private` are those of the
/// columns that readers of that directory do not see: another directory takes them only if its publisher names each.
public struct HandleHeading: Equatable, Sendable, CustomStringConvertible {
    /// `rollcall:3f9a07c2`.
    public let directory: String
    /// The columns that readers of the directory do not see. `*` stands for all columns that no field reads.
    public let restricted: [String]

    private static let mark = ":private:"

    /// - Parameter instance: ``UserStore/instance`` of the store.
    public init(of directory: Directory, in instance: String, _ layout: ExportLayout = .source) {
        let text = "\(instance)\n\(directory.id)"
        let hash = Array(text.utf8).withUnsafeBytes { SipHash.hash($0, key: (0x65_7870, 0x6F_7274)) }
        self.directory = "rollcall:" + UInt32(truncatingIfNeeded: hash).hexadecimal
        restricted = directory.settings.choices.restricted[layout] ?? []
    }

    /// Reads a heading. Returns `nil` for any other.
    public init?(_ heading: String) {
        let (digits, rest) = (heading.utf8.dropFirst(9).prefix(8), heading.dropFirst(17))
        guard heading.hasPrefix("rollcall:"), digits.count == 8,
            digits.allSatisfy({ $0.hexadecimalValue != nil && $0 == $0.lowercased }),
            rest.isEmpty || rest.hasPrefix(Self.mark)
        else { return nil }
        directory = String(heading.prefix(17))
        restricted = rest.dropFirst(Self.mark.count).split(separator: ",").map { name in
            name.removingPercentEncoding ?? String(name)
        }
    }

    /// Whether a heading is one of handles that a program has changed, such as its case. The other headings may be
    /// changed as well, and nobody can tell which columns are private.
    public static func isChanged(_ heading: String) -> Bool {
        let text = heading.precomposedStringWithCompatibilityMapping.lowercased().filter {
            !$0.isWhitespace && !"'\"".contains($0)
        }
        return HandleHeading(String(text.prefix(17))) != nil && HandleHeading(heading) == nil
    }

    public var description: String {
        if restricted.isEmpty { return directory }
        // Imports make one space of several.
        let names = restricted.map { name in
            name.replacing("%", with: "%25").replacing(",", with: "%2C").replacing(" ", with: "%20")
        }
        return directory + Self.mark + names.joined(separator: ",")
    }
}

extension [HandleHeading] {
    /// The columns that readers of these directories do not see.
    public var restricted: [String] { flatMap(\.restricted) }
}
