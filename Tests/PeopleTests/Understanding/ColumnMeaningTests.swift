import Testing

@testable import People
@testable import Publishing

@Suite("What columns mean")
struct ColumnMeaningTests {
    @Test(arguments: [
        "Company Name", "Team Name", "Project Name", "File Name", "Manager Name", "Emergency Contact Name",
        "Mother's Maiden Name", "Bank Name", "Name (Vorgesetzter)", "Name of guardian", "Nombre del jefe",
        "Nom du responsable", "Course name", "Name suffix", "Middle name", "Projektname", "上司氏名", "Nickname",
        "Street name",
    ])
    func aQualifierTakesTheNameAway(_ heading: String) {
        let role = ColumnMeanings(headings: [heading]).roles[0]
        #expect(![.name, .firstName, .lastName, .login].contains(role), "\(String(describing: role))")
    }

    @Test(arguments: [
        "Position ID", "Team Nr.", "Department Code", "Location code", "Job code", "Position Status", "Project Title",
        "Talk title", "Country code", "Department Manager",
    ])
    func numbersAndStatesOfThingsHaveNoRole(_ heading: String) {
        #expect(ColumnMeanings(headings: [heading]).roles == [nil])
    }

    private func roles(_ columns: KeyValuePairs<String, [String]>) -> [FieldRole?] { meanings(columns).roles }

    private func meanings(_ columns: KeyValuePairs<String, [String]>) -> ColumnMeanings {
        let surveyed = columns.map { SurveyedColumn(heading: $0.key, values: $0.value.map { .text($0) }) }
        return ColumnMeanings(Survey(columns: surveyed, records: columns.map(\.value.count).max() ?? 0))
    }

    @Test func aRoleWhoseValuesDoNotFitIsNone() {
        #expect(roles(["ID": ["E-1001", "E-1002"], "Name": ["Ann Lee", "Bob Kim"]]) == [nil, .name])
        #expect(roles(["id": ["0", "1"], "Name": ["Ann Lee", "Bob Kim"]]) == [nil, .name])
        #expect(roles(["id": ["1", "2"], "Name": ["Ann Lee", "Bob Kim"]]) == [.id, .name])
        #expect(roles(["Score": ["4.5", "3"], "Name": ["Ann Lee", "Bob Kim"]]) == [nil, .name])
        #expect(roles(["Photo": ["yes", "no"], "Name": ["Ann Lee", "Bob Kim"]]) == [nil, .name])
        #expect(roles(["Office": ["112", "204"], "Name": ["Ann Lee", "Bob Kim"]]) == [nil, .name])
    }

    /// Dates are words that begin with digits, perhaps beside a month.
    @Test func namesWithNumbersAreNoDates() {
        #expect(roles(["Name": ["P001 Person1", "P002 Person2"], "Team": ["A", "B"]]) == [.name, .department])
        let dates = ["1. März 2019", "March 2019", "2019-03-01T10:00", "2019年3月1日", "2019년 3월 1일", "1st Oct 2019"]
        for date in dates { #expect(roles(["Name": [date]]) == [nil], "\(date)") }
    }

    @Test func theMostSpecificColumnWins() {
        let names = ["Ann Lee", "Bob Kim"]
        #expect(
            roles(["Title": ["Dr.", "Prof."], "Position": ["Head", "Clerk"], "Name": names]) == [nil, .title, .name])
        #expect(roles(["Title": ["Dr.", "Prof."], "Job Title": ["Head", "Clerk"], "Name": names])[1] == .title)
        #expect(roles(["User name": names, "E-Mail": ["a@example.org", "b@example.org"]]) == [.name, .email])
        #expect(roles(["Personal email": ["a@x.org"], "Work email": ["b@x.org"], "Name": ["Ann Lee"]])[1] == .email)
        #expect(roles(["Team": [], "Unit": ["Sales", "Sales"], "Name": names]) == [nil, .department, .name])
        #expect(roles(["Student": ["Lee, Ann", "Kim, Bob"], "Grade": ["10", "11"]]) == [.name, nil])
        #expect(
            roles(["NM_CANDIDATO": names, "NM_PARTIDO": ["X", "Y"], "DS_CARGO": ["A", "B"]]) == [.name, nil, .title])
        #expect(roles(["Name (Original Name)": names, "yomi": ["あん", "ぼぶ"]]) == [.name, .reading])
        #expect(roles(["Lobbyist name": names, "Expert": ["yes", "no"], "pic": ["a.jpg"]]) == [.name, nil, .photo])
    }

    @Test func aNameOfTwoWordsIsAPartBesideTheOtherPart() {
        let first: [FieldRole?] = [.firstName, .lastName]
        #expect(roles(["Nombre": ["José Luis", "Ana María"], "Apellidos": ["García López", "Ruiz Gil"]]) == first)
        #expect(roles(["Cognome": ["De Luca", "Rossi"], "Nome": ["Anna Maria", "Gian Paolo"]]) == first.reversed())
        #expect(roles(["Nom": ["Le Goff", "De La Tour"], "Prénom": ["Anne", "Yves"]]) == first.reversed())
        #expect(roles(["Name": ["Anna Keller", "Jens Weiß"], "Surname": ["Keller", "Weiß"]]) == [.name, .lastName])
        // What some want to be called.
        let names = ["Quigley, Adam", "Dawson, Oliver", "Abbott, Wendy"]
        #expect(roles(["Name": names, "First name": ["Ollie"]]) == [.name, .firstName])
    }

    @Test func accountsAndNumbersTellPeopleApart() {
        let columns = meanings([
            "ID": ["E-1001", "E-1002"], "Employee No.": ["1", "2"], "Username": ["alee", "bkim"],
            "E-Mail": ["a@example.org", "b@example.org"], "Name": ["Ann Lee", "Bob Kim"], "Town": ["Ulm", "Bonn"],
        ]).columns
        #expect(columns.map(\.identifier) == [.sourceID, .personnelNumber, .code, .email, nil, nil])
        #expect(meanings(["E-mail Display Name": ["Ann Lee", "Bob Kim"]]).columns[0].identifier == nil)
        #expect(columns.map(\.isAccount) == [true, false, true, false, false, false])
        let pages = meanings(["GitHub": ["https://github.com/ann"], "Name": ["Ann Lee"]]).columns
        #expect(pages.map(\.isAccount) == [false, false] && pages.map(\.role) == [nil, .name])
    }

    @Test(arguments: [
        ("Last, First", ["Keller, Anna", "Weiß, Jens"], NameForm.lastCommaFirst),
        ("Name", ["KELLER Anna", "WEISS Jens"], .capitalsFirst), ("Name", ["Anna KELLER", "Jens WEISS"], .capitals),
        ("NOM Prénom", ["Caron Léa", "Noël Jean"], .lastFirst), ("Name", ["KELLER, Anna"], .capitalsCommaFirst),
        ("Name", ["Anna Keller", "Jens Weiß"], nil),
    ])
    func formsOfNamesAreKnown(_ heading: String, _ names: [String], _ form: NameForm?) {
        #expect(meanings([heading: names]).columns[0].nameForm == form)
    }

    @Test(arguments: [
        (NameForm.lastCommaFirst, "Keller, Anna", "Anna Keller"),
        (.lastCommaFirst, "Keller, Dr. Anna", "Dr. Anna Keller"),
        (.lastCommaFirst, "Dr. Keller, Anna", "Dr. Anna Keller"), (.lastCommaFirst, "Anna Keller", "Anna Keller"),
        (.lastCommaFirst, "King, Martin, Jr.", "Martin King, Jr."),
        (.lastCommaFirst, "Anna Keller, PhD", "Anna Keller, PhD"), (.lastCommaFirst, "van Dyke, Ann", "Ann van Dyke"),
        (.capitalsFirst, "KELLER Anna", "Anna Keller"), (.capitalsFirst, "DE LA TOUR Jean", "Jean De La Tour"),
        (.capitalsFirst, "MÜLLER-BERG ANNA", "Anna Müller-Berg"), (.capitals, "Anna O'LEARY", "Anna O'Leary"),
        (.capitals, "JOHN PAUL II", "John Paul II"), (.lastFirst, "Caron Léa", "Léa Caron"),
        (.lastFirst, "Nguyen Van Anh", "Nguyen Van Anh"), (.lastFirst, "김 민수", "김 민수"),
        (.capitalsCommaFirst, "KELLER, ANNA", "Anna Keller"),
    ])
    func namesAreShownInTheirOrder(_ form: NameForm, _ name: String, _ shown: String) {
        #expect(form.shown(name) == shown)
    }

    @Test func headersAreToldFromValues() {
        #expect(HeaderWords.explained(["Employee Name", "Employee No.", "Site", "Lieblingsfarbe"]) == 3)
        #expect(HeaderWords.explained(["Ann Lee", "E-1001", "Ulm", "blue"]) == 0)
        #expect(HeaderWords.hasName(["Worker", "Site"]) && !HeaderWords.hasName(["Company Name", "Site"]))
    }
}
