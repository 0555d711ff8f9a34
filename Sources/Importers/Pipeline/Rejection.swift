/// A record that was not taken, and why. The others of its source are.
public struct Rejection: Error, Equatable, Sendable, CustomStringConvertible {
    /// Where the record stands: `line 7`, `record 12`.
    public var place: String
    public var reason: String

    public init(place: String, reason: String) {
        self.place = place
        self.reason = reason
    }

    public var description: String { "\(place): \(reason)" }
}

/// What is wrong with one record; whoever read it knows its place.
public struct RecordError: Error, Equatable, CustomStringConvertible {
    public var reason: String

    public init(_ reason: String) { self.reason = reason }

    public var description: String { reason }
}

/// Why an import cannot go on at all.
public struct ImportError: Error, Equatable, Sendable, CustomStringConvertible {
    public var message: String

    public init(_ message: String) { self.message = message }

    public var description: String { message }
}
