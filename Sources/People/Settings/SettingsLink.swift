/// A link at the top or end of pages.
public struct SettingsLink: Equatable, Encodable, Sendable {
    public var label: String
    /// An http, https or mailto URL.
    public var url: String

    public init(label: String, url: String) {
        self.label = label
        self.url = url
    }
}
