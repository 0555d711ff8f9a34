/// Under what terms a directory may be used, and whom it is owed to: what its pages say at their end. Empty is nothing.
public struct Terms: Equatable, Sendable {
    public var licence: String
    /// An http or https URL, or empty; so is ``attributionURL``.
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
