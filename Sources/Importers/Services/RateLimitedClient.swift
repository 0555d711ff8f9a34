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
        var (address, redirects, failures, limits) = (address, 0, 0, 0)
        while true {
            try obey()
            switch try attempt(address, validator) {
            case .delivered(let delivery): return delivery
            case .judged(.moved(let link)):
                redirects += 1
                if redirects > Self.maxRedirects { throw fault("\(service.name) redirects in a circle") }
                address = try follow(link, from: address, as: "redirects")
            case .judged(.held(let backoff)):
                limits += 1
                // A service that asks for a pause every time cannot be used.
                if limits > 10 { throw ServiceError(.unreachable, hidden(backoff.reason)) }
                self.backoff = kept(backoff)
            case .judged(.limited(let reason)):
                guard let pause = retryPolicy.pause(beforeLimited: limits) else {
                    throw ServiceError(.unreachable, hidden(reason))
                }
                limits += 1
                wait(pause, reason)
            case .judged(.failed(let reason)):
                let first = retryPolicy.retryPause ?? service.retryPause
                guard let pause = retryPolicy.pause(beforeRetry: failures, first) else {
                    throw ServiceError(.unreachable, "\(hidden(reason)); tried \(failures + 1) times")
                }
                failures += 1
                wait(pause, reason)
            case .judged(.refused(let reason)): throw fault(reason)
            case .judged: throw fault("\(service.name) gave an answer that does not fit the request")
            }
        }
    }

    private enum Attempt {
        case delivered(Delivery)
        case judged(ResponseDisposition)
    }

    /// Sends one request and judges the response.
    private mutating func attempt(_ address: WebAddress, _ validator: String?) throws -> Attempt {
        var request = try service.request(address)
        if let validator { request.fields.append(("If-None-Match", validator)) }
        sink.service.requests += 1
        let answer: ClientAnswer
        do { answer = try fetch(request) { [sink] in try sink.tick() } } catch let error as ClientError {
            switch error {
            case .tooLarge, .headTooLarge, .refused: throw fault("\(address): \(error)")
            case .lost, .slow: return .judged(.failed("\(error)"))
            }
        }
        bytes += Int64(answer.received)
        if let quota = service.quota(answer) { sink.service.quota = quota }
        backoff = service.backoff(answer, now: clock.now()).map(kept)
        switch service.judge(answer, at: address, now: clock.now()) {
        case .page:
            do {
                return .delivered(.page(try service.page(answer, at: address, now: clock.now()), answer))
            } catch let error as UnreadableResponse { return .judged(.failed("\(service.name) answered \(error)")) }
        case .unchanged where validator != nil: return .delivered(.unchanged)
        case .nothing: return .delivered(.nothing)
        case let disposition: return .judged(disposition)
        }
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
    /// The number of retries of a request that exceeded a limit: after a minute, then after twice as long each time.
    let limits = 3
    /// Returns a random number from 0 to 1.
    public var chance: @Sendable () -> Double = { Double.random(in: 0...1) }

    public init() {}

    /// Returns the pause before retry `number`, counted from 0, if the first pause is `pause`; `nil` after the last
    /// retry. Adds up to a half at random, so that clients that failed together do not return together.
    func pause(beforeRetry number: Int, _ pause: Duration) -> Duration? {
        number < retries ? pause * (1 << number) * (1 + chance() / 2) : nil
    }

    /// Returns the pause before retry `number` of a request that exceeded a limit; `nil` after the last retry.
    func pause(beforeLimited number: Int) -> Duration? {
        number < limits ? .seconds(60) * (1 << number) : nil
    }
}
