import Base
import Foundation
import HTTPClient

/// Sends requests to a service, one at a time, and respects its limits: waits as long as the service asks, retries
/// failed requests, and sends requests to the configured origin only.
struct RateLimitedClient {
    /// The result of a request.
    enum Delivery {
        case page(ServicePage, ClientAnswer)
        case unchanged
        case nothing
        /// The page cannot be had, however often it is requested; other pages may be. `isGone` if the service says that
        /// there is no such page. The error is that of an import that cannot do without it.
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

    init(
        service: any Service, fetch: @escaping Fetch, retryPolicy: RetryPolicy, clock: ImportClock, sink: ImportSink,
        backoff: Backoff?
    ) {
        self.service = service
        self.fetch = fetch
        self.retryPolicy = retryPolicy
        self.clock = clock
        self.sink = sink
        self.backoff = backoff.map(kept)
    }

    /// Requests `address`; with a `validator`, only if it has changed. Throws a ``ServiceError``, or the error that
    /// stopped the import.
    mutating func ask(_ address: WebAddress, validator: String?) throws -> Delivery {
        // A page means the same wherever it has moved: `asked` says what it is.
        let asked = address
        var (address, redirects, failures, limits) = (address, 0, 0, 0)
        while true {
            try obey()
            switch try attempt(address, for: asked, validator) {
            case .delivered(let delivery): return delivery
            case .unreadable(let reason): if let error = retry(after: reason, &failures) { return .lost(error) }
            case .judged(.failed(let reason)): if let error = retry(after: reason, &failures) { throw error }
            case .judged(.moved(let link)):
                redirects += 1
                if redirects > Self.maxRedirects { return .lost(fault("\(service.name) redirects in a circle")) }
                do { address = try follow(link, from: address, as: "redirects") } catch let error as ServiceError {
                    return .lost(error)
                }
            case .judged(.held(let asked)): try pause(until: asked.until, asked.reason, &limits, first: .seconds(1))
            case .judged(.limited(let reason)):
                try pause(until: backoff?.until ?? clock.now(), reason, &limits, first: RetryPolicy.limitPause)
            case .judged(.gone(let reason)): return .lost(fault(reason), isGone: true)
            case .judged(.refused(let reason)): throw fault(reason)
            case .judged: throw fault("\(service.name) gave an answer that does not fit the request")
            }
        }
    }

    private enum Attempt {
        case delivered(Delivery)
        case judged(ResponseDisposition)
        /// The response is not a page; a retry may help.
        case unreadable(String)
    }

    /// Sends one request for the page at `asked`, which may have moved to `address`, and judges the response.
    private mutating func attempt(
        _ address: WebAddress, for asked: WebAddress, _ validator: String?
    ) throws -> Attempt {
        var request = try service.request(address)
        if let validator { request.fields.append(("If-None-Match", validator)) }
        sink.service.requests += 1
        let answer: ClientAnswer
        do { answer = try fetch(request) { [sink] in try sink.tick() } } catch let error as ClientError {
            switch error {
            case .tooLarge, .headTooLarge, .refused: return .delivered(.lost(fault("\(address): \(error)")))
            case .lost, .slow: return .judged(.failed("\(error)"))
            }
        }
        bytes += Int64(answer.received)
        let received = answer.withoutByteOrderMark
        let readable = received.readable
        if let quota = service.quota(readable) { sink.service.quota = quota }
        backoff = service.backoff(readable, now: clock.now()).map(kept)
        switch service.judge(readable, at: asked, now: clock.now()) {
        case .page:
            do {
                return .delivered(.page(try service.page(readable, at: asked, now: clock.now()), received))
            } catch let error as RollcallError { return .unreadable("\(service.name) answered \(error)") }
        case .unchanged where validator != nil: return .delivered(.unchanged)
        case .nothing: return .delivered(.nothing)
        case let disposition: return .judged(disposition)
        }
    }

    /// Delays the next request after one that failed. Returns an error after the last retry.
    private mutating func retry(after reason: String, _ failures: inout Int) -> ServiceError? {
        let first = retryPolicy.retryPause ?? service.retryPause
        guard let pause = retryPolicy.pause(beforeRetry: failures, first) else {
            return ServiceError(.unreachable, "\(hidden(reason)); tried \(failures + 1) times")
        }
        failures += 1
        wait(pause, reason)
        return nil
    }

    /// Delays the next request after one that exceeded a limit: until `moment`, and at least for `first`, which doubles
    /// with each further one. A service that sets a limit after the last retry, too, is left alone for some minutes:
    /// throws the time at which to come back.
    private mutating func pause(
        until moment: Date, _ reason: String, _ limits: inout Int, first: Duration
    ) throws {
        let isLast = limits == RetryPolicy.limits
        let pause = (isLast ? RetryPolicy.limitPause : first) * (1 << limits)
        let backoff = kept(Backoff(until: max(moment, clock.now() + pause / .seconds(1)), reason: reason))
        self.backoff = backoff
        if isLast { throw ServiceError(.comeBack(backoff.until), backoff.reason) }
        limits += 1
    }

    /// Returns the address of `link`. Throws if it is in another origin, which might be after the token, or might be a
    /// service of this machine.
    func follow(_ link: String, from address: WebAddress, as verb: String) throws -> WebAddress {
        let target: WebAddress
        do { target = try address.following(link) } catch {
            throw fault("\(service.name) \(verb) to something that is not a URL: \(error)")
        }
        guard target.origin == service.base.origin else {
            throw fault(
                "\(service.name) \(verb) to \(target.origin), and only \(service.base.origin) may be asked; if that is "
                    + "where it is now, give it as --base-url")
        }
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
    private func kept(_ backoff: Backoff) -> Backoff {
        Backoff(until: min(backoff.until, clock.now() + Self.longestBackoff), reason: hidden(backoff.reason))
    }

    func fault(_ reason: String) -> ServiceError { ServiceError(.refused, hidden(reason)) }

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
    public var retries = 3
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
        number < retries ? pause * (1 << number) * (1 + chance() / 2) : nil
    }

}
