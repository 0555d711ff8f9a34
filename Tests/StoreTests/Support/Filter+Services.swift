import People
import Publishing

extension Filter {
    static let type = Filter("type")
    /// The filters of services.
    static let status = Filter("status")
    static let species = Filter("species")
    static let gender = Filter("gender")
}

extension DirectorySettings {
    /// Those of a directory that a service fills.
    static func of(_ service: BuiltInSettings) -> DirectorySettings { DirectorySettings(inferred: service.settings) }
}
