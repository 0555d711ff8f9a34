/// The address of a picture that people have, and the outcome of the last request for it.
public struct PictureSource: Equatable, Sendable {
    /// An http or https URL, as the source of the directory gave it.
    public var address: String
    /// The validators of the last picture; empty without one.
    public var etag: String
    public var lastModified: String
    /// The number of failures since the last success.
    public var failures: Int
    /// The stored picture; `nil` without one.
    public var key: PictureKey?

    public init(
        address: String, etag: String = "", lastModified: String = "", failures: Int = 0, key: PictureKey? = nil
    ) {
        self.address = address
        self.etag = etag
        self.lastModified = lastModified
        self.failures = failures
        self.key = key
    }
}

public enum PictureOutcome: Equatable, Sendable {
    /// The picture, and the validators that came with it.
    case made(MadePicture, etag: String, lastModified: String)
    /// The stored picture is still right (304).
    case unchanged
    /// The address has no picture (404, 410): its people get initials at once.
    case missing
    /// The host could not be asked, or did not answer properly. A stored picture stays.
    case failed(reason: String)
    /// The file is not a picture that can be made. It is tried again after a month, or by another version of Rollcall.
    case refused(reason: String)
}

/// An outcome, and when the address is due again.
public struct PictureResult: Equatable, Sendable {
    public var source: PictureSource
    public var outcome: PictureOutcome
    /// In seconds since 1970.
    public var dueAt: Int64

    public init(_ source: PictureSource, _ outcome: PictureOutcome, dueAt: Int64) {
        self.source = source
        self.outcome = outcome
        self.dueAt = dueAt
    }
}
