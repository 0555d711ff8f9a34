import Foundation
import HTTPClient

/// Sends requests to a service, one at a time, and respects its limits: waits as long as the service asks, retries
/// failed requests, and sends requests to the configured origin only.
struct RateLimitedClient {
    /// The result of a request.
    enum Delivery {
        case page(ServicePage, ClientAnswer)
        case unchanged
        /// The page cannot be had, however often it is requested; other pages may be. `isGone` if the service says that
        /// the page does not exist. The error is that of an import that cannot do without it.
        case lost(ServiceError, isGone: Bool = false)
    }

    let service: any Service
    let fetch: Fetch
    let retryPolicy: RetryPolicy
    let clock: ImportClock
    let sink: ImportSink
    /// The pause before the next request.
    var backoff: Backoff?
    private(set) var bytes: Int64 = 0

    /// More redirects than this are a circle.
    private static let maxRedirects = 5
    /// A week, in seconds. A longer pause is more likely a mistake, and would end an import for good.
    private static let longestBackoff = 604_800.0

    /// Requests `address`; only if it has changed, unless the `validator` is empty. Throws a ``ServiceError``, or the
    /// error that stopped the import.
    mutating func ask(_ address: WebAddress, validator: String) throws -> Delivery {
        var request = RetriedRequest(page: address, address: address, validator: validator)
        while true {
            try obey()
            if let delivery = try attempt(&request) { return delivery }
        }
    }

    /// A request for a page, as often as it is sent.
    private struct RetriedRequest {
        /// The part of the service that is asked for. A page means the same wherever it has moved.
        let page: WebAddress
        /// Where it is asked for.
        var address: WebAddress
        let validator: String
        var redirects = 0
        var failures = 0
        var limits = 0
    }

    /// Sends a request once. Returns `nil` if it is to be sent again.
    private mutating func attempt(_ request: inout RetriedRequest) throws -> Delivery? {
        let answer: ClientAnswer
        do { answer = try send(request) } catch let error as ClientError {
            guard error.isOfHost else { return .lost(fault("\(request.address): \(error)")) }
            try retry(&request, "\(error)")
            return nil
        }
        let received = answer.withoutByteOrderMark
        let reading = service.read(received.readable, at: request.page, now: clock.now())
        sink.service.quota = reading.quota ?? sink.service.quota
        backoff = reading.backoff.map(kept)
        switch reading.disposition {
        case .page(let page): return .page(page, received)
        case .unreadable(let reason): do { try retry(&request, reason) } catch { return .lost(error) }
        case .unchanged where !request.validator.isEmpty: return .unchanged
        case .unchanged: throw fault("\(service.name) gave an answer that does not fit the request")
        case .failed(let reason): try retry(&request, reason)
        case .moved(let link):
            request.redirects += 1
            do {
                try expect(request.redirects <= Self.maxRedirects, "redirects in a circle")
                request.address = try follow(link, from: request.address, as: "redirects")
            } catch { return .lost(error) }
        case .limited(let until, let reason):
            let first = until == nil ? RetryPolicy.limitPause : .seconds(1)
            try pause(&request, until: until ?? backoff?.until ?? clock.now(), reason, first: first)
        case .gone(let reason): return .lost(fault(reason), isGone: true)
        case .refused(let reason): throw fault(reason)
        }
        return nil
    }

    private mutating func send(_ request: RetriedRequest) throws -> ClientAnswer {
        var sent = try service.request(request.address)
        if !request.validator.isEmpty { sent.fields.append(("If-None-Match", request.validator)) }
        sink.service.requests += 1
        let answer = try fetch(sent) { [sink] in try sink.tick() }
        bytes += Int64(answer.received)
        return answer
    }

    /// Delays the next request after one that failed. Throws an error after the last retry.
    private mutating func retry(_ request: inout RetriedRequest, _ reason: String) throws(ServiceError) {
        let first = retryPolicy.retryPause ?? service.retryPause
        guard let pause = retryPolicy.pause(beforeRetry: request.failures, first) else {
            throw ServiceError(.unreachable, "\(hidden(reason)); tried \(request.failures + 1) times")
        }
        request.failures += 1
        wait(pause, reason)
    }

    /// Delays the next request after one that exceeded a limit: until `moment`, and at least for `first`, which doubles
    /// with each further one. A service that sets a limit after the last retry, too, is left alone for some minutes:
    /// throws the time at which to come back.
    private mutating func pause(
        _ request: inout RetriedRequest, until moment: Date, _ reason: String, first: Duration
    ) throws {
        let isLast = request.limits == RetryPolicy.limits
        let pause = (isLast ? RetryPolicy.limitPause : first) * (1 << request.limits)
        let backoff = kept(Backoff(until: max(moment, clock.now() + pause / .seconds(1)), reason: reason))
        self.backoff = backoff
        if isLast { throw ServiceError(.comeBack(backoff.until), backoff.reason) }
        request.limits += 1
    }

    /// Returns the address of `link`. Throws if it is in another origin, which might be after the token, or might be a
    /// service of this machine.
    func follow(_ link: String, from address: WebAddress, as verb: String) throws(ServiceError) -> WebAddress {
        let target: WebAddress
        do { target = try address.following(link) } catch {
            throw fault("\(service.name) \(verb) to something that is not a URL: \(error)")
        }
        try expect(
            target.origin == service.base.origin,
            "\(verb) to \(target.origin), and only \(service.base.origin) may be asked; if that is where it is now, "
                + "give it as --base-url")
        return target
    }

    /// Waits for the end of the pause, or throws if it is too long.
    private mutating func obey() throws {
        guard let backoff else { return }
        let left = Duration.seconds(backoff.until.timeIntervalSince(clock.now()))
        if left > .zero {
            guard left <= retryPolicy.maxWait else { throw ServiceError(.comeBack(backoff.until), backoff.reason) }
            try sink.report(waitingFor: backoff)
            try clock.wait(left) { [sink] in try sink.tick() }
            try sink.report(waitingFor: nil)
        }
        self.backoff = nil
    }

    /// Delays the next request by `pause`, or by more if the service has asked for more.
    private mutating func wait(_ pause: Duration, _ reason: String) {
        let until = clock.now() + pause / .seconds(1)
        if let backoff, backoff.until >= until { return }
        backoff = Backoff(until: until, reason: hidden(reason))
    }

    /// Returns the pause, limited to a week, without the secret in its reason.
    func kept(_ backoff: Backoff) -> Backoff {
        Backoff(until: min(backoff.until, clock.now() + Self.longestBackoff), reason: hidden(backoff.reason))
    }

    /// Throws what the service does wrong unless it `behaves`.
    func expect(_ behaves: Bool, _ wrong: @autoclosure () -> String) throws(ServiceError) {
        if !behaves { throw fault("\(service.name) \(wrong())") }
    }

    private func fault(_ reason: String) -> ServiceError { ServiceError(.refused, hidden(reason)) }

    private func hidden(_ text: String) -> String { service.secret?.hidden(in: text) ?? text }
}

/// A clock that can wait. Tests use one that does not take real time.
public struct ImportClock: Sendable {
    public var now: @Sendable () -> Date
    /// Waits for `duration`, or until `whileWaiting`, which is called a few times a second, throws.
    public var wait: @Sendable (_ duration: Duration, _ whileWaiting: () throws -> Void) throws -> Void

    public init(
        now: @escaping @Sendable () -> Date,
        wait: @escaping @Sendable (_ duration: Duration, _ whileWaiting: () throws -> Void) throws -> Void
    ) {
        self.now = now
        self.wait = wait
    }

    /// The system's clock.
    public static let system = ImportClock(now: { Date() }) { duration, whileWaiting in
        let end = ContinuousClock.now + duration
        while true {
            try whileWaiting()
            let left = end - ContinuousClock.now
            if left <= .zero { return }
            // 200 ms: soon enough for Ctrl-C and for the clock on a terminal.
            Thread.sleep(forTimeInterval: min(left, .milliseconds(200)) / .seconds(1))
        }
    }
}

/// The limits on retries and pauses.
public struct RetryPolicy: Sendable {
    /// The number of retries of a failed request.
    static let retries = 3
    /// The pause before the first retry; it doubles with each further one. `nil` for the service's own value.
    public var retryPause: Duration?
    /// The longest pause. Before a longer one the import ends and reports when to come back.
    public var maxWait = Duration.seconds(900)
    /// The number of retries of a request that exceeded a limit.
    static let limits = 3
    /// The pause before the first of them, if the service does not say how long to wait; it doubles with each further
    /// one ("at least one minute", Best practices for using the REST API, docs.github.com).
    static let limitPause = Duration.seconds(60)
    /// Returns a random number from 0 to 1.
    public var chance: @Sendable () -> Double = { Double.random(in: 0...1) }

    public init() {}

    /// Returns the pause before retry `number`, counted from 0, if the first pause is `pause`; `nil` after the last
    /// retry. Adds up to a half at random, so that clients that failed together do not return together.
    func pause(beforeRetry number: Int, _ pause: Duration) -> Duration? {
        number < Self.retries ? pause * (1 << number) * (1 + chance() / 2) : nil
    }
}
