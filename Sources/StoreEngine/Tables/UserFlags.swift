import People

/// The flags in the column `flags` of a user.
struct UserFlags: OptionSet {
    let rawValue: UInt8

    static let generatedID = UserFlags(rawValue: 1)
    static let generatedLogin = UserFlags(rawValue: 2)
    static let noIndex = UserFlags(rawValue: 4)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ user: UserBatch.Entry) {
        rawValue = user.generated.rawValue | (user.isNoIndex ? Self.noIndex.rawValue : 0)
    }

    init(stored: Int64) { rawValue = UInt8(truncatingIfNeeded: stored) }

    var generated: GeneratedNames {
        GeneratedNames(rawValue: intersection([.generatedID, .generatedLogin]).rawValue)
    }
}
