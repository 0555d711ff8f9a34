/// Why a server could not start: what was tried, and what the system said.
public struct ServerError: Error, Equatable, CustomStringConvertible {
    public var description: String

    init(_ description: String) { self.description = description }
}
