/// A record that was not imported, with the reason. Other records of its source are imported.
public struct Rejection: Equatable, Sendable, CustomStringConvertible {
    /// The location of the record: `line 7`, `record 12`.
    public var place: String
    public var reason: String
    /// The number of lines that were left out for this reason; 1 for a record of one line.
    public var lines = 1
    /// Whether the file ends in the middle of the record, so that it may lack more of them.
    public var isCut = false

    public var description: String { "\(place): \(reason)" }

    /// That of a record with more than ``RecordLimits/recordBytes``.
    static func tooLarge(_ place: String) -> Rejection {
        Rejection(place: place, reason: "expected at most 1 MiB, found more")
    }
}

/// The error in one record. The reader that catches it adds the location.
public struct RecordError: Error, Equatable, CustomStringConvertible {
    public var reason: String
    /// The kind of loss, if all records with this error are reported in one line.
    public var loss: ImportLosses.Kind?

    public init(_ reason: String, _ loss: ImportLosses.Kind? = nil) {
        self.reason = reason
        self.loss = loss
    }

    /// Throws what is wrong unless `holds`.
    static func expect(_ holds: Bool, _ wrong: @autoclosure () -> String) throws(RecordError) {
        if !holds { throw RecordError(wrong()) }
    }

    public var description: String { reason }
}
