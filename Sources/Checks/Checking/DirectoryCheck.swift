import Base
import Foundation
import HTTPClient

/// Checks that a running Rollcall serves every user once and in order, and the same users in all its lists.
///
/// It follows the next links of `/api/v3/users`, of the page and of `/fragment`, side by side. Each user's id, login,
/// name, avatar, reputation and position, and the total, must agree, and the order must be right. Then `/export.ndjson`
/// must have the same ids in the same order and end with their number.
public struct DirectoryCheck {
    private let given: WebAddress
    private let server: CheckedServer
    private let observe: (CheckEvent) -> Void
    private let start = ContinuousClock.now

    /// A directory that changes during a walk is walked again; this is the limit on all walks.
    private static let maxWalks = 3

    /// Prepares a check.
    ///
    /// - Parameter page: The address of a directory's page. The directory, search, order and `per_page` in its query
    ///   apply to all lists. Throws a ``RollcallError`` if it contains a position within a list.
    public init(_ page: WebAddress, client: Client, observe: @escaping (CheckEvent) -> Void) throws {
        given = page
        _ = try CheckedAddress(page)
        server = CheckedServer(client)
        self.observe = observe
    }

    /// Runs the check and returns its totals. Throws a ``RollcallError`` for the first inconsistency.
    public func run() throws -> CheckProgress {
        let stamp = try server.expectPage(at: given)
        let place = try CheckedAddress(
            given, in: server.describe(CheckedAddress.description(of: given)), stamp: stamp)
        if place.order.isCollated, !stamp.isEmpty, place.order.collation == nil {
            observe(
                .note(
                    """
                    the server sorts by the rules \(stamp), and this program does not know them: the order is not \
                    checked, only that everyone comes once, the number, and that the lists agree
                    """))
        }
        if place.order.value == .unknown {
            let reason = "no list contains what the order by \(place.order.key) sorts by"
            observe(.note("\(reason): the lists are only compared with each other"))
        }
        for number in 1...Self.maxWalks {
            var walk = Walk(place, on: server)
            do {
                while try walk.step() { observe(.progress(progress(walk))) }
                observe(.progress(progress(walk)))
                let hasExport = try compareExport(walk)
                try Self.compareLetters(of: walk, on: server)
                if try !hasChanged(walk) {
                    if !hasExport { observe(.note("the site has no exports: none is compared")) }
                    return progress(walk)
                }
            } catch let fault as RollcallError {
                // A difference between two states of a directory is not a fault.
                guard (try? mayHaveChanged(walk)) == true else { throw fault }
            }
            if number < Self.maxWalks { observe(.note("the directory has changed in the meantime: starting again")) }
        }
        throw RollcallError(
            "the directory changed during each of \(Self.maxWalks) walks; run the check when nothing writes to it")
    }

    /// Compares the export. Returns `false` if the site has none and its pages link to none.
    private func compareExport(_ walk: Walk) throws -> Bool {
        let export = walk.place.export
        let comparison = ExportComparison(of: export, with: walk.ids)
        guard try server.stream(export, mayLack: !walk.namesExports, taking: { try comparison.take($0) }) else {
            return false
        }
        try comparison.finish()
        return true
    }

    /// Returns whether the directory has changed since the walk began: its generation is part of the validator.
    private func hasChanged(_ walk: Walk) throws -> Bool {
        guard let validator = walk.validator else { return false }
        return try !server.isUnchanged(walk.place.json, since: validator)
    }

    /// Returns the same with certainty. A server evaluates conditional requests against state that it refreshes a few
    /// times a second, so it may already have served newer data.
    private func mayHaveChanged(_ walk: Walk) throws -> Bool {
        if try hasChanged(walk) { return true }
        Thread.sleep(forTimeInterval: 1)
        return try hasChanged(walk)
    }

    private func progress(_ walk: Walk) -> CheckProgress {
        CheckProgress(
            users: walk.ids.count, total: walk.total, pages: walk.pages, requests: server.requests, bytes: server.bytes,
            sort: walk.place.order.description, elapsed: .now - start)
    }
}

/// A report from a running check.
public enum CheckEvent {
    /// A message of interest to the person who runs the check.
    case note(String)
    case progress(CheckProgress)
}

/// The progress of a check.
public struct CheckProgress: Sendable {
    public var users: Int
    /// The number of users, or `nil` if it is not known.
    public var total: Int?
    public var pages: Int
    public var requests: Int
    /// The number of body bytes received, before decompression.
    public var bytes: Int64
    /// The order, as in the URL.
    public var sort: String
    public var elapsed: Duration
}
