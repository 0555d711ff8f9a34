/// An error in settings: it names the member, what was expected there, and what was found.
public struct SettingsError: Error, Equatable, CustomStringConvertible {
    public var message: String

    public init(_ message: String) { self.message = message }

    public var description: String { message }
}
