/// The names of a user that Rollcall made because the source has none. No page shows them.
public struct GeneratedNames: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let id = GeneratedNames(rawValue: 1)
    public static let login = GeneratedNames(rawValue: 2)
}
