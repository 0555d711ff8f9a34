import People
import Publishing

extension DirectorySettings {
    /// Those of a directory that a service fills.
    static func of(_ service: BuiltInSettings) -> DirectorySettings { DirectorySettings(inferred: service.settings) }

    /// Those of a publisher who has decided only this.
    static func own(_ change: (inout Settings) -> Void) -> DirectorySettings {
        var settings = Settings()
        change(&settings)
        return DirectorySettings(own: settings)
    }

    /// Those of a publisher who has one field, which is shown to these.
    static func field(_ key: String, _ visibility: FieldVisibility) -> DirectorySettings {
        var field = FieldSettings(key: key)
        field.show = visibility
        return own { $0.fields = [field] }
    }
}
