/// Facts about a record that was decoded.
public struct DecodedRecord {
    /// Whether the id was generated because the record has none.
    public var isIDMade: Bool
    /// The number of avatars and links ignored because they are not absolute http or https URLs.
    var ignoredLinks = 0
    /// The first of them in this import, as in `avatar "photos/ann.jpg"`.
    var ignoredLink: String?
}

/// The avatars and links that an import ignored.
public struct IgnoredLinks: Equatable, Sendable {
    public var count = 0
    /// The first one and its location, as in `line 2: avatar "photos/ann.jpg"`.
    public var example: String?

    public init() {}

    static func += (total: inout IgnoredLinks, more: IgnoredLinks) {
        total.count += more.count
        total.example = total.example ?? more.example
    }
}
