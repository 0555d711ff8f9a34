import People
import Publishing

@testable import Site

/// Three people of a publisher's own list, as an import stores them, and the settings of their directory.
enum Staff {
    static let settings: Settings = {
        func field(
            _ key: String, _ column: String, _ type: FieldType = .text,
            _ change: (inout FieldSettings) -> Void = { _ in }
        ) -> FieldSettings {
            var field = FieldSettings(key: key, from: column)
            field.type = type
            field.label = .text(column)
            change(&field)
            return field
        }
        var settings = Settings()
        settings.order = "name"
        settings.columns = [
            "Vorname", "Nachname", "Position", "Abteilung", "Kenntnisse", "Eintritt", "Budget", "Mobil", "E-Mail",
            "Web", "Text", "Gehalt", "Raum",
        ]
        settings.rows = ["title", "department"]
        settings.cards = ["title"]
        settings.filters = ["department"]
        settings.sorts = ["name", "joined"]
        settings.fields = [
            field("name", "{Vorname} {Nachname}"), field("title", "Position"), field("department", "Abteilung"),
            field("skills", "Kenntnisse", .list) { $0.split = ";" },
            field("joined", "Eintritt", .date) {
                $0.format = "dmy"
                $0.label = .byLanguage(["de": "Dabei seit", "fr": "Depuis"])
            },
            field("budget", "Budget", .number) { $0.format = "1.234,5" }, field("remote", "Mobil", .boolean),
            field("email", "E-Mail", .link), field("website", "Web", .link), field("about", "Text"),
            field("salary", "Gehalt") { $0.show = .private },
        ]
        return settings
    }()

    static let directory: Directory = {
        var directory = Directory.people
        directory.slug = Slug(literal: "team")
        directory.title = "Our team"
        directory.settings = resolved(settings)
        directory.filters = [FilterCounts(Filter("department"), ["Vertrieb": 2, "Technik": 1])]
        return directory
    }()

    /// The same with a figure.
    static let directoryWithFigure: Directory = {
        var (settings, directory) = (Staff.settings, Staff.directory)
        settings.fields.append(FieldSettings(key: "reputation", from: "Punkte"))
        directory.settings = resolved(settings)
        return directory
    }()

    /// The language of names is that of the headings. A language of the publisher's own would be the interface's, too.
    private static func resolved(_ settings: Settings) -> ShownSettings {
        var inferred = Settings()
        inferred.language = "de"
        return ResolvedSettings(DirectorySettings(own: settings, inferred: inferred)).shown
    }

    static let users: [User] = {
        var anna = User.make(
            1, "anna-mueller", name: "Anna Müller",
            more: """
                {"Vorname":"Anna","Nachname":"Müller","Position":"Leiterin","Abteilung":"Vertrieb",\
                "Kenntnisse":"Swift; Rust","Eintritt":"01.03.2019","Budget":"1.234,5","Mobil":"ja",\
                "E-Mail":"anna@example.org","Web":"https://anna.example/","Text":"Über mich","Raum":"12"}
                """)
        anna.generated = [.id, .login]
        var zoe = User.make(2, "zoe", name: "Zoe <Groß>", more: #"{"Abteilung":"Vertrieb"}"#)
        zoe.generated = .id
        let kim = User.make(3, "kim", name: "김민수", more: #"{"Position":"개발자","Abteilung":"Technik"}"#)
        return [anna, zoe, kim]
    }()

    static func client(_ configure: (inout Site.Configuration) -> Void = { _ in }) throws -> SiteClient {
        try SiteClient(users, directories: [directory], configure: configure)
    }

    /// A client of a directory with another filter, and of one without any.
    static func client(_ filter: FilterCounts) throws -> SiteClient {
        var directory = directory
        directory.filters = [filter]
        return try SiteClient(users, directories: [directory, .people])
    }

    /// A client of a directory with changed settings.
    static func client(settings change: (inout Settings) -> Void) throws -> SiteClient {
        var (settings, directory) = (settings, directory)
        change(&settings)
        directory.settings = resolved(settings)
        return try SiteClient(users, directories: [directory])
    }
}
