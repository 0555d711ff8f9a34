import People

/// When a picture is asked for again.
extension PictureSource {
    private static let hour: Int64 = 3600
    private static let day = 24 * hour

    /// Returns the time at which the source is due after `outcome`, in seconds since 1970.
    func due(after outcome: PictureOutcome, at now: Int64) -> Int64 {
        switch outcome {
        case .made, .unchanged, .missing: now + Self.refresh(address)
        case .failed: now + Self.pause(afterFailures: failures + 1)
        case .refused: now + 30 * Self.day
        }
    }

    /// 7 days and up to a tenth more or less, always the same for an address: those that were first asked for in one
    /// run are not all due in one run again.
    private static func refresh(_ address: String) -> Int64 {
        let range = 7 * day / 5
        return 7 * day - range / 2 + Int64(address.stableHash % UInt64(range + 1))
    }

    /// After an hour, a day, a week, and then every month.
    private static func pause(afterFailures failures: Int) -> Int64 {
        switch failures {
        case ...1: hour
        case 2: day
        case 3: 7 * day
        default: 30 * day
        }
    }
}
