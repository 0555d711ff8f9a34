public enum PictureMode: String, CaseIterable, Sendable {
    /// From the addresses of the source: browsers ask these hosts, which learn who looks at which page.
    case link
    /// From this server, which shows the pictures that were fetched, and photos of the publisher's own.
    case cache
    /// Nobody has one but initials.
    case off
}
