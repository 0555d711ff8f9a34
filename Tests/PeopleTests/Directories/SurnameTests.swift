import Base
import Publishing
import Testing

@testable import People

@Suite("Surnames in whole names")
struct SurnameTests {
    @Test(arguments: [
        ("Anna Keller", "Keller"), ("Keller, Anna", "Keller"), ("Dr. Keller, Anna", "Keller"),
        ("Martin Luther King, Jr.", "King"), ("Martin Luther King Jr.", "King"), ("Anna Keller, PhD", "Keller"),
        ("William Gates III", "Gates"), ("Anna Keller MD", "Keller"), ("Jack Ma", "Ma"),
        ("Anna Keller (Sales)", "Keller"), ("Anna (Annie) Keller", "Keller"), ("Dr. Anna Keller", "Keller"),
        ("Alexander von Humboldt", "Humboldt"), ("Vincent van Gogh", "Gogh"), ("Vincent Van Gogh", "Van Gogh"),
        ("von Humboldt, Alexander", "Humboldt"), ("St. John, Anna", "St. John"), ("Jan van der Berg", "Berg"),
        ("Jan Van der Berg", "Van der Berg"), ("Oscar De La Cruz", "De La Cruz"), ("Ursula Le Guin", "Le Guin"),
        ("Eimear Ní Bhriain", "Ní Bhriain"), ("Nawal El Saadawi", "El Saadawi"), ("Al Gore", "Gore"),
        ("Sean O'Neil", "O'Neil"), ("Mary-Jane Smith-Jones", "Smith-Jones"), ("Øystein Ås", "Ås"),
        ("Нина Петрова", "Петрова"), ("Петрова Нина Ивановна", "Петрова"), ("Нина Ивановна Петрова", "Петрова"),
        ("Максим Адамович Богданович", "Богданович"), ("Иван Богданович", "Богданович"),
        ("Μαρία Παπαδοπούλου", "Παπαδοπούλου"), ("Nguyễn Thị Ánh", "Ánh"),
    ])
    func theLastWordIsOne(_ name: String, _ surname: String) {
        #expect(Surname(language: "en").of(name) == surname)
        #expect(Surname(language: "de-CH").of(name) == surname)
    }

    @Test(arguments: [
        ("es", "Ana García López", "García López"), ("es", "Ana García", "García"),
        ("es", "María del Carmen Ruiz Gil", "Ruiz Gil"), ("es-MX", "Juan Pérez de la Cruz", "Pérez de la Cruz"),
        ("es", "Ana de la Fuente", "Fuente"), ("es", "José Ortega y Gasset", "Ortega y Gasset"),
        ("es", "Ana De la Fuente Díaz", "De la Fuente Díaz"), ("pt", "Ana Sofia Souza Lima", "Lima"),
        ("pt-BR", "João da Silva", "Silva"), ("ko", "김민수", "김"), ("ko", "남궁민", "남궁"), ("ko", "남궁민수", "남궁"),
        ("en", "김 민수", "김"), ("zh", "李娜", "李"), ("zh-TW", "歐陽娜娜", "歐陽"), ("zh", "司马光", "司马"),
        ("ja", "渡辺 直美子", "渡辺"), ("ja", "渡辺　直美子", "渡辺"), ("ja", "やまだ たろう", "やまだ"), ("ja", "John Smith", "Smith"),
    ])
    func languagesHaveRulesOfTheirOwn(_ language: String, _ name: String, _ surname: String) {
        #expect(Surname(language: language).of(name) == surname)
    }

    @Test(arguments: [
        ("is", "Anna Jónsdóttir"), ("en", "Madonna"), ("en", ""), ("en", ","), ("en", "()"), ("en", "Anna (Sales)"),
        ("en", "李娜"), ("ja", "渡辺直美子"), ("ja", "김"), ("zh", "李"), ("ar", "محمد علي"), ("en", "King Jr."), ("en", "III"),
        ("he", "דוד לוי"), ("en", "Ե Դ"),
    ])
    func otherNamesTellNone(_ language: String, _ name: String) {
        #expect(Surname(language: language).of(name) == nil)
    }

    @Test(arguments: [
        ("Name", ["Anna Keller", "Bo Alm", "Cher"], true), ("Name", ["Anna Keller", "Cher", "Madonna"], false),
        ("Nombre completo", ["Ana Gil Ruiz", "Bo Gil Paz", "Cai Sol Mar"], true),
    ])
    func twoThirdsOfAColumnDecide(_ heading: String, _ names: [String], _ expected: Bool) {
        let column = SurveyedColumn(heading: heading, values: names.map { .text($0) })
        let settings = Inference(Survey(columns: [column], records: names.count)).settings
        #expect(settings.surnames == (expected ? true : nil))
        let resolved = ResolvedSettings(DirectorySettings(inferred: settings))
        #expect((resolved.shown.wholeNameSurname != nil) == expected)
    }

    @Test func aColumnOfLastNamesDecidesItself() {
        let columns = [("Name", "Anna Keller"), ("Last name", "Keller")].map { heading, text in
            SurveyedColumn(heading: heading, values: [.text(text)])
        }
        #expect(Inference(Survey(columns: columns, records: 1)).settings.surnames == nil)
        var settings = DirectorySettings()
        settings.inferred.surnames = true
        #expect(ResolvedSettings(settings).shown.wholeNameSurname != nil)
        settings.own.surnames = false
        #expect(ResolvedSettings(settings).shown.wholeNameSurname == nil)
    }

    @Test func theOrderFollowsSurnamesAndThenTheRest() {
        let collation = CollationKeys(language: "de")
        let surname = Surname(language: "de")
        let names = [
            "Ann Öberg", "Zoe Adler", "Cher", "Bo Keller", "Anna Keller", "Alexander von Humboldt", "Anna Kellermann",
        ]
        let keys = names.map { name in
            let buffer = ByteBuffer(capacity: 256)
            name.withBytes { collation.append(keyOf: $0, surname: surname, to: buffer) }
            return Array(buffer.bytes)
        }
        let sorted = zip(names, keys).sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
        #expect(
            sorted == [
                "Zoe Adler", "Cher", "Alexander von Humboldt", "Anna Keller", "Bo Keller", "Anna Kellermann",
                "Ann Öberg",
            ])
    }
}
