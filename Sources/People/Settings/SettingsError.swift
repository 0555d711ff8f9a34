/// An error in settings: the member, the expected value, and the value found.
public struct SettingsError: Error, Equatable, CustomStringConvertible {
    public var message: String

    public init(_ message: String) { self.message = message }

    public var description: String { message }
}
