import Base
import TestSupport
import Testing

@testable import People
@testable import Publishing

@Suite("Edits of settings")
struct SettingsEditsTests {
    private let columns = ["Vorname", "Nachname", "Position", "Abteilung", "E-Mail", "Spitzname"]

    private var staff: DirectorySettings {
        var settings = DirectorySettings()
        settings.inferred.fields = [
            FieldSettings(key: "name", from: "{Vorname} {Nachname}"), FieldSettings(key: "title", from: "Position"),
            FieldSettings(key: "department", from: "Abteilung"), FieldSettings(key: "email", from: "E-Mail"),
        ]
        settings.inferred.fields[3].show = .never
        settings.inferred.filters = ["department"]
        settings.inferred.rows = ["title", "department"]
        return settings
    }

    private func edited(
        _ settings: DirectorySettings? = nil, _ body: (inout SettingsEdits) -> Void
    ) throws -> DirectorySettings {
        var edits = SettingsEdits()
        body(&edits)
        return try edits.applying(to: settings ?? staff, columns: columns)
    }

    private func error(_ body: (inout SettingsEdits) -> Void) -> String { message { _ = try edited(nil, body) } }

    @Test func droppedColumnsAreNotStoredAndStayOut() throws {
        let settings = try edited { $0.drop = ["abteilung"] }
        let resolved = ResolvedSettings(settings)
        #expect(resolved.visibility(ofColumn: "Abteilung") == .never)
        #expect(resolved.shown.filters.isEmpty)
        #expect(resolved.shown.rows.map { resolved.shown.fields[$0].key } == ["title"])
        #expect(ResolvedSettings(try edited(settings) { _ in }) == resolved)
    }

    @Test func onlyNamedColumnsStay() throws {
        let resolved = ResolvedSettings(try edited { $0.only = ["Vorname", "Nachname", "Position"] })
        #expect(resolved.fields.filter { $0.visibility == .public }.map(\.key) == ["name", "title"])
        #expect(
            columns.map { resolved.visibility(ofColumn: $0) } == [.public, .public, .public, .never, .never, .never])
        let less = ResolvedSettings(try edited { $0.only = ["Vorname", "Abteilung"] })
        #expect(less.fields.first { $0.key == "name" }?.source.description == "Vorname")
        #expect(less.visibility(ofColumn: "Nachname") == .never)
        #expect(less.visibility(ofColumn: "Abteilung") == .public)
    }

    /// No inferred field reads the members of a service's records that are columns of every user.
    @Test func noColumnIsTheLoginBesideOneOfThatName() throws {
        let settings = DirectorySettings(inferred: BuiltInSettings.git.settings)
        let cases = [("account", "account"), ("Login", "login"), ("display_name", "name")]
        for (column, key) in cases {
            var edits = SettingsEdits()
            edits.drop = [column]
            let edited = try edits.applying(to: settings, columns: ["account", "display_name", "login", "name"])
            #expect(edited.own.fields.map(\.key) == [key])
        }
    }

    @Test func fieldsAreCalledByKeysHeadingsOrLabels() throws {
        var staff = staff
        staff.inferred.fields.append(FieldSettings(key: "last_name", from: "Nachname"))
        let settings = try edited(staff) {
            $0.labels = [.init(key: "Abteilung", text: "Bereich")]
            ($0.set.filters, $0.set.rows, $0.icons) = (
                ["bereich"], ["POSITION", "department"], [.init(key: "Bereich", text: "tag")]
            )
            ($0.set.sorts, $0.set.order) = (["Nachname", "Name"], "nachname:desc")
        }
        #expect(settings.own.filters == ["department"] && settings.own.rows == ["title", "department"])
        #expect(settings.own.sorts == ["surname", "name"] && settings.own.order == "surname:desc")
        let field = settings.own.fields.first { $0.key == "department" }
        #expect(field?.label == .text("Bereich") && field?.icon == "tag")
        #expect(error { $0.set.rows = ["Position", "title"] } == "rows: expected \"title\" once, found it twice")
        let both = error { edits in
            edits.labels = [.init(key: "title", text: "Team"), .init(key: "department", text: "team")]
            edits.set.rows = ["Team"]
        }
        #expect(both == "rows: \"Team\" is the name of several fields: title, department; expected a key")
    }

    @Test func aFileOfSettingsCallsFieldsByHeadings() throws {
        let file = { (json: String) in try Array(json.utf8).withUnsafeBytes { try SettingsFile(json: $0) } }
        let merged = try file(
            #"{"rows": ["Position"], "fields": [{"key": "ABTEILUNG", "label": "Team"}, {"key": "new", "from": "Spitzname"}]}"#
        ).merged(into: staff)
        #expect(merged.own.rows == ["title"])
        #expect(merged.own.fields.map(\.key) == ["department", "new"])
        let again = try file(#"{"fields": [{"key": "Team", "label": null, "icon": "tag"}]}"#).merged(into: merged)
        #expect(again.own.fields.first?.label == nil && again.own.fields.first?.icon == "tag")
        #expect(throws: RollcallError.self) {
            try file(#"{"fields": [{"key": "Raum", "icon": "tag"}]}"#).merged(into: staff).check()
        }
    }

    @Test func labelsDoNotPublish() throws {
        let only = try edited { $0.only = ["Vorname", "Nachname"] }
        let labelled = try edited(only) { $0.labels = [.init(key: "department", text: "Team")] }
        #expect(ResolvedSettings(labelled).visibility(ofColumn: "Abteilung") == .never)
        let withheld = try edited { $0.labels = [.init(key: "email", text: "Mail")] }
        #expect(ResolvedSettings(withheld).visibility(ofColumn: "E-Mail") == .never)
    }

    @Test func onlyPublishShowsAWithheldColumn() throws {
        #expect(ResolvedSettings(try edited { $0.publish = ["E-MAIL"] }).visibility(ofColumn: "E-Mail") == .public)
        #expect(ResolvedSettings(try edited { $0.keep = ["E-Mail"] }).visibility(ofColumn: "E-Mail") == .private)
        let mapped = try edited { $0.map = [.init(key: "contact", text: "E-Mail")] }
        #expect(ResolvedSettings(mapped).visibility(ofColumn: "E-Mail") == .never)
    }

    @Test func aColumnOfATemplateLeavesIt() throws {
        let resolved = ResolvedSettings(try edited { $0.drop = ["Nachname"] })
        #expect(resolved.fields.first { $0.key == "name" }?.source.description == "Vorname")
        #expect(resolved.visibility(ofColumn: "Nachname") == .never)
        #expect(resolved.visibility(ofColumn: "Vorname") == .public)
    }

    @Test func mapReadsAFieldFromATemplate() throws {
        let resolved = ResolvedSettings(
            try edited {
                $0.map = [
                    .init(key: "name", text: "{nachname}, {vorname}"), .init(key: "nick", text: "Spitzname"),
                    .init(key: "avatar_url", text: "Spitzname"),
                ]
            })
        #expect(resolved.fields.first { $0.key == "name" }?.source.description == "{Nachname}, {Vorname}")
        #expect(resolved.fields.first { $0.key == "nick" }?.visibility == .public)
        #expect(resolved.fields.contains { $0.key == "photo" })
        let again = ResolvedSettings(try edited { $0.map = [.init(key: "role", text: "Position")] })
        #expect(again.fields.filter { $0.source.onlyColumn == "Position" }.map(\.key) == ["role"])
    }

    @Test func hiddenFieldsLeaveThePublishersLists() throws {
        let settings = try edited {
            $0.set.filters = ["department", "title"]
            $0.set.order = "department:desc"
        }
        let hidden = try edited(settings) { $0.keep = ["Abteilung"] }
        #expect(hidden.own.filters == ["title"])
        #expect(hidden.own.order == nil)
    }

    @Test func listsReplaceInferredOnes() throws {
        #expect(ResolvedSettings(try edited { $0.set.rows = [] }).shown.rows.isEmpty)
        let resolved = ResolvedSettings(try edited { $0.set.rows = ["department", "id"] })
        #expect(resolved.shown.rows.map { resolved.shown.fields[$0].key } == ["department", "id"])
    }

    @Test func unknownColumnsListThoseThatExist() {
        #expect(
            error { $0.drop = ["Abteilng"] } == """
                drop: expected a column of the file, found "Abteilng" (did you mean "Abteilung"?); the columns are \
                Vorname, Nachname, Position, Abteilung, E-Mail, Spitzname
                """)
        #expect(error { $0.key = ["Mail"] }.contains("the columns are Vorname"))
        #expect(error { $0.map = [.init(key: "name", text: "{Vorname} {Name}")] }.contains("found \"Name\""))
        #expect(error { $0.only = ["x"] }.hasPrefix("only: expected a column"))
    }

    @Test func otherErrors() {
        #expect(error { $0.set.filters = ["email"] }.contains("which is never"))
        #expect(error { $0.set.filters = ["departmnt"] }.contains("did you mean \"department\""))
        #expect(error { $0.icons = [.init(key: "title", text: "comit")] }.contains("did you mean \"commit\""))
        #expect(error { $0.labels = [.init(key: "titel", text: "A")] }.contains("did you mean \"title\""))
        for unknown in ["x", "xx-klingon", "deutsch", "de-", "zz"] {
            let error = RollcallError("language: expected \(SettingsRule.isLanguage.expected), found \"\(unknown)\"")
            #expect(throws: error) { try SettingsFile(members: ["language": "\"\(unknown)\""]) }
        }
        #expect(error { $0.key = ["E-Mail", "e-mail"] } == "key: expected \"E-Mail\" once, found it twice")
        #expect(error { $0.map = [.init(key: "A b", text: "Position")] }.hasPrefix("map: expected a key"))
        let long = String(repeating: "x", count: 81)
        let key = String(long.prefix(41))
        #expect(
            error { $0.map = [.init(key: key, text: "Vorname")] }.hasPrefix("map: expected a key of at most 40"))
        #expect(error { $0.labels = [.init(key: "title", text: long)] }.hasPrefix("label: expected at most 80"))
    }

    @Test func columnsInAnotherCaseAreThoseOfTheFile() {
        var settings = staff
        settings.inferred.columns = columns
        settings.own.fields = [FieldSettings(key: "team", from: "ABTEILUNG"), FieldSettings(key: "spitzname")]
        let resolved = ResolvedSettings(settings)
        #expect(resolved.fields.first?.source.description == "Abteilung")
        #expect(!resolved.fields.contains { $0.key == "department" })
        #expect(resolved.fields[1].source.onlyColumn == "Spitzname")
        settings.own.fields = [FieldSettings(key: "code", from: "Κωδικος")]
        settings.inferred.columns = ["ΚΩΔΙΚΟΣ"]
        #expect(ResolvedSettings(settings).fields.first?.source.onlyColumn == "ΚΩΔΙΚΟΣ")
        #expect(["Straße", "Ort"].lacking(in: ["STRASSE"]) == ["Ort"])
    }

    @Test func keysOfFields() {
        #expect(FieldKey.unique("Lieblings-Farbe", among: []) == "lieblings_farbe")
        #expect(FieldKey.unique("Abteilung", among: []) == "department")
        #expect(FieldKey.unique("Team", among: ["department"]) == "team")
        #expect(FieldKey.unique("Team", among: ["department", "team"]) == "team_2")
        #expect(FieldKey.unique("Place", among: ["location"]) == "place_2")
        #expect(FieldKey.unique("취미", among: []) == "취미")
        #expect(FieldKey.unique("!", among: []) == "field")
        #expect(FieldKey.unique(String(repeating: "é", count: 50), among: []).utf8.count == 40)
    }

    @Test func aMappedColumnKeepsItsPlaceInInferredLists() throws {
        var settings = staff
        settings.inferred.fields[2] = FieldSettings(key: "abteilung", from: "Abteilung")
        settings.inferred.filters = ["abteilung"]
        let resolved = ResolvedSettings(
            try edited(settings) { $0.map = [.init(key: "department", text: "Abteilung")] })
        #expect(resolved.shown.filters.map { resolved.shown.fields[$0].key } == ["department"])
        #expect(!resolved.fields.contains { $0.key == "abteilung" })
    }

    @Test func aTemplateDoesNotMixPublicAndHiddenColumns() throws {
        let mapping = SettingsEdits.Assignment(key: "contact", text: "{Vorname} {E-Mail}")
        let message = error { $0.map = [mapping] }
        let problem = #"found "{Vorname} {E-Mail}" with the column E-Mail, which is not stored"#
        #expect(message.contains(problem), "\(message)")
        let kept = try edited { $0.keep = ["Spitzname"] }
        #expect(throws: RollcallError.self) {
            try edited(kept) { $0.map = [.init(key: "names", text: "{Vorname} {Spitzname}")] }
        }
        let published = ResolvedSettings(
            try edited {
                $0.map = [mapping]
                $0.publish = ["E-Mail"]
            })
        #expect(published.visibility(ofColumn: "Vorname") == .public)
        #expect(published.fields.first { $0.key == "contact" }?.visibility == .public)
        // A hidden template would hide its columns from other fields.
        var hidden = staff
        var contact = FieldSettings(key: "contact", from: "{Vorname} {Nachname}")
        contact.show = .never
        hidden.own.fields = [contact]
        #expect(throws: RollcallError.self) { try hidden.check() }
    }

    @Test func aHiddenReputationIsNoOrder() throws {
        var settings = DirectorySettings()
        settings.inferred.fields = [FieldSettings(key: "reputation"), FieldSettings(key: "title")]
        (settings.inferred.order, settings.inferred.sorts) = ("reputation:desc", ["reputation", "title"])
        let sort = ResolvedSettings(settings).shown.defaultSort
        #expect(sort.key.name == "reputation" && sort.direction == .descending)
        settings.inferred.fields[0].show = .private
        let resolved = ResolvedSettings(settings)
        #expect(resolved.shown.defaultSort == Sort(.name) && resolved.shown.sorts == ["name", "title"])
        #expect(
            resolved.shown.sort("reputation", .descending) == Sort() && resolved.shown.sort("pay", .descending) == nil)
    }

    /// `--sorts Score` takes the heading, and so do readers' URLs.
    @Test func anOrderIsCalledByTheHeadingOfItsColumnToo() throws {
        var settings = staff
        settings.inferred.fields = [FieldSettings(key: "reputation", from: "Score"), FieldSettings(key: "title")]
        settings.own.sorts = ["Score"]
        let shown = ResolvedSettings(try settings.listingKeys()).shown
        #expect(shown.sorts.contains("reputation"))
        #expect(try #require(shown.sort("score", .ascending)).key.name == "reputation")
        #expect(shown.sort("-score", .ascending) == nil)
    }
}
