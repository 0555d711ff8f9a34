/// The terms of use of a directory and the attribution it requires, shown at the end of its pages. Empty values are
/// omitted.
public struct Terms: Equatable, Sendable {
    public var licence: String
    /// An http or https URL, or empty; the same holds for ``attributionURL``.
    public var licenceURL: String
    public var attribution: String
    public var attributionURL: String

    public init(licence: String = "", licenceURL: String = "", attribution: String = "", attributionURL: String = "") {
        self.licence = licence
        self.licenceURL = licenceURL
        self.attribution = attribution
        self.attributionURL = attributionURL
    }
}
