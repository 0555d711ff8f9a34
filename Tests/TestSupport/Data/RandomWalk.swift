import Base
import Foundation

/// Where the random walks of tests begin, and how far they go. Without settings, every run is the same.
public enum RandomWalk {
    /// `ROLLCALL_TEST_SEED`: another number begins all walks elsewhere. `Tests/run` prints it after a failure.
    public static let seed = setting("ROLLCALL_TEST_SEED") ?? 0

    /// `ROLLCALL_TEST_EFFORT`, which multiplies the rounds of all walks: 10 for a night.
    private static let effort = setting("ROLLCALL_TEST_EFFORT").map { max(1, Int(clamping: $0)) } ?? 1

    /// Returns the number of rounds of a walk that usually has `count`.
    public static func rounds(_ count: Int) -> Int { count * effort }

    private static func setting(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
}

/// The generator of the random numbers in tests.
public typealias SplitMix = SplitMix64

extension SplitMix64 {
    /// Begins a walk. Those with different numbers differ.
    public init(walk number: UInt64) { self.init(state: number &+ RandomWalk.seed &* 0x9E37_79B9_7F4A_7C15) }
}
