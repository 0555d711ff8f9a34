/// The reason why a server could not start: what it tried and the system's error message.
public struct ServerError: Error, Equatable, CustomStringConvertible {
    public var description: String

    init(_ description: String) { self.description = description }
}
