/// The data that an import leaves out. Each kind is counted and reported in one line with its first example.
public struct ImportLosses: Equatable, Sendable {
    public enum Kind: Int, CaseIterable, Sendable {
        /// A link with a scheme other than http, https, mailto and tel.
        case link
        /// A photo whose file does not exist.
        case photo
        /// A file that is named as a photo but is not one, or must not be read.
        case droppedPhoto
        /// A photo that was found, for the report.
        case foundPhoto
        /// A row without a value in the key column: it is rejected.
        case withoutKey
        /// A row that replaces an earlier row with the same key.
        case repeatedKey
    }

    /// One of them.
    public struct Loss: Equatable, Sendable {
        var kind: Kind
        var text: String

        init(_ kind: Kind, _ text: String) {
            self.kind = kind
            self.text = text
        }
    }

    private struct Count: Equatable, Sendable {
        var count = 0
        var text = ""
        /// The locations of the first ones.
        var places: [String] = []
    }

    /// Further locations are counted but not listed.
    private static let maxPlaces = 100
    private var counts: [Count] = Kind.allCases.map { _ in Count() }

    public init() {}

    public subscript(kind: Kind) -> Int { counts[kind.rawValue].count }

    mutating func add(_ loss: Loss, at place: @autoclosure () -> String) {
        let index = loss.kind.rawValue
        counts[index].count += 1
        if counts[index].count == 1 { counts[index].text = loss.text }
        if counts[index].places.count < Self.maxPlaces { counts[index].places.append(place()) }
    }

    static func += (total: inout ImportLosses, more: ImportLosses) {
        for index in total.counts.indices where more.counts[index].count > 0 {
            if total.counts[index].count == 0 { total.counts[index].text = more.counts[index].text }
            total.counts[index].count += more.counts[index].count
            let room = maxPlaces - total.counts[index].places.count
            total.counts[index].places += more.counts[index].places.prefix(room)
        }
    }

    /// A line for each kind that occurred.
    public var lines: [String] {
        Kind.allCases.compactMap { kind in
            let count = counts[kind.rawValue]
            return count.count == 0 ? nil : line(kind, count)
        }
    }

    private func line(_ kind: Kind, _ count: Count) -> String {
        let first = count.places.first ?? ""
        switch kind {
        case .link:
            return "\(count.count) link\(count.count == 1 ? "" : "s") dropped, first in \(first): \(count.text) "
                + "(expected an http, https, mailto or tel URL)"
        case .photo:
            return "\(count.count) photo\(count.count == 1 ? "" : "s") not found, first in \(first): \(count.text)"
        case .droppedPhoto:
            return "\(count.count) photo\(count.count == 1 ? "" : "s") dropped, first in \(first): \(count.text)"
        case .foundPhoto: return "\(count.count) photo\(count.count == 1 ? "" : "s") found"
        case .withoutKey:
            return "\(count.count) row\(count.count == 1 ? "" : "s") rejected: \(count.text): \(Self.list(count))"
        case .repeatedKey:
            return "\(count.count) row\(count.count == 1 ? " has" : "s have") the key of an earlier row; the later one "
                + "counts: \(Self.list(count))"
        }
    }

    private static func list(_ count: Count) -> String {
        let unlisted = count.count - count.places.count
        return count.places.joined(separator: ", ") + (unlisted > 0 ? " and \(unlisted) more" : "")
    }
}
