import People

/// An event of a running import.
public enum ImportEvent: Sendable {
    case rejected(Rejection)
    case note(String)
    /// The settings by which the source is read, before its first record.
    case schema(ImportSchema)
    case progress(ImportProgress)
}

/// The progress of an import.
public struct ImportProgress: Sendable {
    /// The number of users read and saved; in a dry run, only read.
    public var users = 0
    public var rejected = 0
    public var losses = ImportLosses()
    public var bytesRead: Int64 = 0
    /// The number of bytes to read, if known.
    public var size: Int64?
    public var elapsed: Duration = .zero
    /// The state of the service, if the source is one.
    public var service = ServiceStatus()

    public init() {}
}

/// The state of an import from a service.
public struct ServiceStatus: Equatable, Sendable {
    public var pages = 0
    public var requests = 0
    public var quota: Quota?
    /// The number of users that the service has, and the number of them imported so far, earlier runs included.
    public var expected: Int?
    public var reached = 0
    /// Whether this run continues an interrupted one, and so does not see the users that the earlier run saw.
    public var isContinued = false
    /// The number of users in lists that were left out, because the service has no record for them.
    public var missing = 0
    /// Whether the source was skipped because it has not changed since the last import.
    public var isUnchanged = false
    /// The reason for the current pause, if any.
    public var waiting: Backoff?

    public init() {}
}

/// The result of an import.
public struct ImportSummary: Sendable {
    public enum End: Sendable {
        case complete, cancelled
        case failed(any Error)
    }

    public var end = End.complete
    public var progress = ImportProgress()
    public var counts = WriteCounts()
    /// The settings by which the source was read, if it was read.
    public var schema: ImportSchema?
    /// The first people, in a dry run.
    public var preview = ImportPreview()
    /// The photos beside the file, and the people that they show.
    public var photos: [FoundPhoto] = []
    /// Whether a dry run has counted what an import would change.
    public var isCompared = false
    /// The number of users removed; `nil` unless the run was to remove users and did.
    public var removed: Int?
    /// The reason that no users were removed although the run was to remove them.
    public var keptBecause: String?

    public init(end: End = .complete) { self.end = end }
}

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
