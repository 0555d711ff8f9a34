import People

/// Facts about a record that was decoded.
public struct DecodedRecord {
    /// The names that the record lacks.
    public var generated: GeneratedNames
    /// The losses of the record.
    var losses: [ImportLosses.Loss] = []
    /// The person's photo in the folder of photos.
    var photo: [String]?

    /// Whether the id was generated because the record has none.
    public var isIDMade: Bool { generated.contains(.id) }
}
