import People

/// A directory, and whether URLs must name it: those without a directory show the default one.
struct LinkedDirectory: Equatable, Sendable {
    let directory: Directory
    private let isDefault: Bool

    init(_ directory: Directory, isDefault: Bool) { (self.directory, self.isDefault) = (directory, isDefault) }

    /// The value of the parameter that names the directory; `nil` for the default one.
    var parameter: String? { isDefault ? nil : directory.slug.text }

    /// Returns the same directory as the store has it now.
    func updated(to latest: Directory) -> LinkedDirectory { LinkedDirectory(latest, isDefault: isDefault) }
}
