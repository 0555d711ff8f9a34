import People
import Publishing

/// The counts of a run so far.
public struct PictureProgress: Equatable, Sendable {
    /// Addresses by outcome.
    public var made = 0
    public var unchanged = 0
    public var missing = 0
    public var failed = 0
    /// Files that cannot be made into a picture.
    public var refused = 0
    /// Addresses that are left for a later run, because their hosts rest.
    public var postponed = 0
    public var requests = 0
    /// Body bytes received.
    public var bytes: Int64 = 0
    /// The number of addresses that are due, once it is known.
    public var expected: Int?
    /// People whose addresses have failed in an earlier run, as far as they were looked through.
    public var resting = RestingPictures()
    public var saved = PictureSaveCounts()
    /// Failures and refusals by kind.
    public var failures: [String: Examples] = [:]
    public var elapsed = Duration.zero

    /// Addresses of one kind of failure: their number, and the first of them.
    public struct Examples: Equatable, Sendable {
        public var count = 0
        public var first: [String] = []
    }

    public init() {}

    /// The number of addresses that are done.
    public var done: Int { made + unchanged + missing + failed + refused + postponed }

    mutating func count(_ result: PictureResult, kind: String?) {
        switch result.outcome {
        case .made: made += 1
        case .unchanged: unchanged += 1
        case .missing: missing += 1
        case .failed: failed += 1
        case .refused: refused += 1
        }
        guard let kind else { return }
        failures[kind, default: Examples()].count += 1
        if let count = failures[kind]?.first.count, count < 3 {
            failures[kind]?.first.append(result.source.address)
        }
    }
}

/// The result of a run.
public struct PictureSummary {
    public var end: RunEnd
    public var progress: PictureProgress
    /// The numbers of pictures and of addresses that were removed because nobody has them any more.
    public var garbage = (pictures: 0, addresses: 0)
    /// How long after the end the first host that rests may be asked again; `nil` if no address was left for later.
    public var comeBack: Duration?
}
