import Base
import HTTPClient
import Synchronization

/// A file on a web server, fetched as a whole before it is read: a truncated response changes nothing.
///
/// Remembers the validators of the last imported response, so that a repeated import makes a conditional request.
public final class RemoteFile: Sendable {
    private static let maxRedirects = 5

    public let address: WebAddress
    /// Header fields from a file of the publisher, whose values may be secrets.
    private let fields: [(name: String, value: String)]
    private let limits: Client.Limits
    private let userAgent: String
    private let maxBytes: Int
    private let state = Mutex(State())

    private struct State {
        /// The conditional fields of the next request.
        var validators: [(name: String, value: String)] = []
        /// The conditional fields to use once the present response has been imported.
        var pending: [(name: String, value: String)] = []
    }

    /// Creates a remote file.
    ///
    /// - Parameters:
    ///   - headers: The lines of a file of header fields, as in `Authorization: Bearer …`. They are sent to the host of
    ///     `address` only, and shown nowhere.
    ///   - maxBytes: 256 MiB, which is a million people. The body is on disk, not in memory.
    public init(
        _ address: WebAddress, headers: String = "", limits: Client.Limits = Client.Limits(), userAgent: String,
        maxBytes: Int = 256 << 20
    ) throws(RollcallError) {
        try expect(
            address.isEncrypted || address.isLoopback,
            "expected an https URL, found an http URL: unencrypted data can be read and changed on its way")
        self.address = try Self.tableAddress(address)
        fields = try Self.fields(in: headers)
        self.limits = limits
        self.userAgent = userAgent
        self.maxBytes = maxBytes
    }

    /// The name of the host, for messages: the rest of the URL may be a secret.
    var name: String { address.host }

    /// Fetches the file; `nil` if it is the one whose validators are remembered, so that it has not changed since the
    /// last import. Calls `whileWaiting` about once a second.
    func fetch(whileWaiting: @escaping () throws -> Void) throws -> InputFile? {
        let file = try OpenFile.temporary()
        let answer = try fetch(into: file, whileWaiting)
        let reason: String
        switch answer.status {
        case 304: return nil
        case 200:
            state.withLock { $0.pending = Self.validators(of: answer) }
            return InputFile(file, name: name)
        case 401, 403:
            reason =
                ": it expects a sign-in; give the header fields that it asks for with --header-file, or publish the file"
        case 404, 410: reason = ": it has no such file"
        default: reason = ", expected 200"
        }
        throw RollcallError("\(name) answered with status \(answer.status)\(reason)")
    }

    /// Remembers the validators of the last response, because its people are saved.
    func remember() { state.withLock { $0.validators = $0.pending } }

    /// Follows redirects to https URLs. The publisher has chosen the server that is asked first, but not those that it
    /// leads to: see ``AskableServers``.
    private func fetch(into file: OpenFile, _ whileWaiting: @escaping () throws -> Void) throws -> ClientAnswer {
        let chosen = try Client(limits: limits, userAgent: userAgent)
        var (client, address, askable) = (chosen, address, AskableServers?.none)
        let conditions = state.withLock { $0.validators }
        for _ in 0...Self.maxRedirects {
            // Secrets go only to the host that the publisher named.
            let secrets = address.origin == self.address.origin ? fields : []
            let request = ClientRequest(address, fields: secrets + conditions)
            var received = 0
            let answer: ClientAnswer
            do {
                answer = try client.stream(request, whileWaiting: whileWaiting) { [maxBytes] bytes in
                    received += bytes.count
                    try expect(
                        received <= maxBytes,
                        "expected a file of at most \(maxBytes >> 20) MiB, found a larger one")
                    try file.write(bytes)
                }
            } catch let error as ClientError {
                let redirection = client === chosen ? "" : "\(name) redirects to another server, "
                throw RollcallError("cannot fetch the file: \(redirection)\(error)")
            }
            guard [301, 302, 303, 307, 308].contains(answer.status), let location = answer.fields["location"] else {
                return answer
            }
            let next = try required(
                try? address.following(location), "\(address.host) redirects to an invalid URL")
            try expect(
                next.isEncrypted || next.isLoopback && address.isLoopback,
                "\(address.host) redirects to an http URL, expected an https URL")
            let servers = askable ?? AskableServers(besidePublishersAt: answer.server)
            (address, askable) = (next, servers)
            let network = Client.Network { servers.refusal(of: $0, port: $1) }
            client =
                next.host == self.address.host
                ? chosen : try Client(limits: limits, userAgent: userAgent, network: network)
        }
        throw RollcallError("\(name) redirects more than \(Self.maxRedirects) times")
    }

    private static func validators(of answer: ClientAnswer) -> [(name: String, value: String)] {
        [("etag", "If-None-Match"), ("last-modified", "If-Modified-Since")].compactMap { field, condition in
            answer.fields[field].map { (condition, $0) }
        }
    }
}

// MARK: - Addresses and fields

extension RemoteFile {
    /// Returns the address of the table itself: for a Google sheet, its CSV export; for an export of Rollcall, with the
    /// line of proof.
    private static func tableAddress(_ address: WebAddress) throws(RollcallError) -> WebAddress {
        if let sheet = try googleSheet(address) { return sheet }
        let isExport = address.target.contains(/\/export\.(?:ndjson|csv)(?:\?|$)/)
        return try isExport && !address.target.contains(/[?&]proof=/) ? address.appending("proof", "1") : address
    }

    /// Reads `…/spreadsheets/d/ID/edit?gid=N`; the number of the sheet may also be in the fragment.
    private static func googleSheet(_ address: WebAddress) throws(RollcallError) -> WebAddress? {
        guard address.host == "docs.google.com" || address.isLoopback,
            let match = address.target.firstMatch(
                of: /^\/spreadsheets\/d\/([A-Za-z0-9_-]+)(?:\/edit|\/view|\/?$|\/?\?)/)
        else { return nil }
        let sheet = address.target.firstMatch(of: /[?&]gid=([0-9]+)/).map { "&gid=\($0.1)" } ?? ""
        return try WebAddress("\(address.site)/spreadsheets/d/\(match.1)/export?format=csv\(sheet)")
    }

    /// Parses `text` as an address. A fragment `#gid=N` becomes a part of the query, because a ``WebAddress``
    /// has no fragment.
    public static func address(_ text: String) throws(RollcallError) -> WebAddress {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].contains("/spreadsheets/d/"), let gid = parts[1].firstMatch(of: /gid=([0-9]+)/)
        else { return try WebAddress(text) }
        let base = parts[0].prefix { $0 != "?" }
        return try WebAddress("\(base)?gid=\(gid.1)")
    }

    private static func fields(in text: String) throws(RollcallError) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
            let line = String(line).trimmed
            if line.isEmpty || line.hasPrefix("#") { continue }
            let parts = line.split(separator: ":", maxSplits: 1).map { String($0).trimmed }
            guard parts.count == 2, parts[0].wholeMatch(of: /[A-Za-z0-9!#$%&'*+.^_`|~-]+/) != nil,
                parts[1].utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else {
                // The line may be a secret.
                throw RollcallError(
                    "expected lines such as \"Authorization: Bearer TOKEN\", found something else in line \(index + 1)")
            }
            fields.append((parts[0], parts[1]))
        }
        return fields
    }
}
