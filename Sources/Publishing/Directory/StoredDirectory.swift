import People

/// A directory as its publisher has it: what everybody gets of it, and all settings.
///
/// ```swift
/// let team = try store.storedDirectory("team")
/// team.settings.fields.count  // 12: all fields
/// team.directory.settings.fields.count  // 9: those that everybody sees
/// ```
@dynamicMemberLookup
public struct StoredDirectory: Equatable, Sendable, Identifiable {
    /// What everybody gets.
    public private(set) var directory: Directory
    /// All settings. Equal ones are shared.
    public var settings: ResolvedSettings { didSet { directory.settings = settings.shown } }

    public init(_ directory: Directory, _ settings: ResolvedSettings = .empty) {
        (self.directory, self.settings) = (directory, settings)
        self.directory.settings = settings.shown
    }

    public var id: Int64 { directory.id }

    public subscript<Value>(dynamicMember path: WritableKeyPath<Directory, Value>) -> Value {
        get { directory[keyPath: path] }
        set { directory[keyPath: path] = newValue }
    }

    public subscript<Value>(dynamicMember path: KeyPath<Directory, Value>) -> Value { directory[keyPath: path] }

    public func shown(to audience: Audience) -> Directory {
        var shown = directory
        shown.settings = settings.shown(to: audience)
        return shown
    }
}
