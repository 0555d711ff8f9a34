import Foundation
import HTTPClient

/// Proves that a running Rollcall gives everybody once and in order, and in all its lists the same.
///
/// It walks along the next links of `/api/v3/users`, of the page and of `/fragment`, side by side: each user's id, login,
/// name, avatar and reputation, their place and the total are to agree, and the order is to hold. Then `/export.ndjson` is to
/// have the same ids in the same order, and to prove their number.
public struct DirectoryCheck {
    private let given: WebAddress
    private let place: CheckedAddress
    private let server: CheckedServer
    private let observe: (CheckEvent) -> Void
    private let start = ContinuousClock.now

    /// A directory that changes while it is walked is walked again, so often in all.
    private static let maxWalks = 3

    /// - Parameter page: the address of a directory's page; what its query says of directory, search, order and `per_page`
    ///   holds for all lists. Throws a ``CheckFault`` if it names a place within a list.
    public init(_ page: WebAddress, client: Client, observe: @escaping (CheckEvent) -> Void) throws {
        given = page
        place = try CheckedAddress(page)
        server = CheckedServer(client)
        self.observe = observe
    }

    /// Answers what was seen. Throws a ``CheckFault`` that says what is wrong.
    public func run() throws -> CheckProgress {
        try server.expectPage(at: given)
        for number in 1...Self.maxWalks {
            var walk = Walk(place, on: server)
            do {
                while try walk.step() { observe(.progress(progress(walk))) }
                observe(.progress(progress(walk)))
                try compareExport(walk)
                if try !hasChanged(walk) { return progress(walk) }
            } catch let fault as CheckFault {
                // What differs in two states of a directory is no fault.
                guard (try? mayHaveChanged(walk)) == true else { throw fault }
            }
            if number < Self.maxWalks { observe(.note("the directory has changed meanwhile: starting again")) }
        }
        throw CheckFault("the directory changed during each of \(Self.maxWalks) walks; check it while nobody writes")
    }

    private func compareExport(_ walk: Walk) throws {
        let comparison = ExportComparison(of: place.export, with: walk.ids)
        try server.stream(place.export, taking: comparison.take)
        try comparison.finish()
    }

    /// Whether the directory is not any more what it was when the walk began: its generation is part of the validator.
    private func hasChanged(_ walk: Walk) throws -> Bool {
        guard let validator = walk.validator else { return false }
        return try !server.isUnchanged(place.json, since: validator)
    }

    /// The same, seen for certain: a server answers conditional requests by what it looks up a few times a second, and may
    /// have given what is newer already.
    private func mayHaveChanged(_ walk: Walk) throws -> Bool {
        if try hasChanged(walk) { return true }
        Thread.sleep(forTimeInterval: 1)
        return try hasChanged(walk)
    }

    private func progress(_ walk: Walk) -> CheckProgress {
        CheckProgress(
            users: walk.ids.count, total: walk.total, pages: walk.pages, requests: server.requests, bytes: server.bytes,
            sort: "\(place.sort.key.rawValue), \(place.sort.direction.rawValue)", elapsed: .now - start)
    }
}

/// What a check tells while it goes on.
public enum CheckEvent {
    /// Something that people may want to know.
    case note(String)
    case progress(CheckProgress)
}

/// How far a check has got.
public struct CheckProgress: Sendable {
    public var users: Int
    /// `nil` where it is not known.
    public var total: Int?
    public var pages: Int
    public var requests: Int
    /// Of bodies, as they came over the wire.
    public var bytes: Int64
    /// The order, in words of the URL.
    public var sort: String
    public var elapsed: Duration
}
