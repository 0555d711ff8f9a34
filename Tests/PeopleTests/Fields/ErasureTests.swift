import People
import Publishing
import Testing

@Suite("What a change of settings erases")
struct ErasureTests {
    /// Settings with a field for each column that somebody decided on.
    private func settings(_ shown: [String: FieldVisibility], others: FieldVisibility? = nil) -> ResolvedSettings {
        var own = Settings()
        own.fields = shown.sorted { $0.key < $1.key }.map { column, visibility in
            var field = FieldSettings(key: column.lowercased(), from: column)
            field.show = visibility
            return field
        }
        own.others = others
        var inferred = Settings()
        inferred.columns = ["Title", "Salary", "Floor"]
        return ResolvedSettings(DirectorySettings(own: own, inferred: inferred))
    }

    @Test(
        "A column that is dropped is erased, one that is hidden stays",
        arguments: [(FieldVisibility.never, true), (.private, false), (.public, false)])
    func droppedColumns(visibility: FieldVisibility, isErased: Bool) {
        let erasure = Erasure(from: settings(["Floor": .public]), to: settings(["Floor": visibility]))
        #expect(erasure.has(column: "FLOOR") == isErased)
        #expect(erasure.isEmpty == !isErased)
    }

    /// Imports take such headings for one column.
    @Test(arguments: [("Straße", "STRASSE"), ("Κωδικος", "ΚΩΔΙΚΟΣ"), ("Room", "ROOM")])
    func aHiddenColumnIsHiddenHoweverItsHeadingIsWritten(_ column: String, _ written: String) {
        let kept = settings([column: .private])
        #expect(kept.hidden.has(column: written) && kept.split([written]).restricted == [written])
        #expect(Erasure(to: settings([column: .never])).has(column: written))
    }

    @Test func nobodyIsAskedAboutAColumnThatWasNeverStored() {
        // A heading that is withheld.
        let erasure = Erasure(from: settings([:]), to: settings(["Salary": .never]))
        #expect(!erasure.has(column: "Salary"))
        // Yet a service may have published it.
        #expect(!erasure.isEmpty)
    }

    @Test func withoutOtherColumnsEverythingGoesThatNoFieldReads() {
        let erasure = Erasure(from: settings(["Title": .public]), to: settings(["Title": .public], others: .never))
        #expect(["Title", "Floor", "Other"].map(erasure.has(column:)) == [false, true, true])
        let same = settings(["Title": .public], others: .never)
        #expect(Erasure(from: same, to: same).isEmpty && !Erasure(to: same).isEmpty)
    }

    @Test func rolesOfDroppedFieldsAreErased() {
        let photo = settings(["photo": .never])
        #expect(Erasure(to: photo).roles == [.photo])
        #expect(Erasure(to: settings(["photo": .private])).roles.isEmpty)
    }
}
