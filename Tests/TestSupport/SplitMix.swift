import Bytes

/// The generator of the random numbers in tests, which are the same in every run.
public typealias SplitMix = SplitMix64
