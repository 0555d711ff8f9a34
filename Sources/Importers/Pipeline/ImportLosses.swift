import Base

/// The data that an import leaves out. Each kind is counted and reported in one line with its first example.
public struct ImportLosses: Equatable, Sendable {
    public enum Kind: CaseIterable, Sendable {
        /// A link with a scheme other than http, https, mailto and tel.
        case link
        /// A photo whose file does not exist.
        case photo
        /// A file that is named as a photo but is not one, or must not be read.
        case droppedPhoto
        /// A photo that was found, for the report.
        case foundPhoto
        /// A person without a value in the key column, who is known by name.
        case withoutKey
        /// A person who is left out because no column has a name of theirs.
        case withoutName
        /// An e-mail address, or a link that writes to one or calls a number, in a column of other values.
        case address
        /// An address, a number or an account in a column of names of others at work.
        case relation
        /// A row that replaces an earlier row with the same key and name.
        case repeatedKey
        /// A row that has the key of an earlier row of another name.
        case sharedKey
        /// A row of a person who is known by name, and whose name an earlier row has.
        case sameName
        /// A row of a table that has only a person's name.
        case onlyName
    }

    private var tally = Tally<Kind>(maxPlaces: 100)

    public init() {}

    public subscript(kind: Kind) -> Int { tally[kind]?.count ?? 0 }

    mutating func add(_ kind: Kind, _ text: String, at place: @autoclosure () -> String) {
        tally.add(kind, text, at: place())
    }

    static func += (total: inout ImportLosses, more: ImportLosses) { total.tally += more.tally }

    /// A line for each kind that occurred.
    public var lines: [String] { Kind.allCases.compactMap { tally[$0].map(line) } }

    private func line(_ count: Tally<Kind>.Count) -> String {
        let (kind, first, text) = (count.reason, count.firstPlace, count.text)
        let (list, rows) = (Self.list(count), counted(count.count, "row has", "rows have"))
        switch kind {
        case .link:
            return "\(counted(count.count, "link")) dropped, first in \(first): \(text) "
                + "(expected an http, https, mailto or tel URL)"
        case .photo:
            return "\(counted(count.count, "photo")) not found, first in \(first)\(text.isEmpty ? "" : ": \(text)")"
        case .droppedPhoto:
            return "\(counted(count.count, "photo")) dropped, first in \(first): \(text)"
        case .foundPhoto: return "\(counted(count.count, "photo")) found"
        case .withoutKey:
            return "\(counted(count.count, "person has", "people have")) no value in \(text) and "
                + "\(count.count == 1 ? "is" : "are") known by name: \(list)"
        case .withoutName:
            return "\(counted(count.count, "person", "people")) left out, because they have no name, or only an "
                + "address, a number or an account: \(list)"
        case .address, .relation:
            let reason = kind == .address ? "an e-mail address or a phone number" : "not the name of a person"
            return "\(counted(count.count, "value")) withheld, each \(reason), first in \(first): \(text) "
                + "(--publish shows a column as it is)"
        case .sharedKey:
            return "\(rows) the \(text) of an earlier row, under another name; both people stay: \(list)"
        case .sameName:
            let means = text.isEmpty ? "their order tells them apart" : "\(text) tells them apart"
            return "\(rows) the name of an earlier row; \(means): \(list)"
        case .onlyName:
            return "only the name of \(counted(count.count, "person", "people")) is known: \(list)"
        case .repeatedKey: return "\(rows) the key of an earlier row; the later one counts: \(list)"
        }
    }

    private static func list(_ count: Tally<Kind>.Count) -> String {
        let unlisted = count.count - count.places.count
        return count.places.joined(separator: ", ") + (unlisted > 0 ? " and \(unlisted) more" : "")
    }
}
