import Foundation
import HTTPClient
import People
import Publishing

/// The state of an import from page to page.
struct PagedImport {
    private let service: any Service
    /// The pages of earlier imports; `nil` if all are sent in full.
    private let earlierPages: (any ImportLedger)?
    private let limit: Int
    private let clock: ImportClock
    private let sink: ImportSink
    private var client: RateLimitedClient
    private var checkpoint: Checkpoint
    /// The hashes of the followed links.
    private var visited: Set<Int> = []
    private var hasToldBudget = false
    /// The totals in the checkpoint when this run began, less those of this run before it began again.
    private var earlier: (requests: Int, bytes: Int64)
    /// The address that an earlier run wanted next when it ended.
    private let stop: String?
    /// The number of pages without users since the last one with users.
    private var emptyPages = 0

    /// More pages without users than this in a row go on for ever.
    private static let maxEmptyPages = 100

    init(
        _ service: any Service, _ ledger: (any ImportLedger)?, _ configuration: ServiceSource.Configuration,
        fetch: @escaping Fetch, _ sink: ImportSink
    ) throws {
        (self.service, self.sink, clock) = (service, sink, configuration.clock)
        limit = configuration.limit > 0 ? configuration.limit : .max
        let now = Int64(configuration.clock.now().timeIntervalSince1970)
        let scope = "\(service.scope) limit=\(configuration.limit)"
        let last = try ledger?.checkpoint().flatMap { $0.source == scope ? $0 : nil }
        let known = configuration.isFresh ? nil : last
        stop = known?.frontier.first
        if let known, !known.isComplete {
            checkpoint = known
            let when = Date(timeIntervalSince1970: TimeInterval(known.startedAt)).ISO8601Format()
            // Before the first page was saved, the earlier run had imported nothing.
            sink.service.isContinued = known.frontier != [service.start.text]
            sink.note("continuing the import of \(when) after \(known.users) people and \(known.requests) requests")
        } else {
            checkpoint = Self.beginning(of: service, scope, pass: (last?.pass ?? 0) + 1, at: now)
        }
        sink.service.mayMissUsers = service.hasNumberedPages
        visited = Set(checkpoint.frontier.suffix(1).map(\.hashValue))
        earlierPages = known == nil || configuration.isSeeingEverybody ? nil : ledger
        earlier = (checkpoint.requests, checkpoint.bytes)
        client = RateLimitedClient(
            service: service, fetch: fetch, retryPolicy: configuration.retryPolicy, clock: configuration.clock,
            sink: sink)
        // A limit without a token may not apply with one.
        if let known, known.heldUntil > now, known.isIdentified == (service.secret != nil) {
            let end = Date(timeIntervalSince1970: TimeInterval(known.heldUntil))
            client.backoff = client.kept(Backoff(until: end, reason: known.heldBecause))
        }
    }

    private static func beginning(
        of service: any Service, _ scope: String, pass: Int64, at now: Int64
    ) -> Checkpoint {
        var checkpoint = Checkpoint(source: scope, pass: pass, startedAt: now)
        checkpoint.frontier = [service.start.text]
        return checkpoint
    }

    /// Requests the next page, passes on its users and saves a checkpoint. Returns whether there are more pages.
    mutating func step() throws -> Bool {
        guard let link = checkpoint.frontier.first else { return false }
        let address = try client.follow(link, from: service.base, as: "leads")
        let known = try earlierPages?.page(at: link)
        let delivery = try client.ask(address, validator: known?.validator ?? "")
        var page = VisitedPage(address: link, validator: "", next: [], users: 0)
        switch delivery {
        case .page(let found, let answer):
            let rejected = sink.rejected
            page.users = try take(found, answer, at: address)
            page.next = try found.details + [next(found, after: address)].compactMap(\.self)
            // Without a validator the page is sent again, so that its rejected records are reported again.
            let validator = answer.fields["etag"] ?? ""
            if sink.rejected == rejected, !isTelling(validator) { page.validator = validator }
            checkpoint.rejected += sink.rejected - rejected
            let total = min(limit, found.total ?? .max)
            if total < .max { sink.service.expected = total }
        case .unchanged:
            page = known ?? page
            if let next = page.next.last { try visit(next) }
            checkpoint.untouched = page.users
        case .lost(let error, let isGone):
            guard service.isRecord(address) else { return try goOn(without: address, error, isGone: isGone) }
            // Where an earlier run stopped, this one does not stop again.
            guard isGone || link == stop else { throw ServiceError(.unreachable, error.reason) }
            sink.service.missing += 1
        }
        sink.service.pages += 1
        try advance(page)
        tellBudget(after: address)
        return !checkpoint.isComplete
    }

    /// Begins again if the page at which an earlier run stopped is gone; else throws the error. Returns whether there
    /// are more pages.
    private mutating func goOn(without address: WebAddress, _ error: ServiceError, isGone: Bool) throws -> Bool {
        guard isGone, sink.service.isContinued else {
            // After a page that is gone, the next run begins again.
            throw isGone && address != service.start ? ServiceError(.unreachable, error.reason) : error
        }
        sink.note("the page at which the import stopped is gone (\(error.reason)): beginning again")
        let now = Int64(clock.now().timeIntervalSince1970)
        checkpoint = Self.beginning(of: service, checkpoint.source, pass: checkpoint.pass + 1, at: now)
        visited = [service.start.text.hashValue]
        earlier = (-sink.service.requests, -client.bytes)
        (sink.service.isContinued, sink.service.reached) = (false, 0)
        return true
    }

    /// Returns the address of the page after `page`, which is at `address`; `nil` at the end.
    private mutating func next(_ page: ServicePage, after address: WebAddress) throws -> String? {
        if let reason = page.cutBecause {
            sink.note(reason)
            sink.service.cutBecause = reason
        }
        guard let link = page.next else { return nil }
        let next = try client.follow(link, from: address, as: "leads").text
        try client.expect(!isTelling(next), "links to an address that contains the token")
        let isEmpty = page.records.isEmpty && page.details.isEmpty
        // Behind the last user, a cursor stays where it is.
        if isEmpty, next == address.text { return nil }
        try note(isEmpty: isEmpty)
        try visit(next)
        return next
    }

    /// Notes whether a page that has a next one has users. The service may have left out some of a page without any.
    private mutating func note(isEmpty: Bool) throws {
        guard isEmpty else { return emptyPages = 0 }
        emptyPages += 1
        sink.service.mayMissUsers = true
        guard emptyPages <= Self.maxEmptyPages else {
            throw ServiceError(.unreachable, "\(service.name) has sent \(emptyPages) pages without anybody in a row")
        }
    }

    private mutating func visit(_ link: String) throws {
        try client.expect(visited.insert(link.hashValue).inserted, "leads in circles, back to \(link)")
    }

    /// Whether `text` contains the secret, which is never saved.
    private func isTelling(_ text: String) -> Bool { service.secret?.isRepeated(in: text) ?? false }

    private mutating func advance(_ page: VisitedPage) throws {
        checkpoint.users += page.users
        sink.service.reached = checkpoint.users
        checkpoint.page = page
        checkpoint.frontier = checkpoint.users >= limit ? [] : page.next + checkpoint.frontier.dropFirst()
        try save()
    }

    /// Saves the checkpoint with all users passed on so far, and returns when that is done.
    mutating func save() throws {
        checkpoint.requests = earlier.requests + sink.service.requests
        checkpoint.bytes = earlier.bytes + client.bytes
        checkpoint.isIdentified = service.secret != nil
        checkpoint.heldUntil = client.backoff.map { Int64($0.until.timeIntervalSince1970.rounded(.up)) } ?? 0
        checkpoint.heldBecause = client.backoff?.reason ?? ""
        try sink.tick(bytesRead: client.bytes)
        try sink.save(checkpoint)
        checkpoint.page = nil
        checkpoint.untouched = 0
    }

    /// Whether the service has asked for a pause.
    var isHeld: Bool { client.backoff != nil }

    /// Passes on the users of `page`, up to the limit, and returns their number.
    private mutating func take(_ page: ServicePage, _ answer: ClientAnswer, at address: WebAddress) throws -> Int {
        let start = sink.taken
        try answer.body.withUnsafeBytes { bytes in
            for (index, place) in page.records.enumerated() where checkpoint.users + sink.taken - start < limit {
                let record = UnsafeRawBufferPointer(rebasing: bytes[place])
                guard service.secret?.isRepeated(in: record) != true else {
                    let reason = "it contains the token of this import, which must not be published"
                    try sink.reject(Rejection(place: Self.place(of: record, index, address), reason: reason))
                    continue
                }
                try sink.take(.object(record), at: Self.place(of: record, index, address))
            }
        }
        return sink.taken - start
    }

    /// Names a record by its id, or by its position.
    private static func place(of record: UnsafeRawBufferPointer, _ index: Int, _ address: WebAddress) -> String {
        let json = try? JSONObjectView(Array(record))
        let id = json?.number("id") ?? json?.number("user_id")
        return id.map { "id \($0)" } ?? "record \(index + 1) of \(address.target)"
    }

    /// Reports once what the service allows after the page at `address`, as soon as that is known.
    private mutating func tellBudget(after address: WebAddress) {
        guard !hasToldBudget, let quota = sink.service.quota else { return }
        hasToldBudget = true
        let reset = quota.reset.map { " until \($0.ISO8601Format())" } ?? ""
        let limit = quota.limit.map { " of \($0)" } ?? ""
        let people = morePeople(with: quota, after: address).map { ", enough for up to \($0) more people" } ?? ""
        sink.note("budget: \(quota.remaining)\(limit) requests left\(reset)\(people)")
    }

    /// Returns the number of users that can still be imported: the minimum of what the requests bring, the service
    /// allows without a key, the source has and the publisher wants. `nil` if that is unknown or 0.
    private func morePeople(with quota: Quota, after address: WebAddress) -> Int? {
        let allowed = Int(Int32(clamping: quota.remaining)) * service.peoplePerRequest
        let wanted = min(limit, sink.service.expected ?? limit) - checkpoint.users
        let people = min(allowed, service.peopleLeft(after: address) ?? allowed, wanted)
        return people > 0 ? people : nil
    }
}
