/// A source of users: a file, a repository, a service.
public protocol ImportSource: Sendable {
    /// Passes every user to `sink`, and does not keep the sink. Runs on a thread of its own and may block. Throws if it
    /// cannot continue; users passed on until then are saved.
    func read(into sink: ImportSink) throws

    /// Called after all users of the source were read and saved.
    func completed()

    /// Whether the source can be read twice with the same result, given a ``KeptInput`` that keeps streams.
    static var isRepeatable: Bool { get }

    /// Opens the folder with the photos of the source's people; `nil` if it has none.
    func openPhotos() throws -> PhotoFolder?
}

extension ImportSource {
    public func completed() {}

    public static var isRepeatable: Bool { false }

    public func openPhotos() throws -> PhotoFolder? { nil }
}
