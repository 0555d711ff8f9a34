import People
import Publishing

extension Filter {
    static let type = Filter("type")
    /// The filters of services.
    static let userType = Filter("user_type")
    static let status = Filter("status")
    static let species = Filter("species")
    static let gender = Filter("gender")
}

extension FilterCounts {
    init(_ filter: Filter, _ counts: KeyValuePairs<String, Int>) {
        self.init(filter, counts.map { Value(value: $0.key, count: $0.value) })
    }
}

extension ShownSettings {
    /// Those of a directory that a service fills.
    static func of(_ service: BuiltInSettings) -> ShownSettings {
        ResolvedSettings(DirectorySettings(inferred: service.settings)).shown
    }

    /// Those of a publisher who has decided only this.
    static func own(_ change: (inout Settings) -> Void) -> ShownSettings {
        var settings = Settings()
        change(&settings)
        return ResolvedSettings(DirectorySettings(own: settings)).shown
    }
}
