import _FoundationICU

/// A list of staff as a spreadsheet exports it.
public enum StaffList {
    public static let columns = [
        "Vorname", "Nachname", "Position", "Abteilung", "Standort", "Kenntnisse", "Eintritt", "E-Mail", "Gehalt",
        "Foto",
    ]

    public static let people = [
        "Anna|Müller|Leiterin|Vertrieb|München|Swift; Rust|01.03.2019|anna@example.org|72.000,00 €|photos/anna.jpg",
        "Jürgen|Groß|Entwickler|Technik|Köln|Swift|15.11.2021|juergen@example.org|65.000,00 €|",
        "Åsa|Öberg|Designerin|Technik|Köln||20.01.2020|asa@example.org|61.500,00 €|",
        "Anna|Müller|Werkstudentin|Vertrieb|München|Rust; Go|02.10.2025|anna.m@example.org|15.000,00 €|",
        "Zoe|Mueller|Controllerin|Finanzen|München|Go|30.06.2018|zoe@example.org|70.000,00 €|photos/none.jpg",
        "김민수||개발자|Technik|Köln|Swift|11.05.2022|minsu@example.org|64.000,00 €|",
    ].map { $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init) }

    private static let header = columns.joined(separator: ";")
    private static let rows = people.map { cells in
        cells.map { $0.contains(";") ? "\"\($0)\"" : $0 }.joined(separator: ";")
    }

    /// `staff.csv`: six people, in UTF-8.
    public static let text = ([header] + rows).joined(separator: "\n") + "\n"

    /// `staff-1252.csv`: without 김민수, after a separator line and a title, with a row that has no text, with the line
    /// ends of Windows.
    public static let titledText =
        (["sep=;", "Mitarbeiterliste 2026;;;", header] + rows.prefix(3) + [";;;;;;;;;"] + rows[3...4])
        .joined(separator: "\r\n") + "\r\n"

    public static let windows1252 = encoded(titledText, as: "windows-1252")
    public static let utf16 = encoded(titledText, as: "UTF-16LE")

    /// Six people with Korean headings. Two share a department.
    public static let korean = """
        이름,부서,직책,이메일
        김민수,개발팀,개발자,minsu@example.org
        이서연,개발팀,디자이너,seoyeon@example.org
        박지훈,영업팀,매니저,jihoon@example.org
        최수빈,영업팀,사원,subin@example.org
        정우진,인사팀,사원,woojin@example.org
        강하늘,인사팀,팀장,haneul@example.org

        """

    /// English headings and seven people, before more rows.
    public static func english(_ more: String...) -> String {
        let people = ["Ann Lee", "Bob Ray", "Carl Orr", "Dan Poe", "Eve Fox", "Fay Gill", "Gus Hall"]
        return (["name,title,city"] + (people + more).map { "\($0),Engineer,London" }).joined(separator: "\n") + "\n"
    }
}

/// Returns `text` in the encoding that ICU calls `converter`.
public func encoded(_ text: String, as converter: String) -> [UInt8] {
    var status = U_ZERO_ERROR
    let opened = swift_ucnv_open(converter, &status)
    precondition(opened != nil, "ICU knows \(converter)")
    defer { swift_ucnv_close(opened) }
    swift_ucnv_setFromUCallBack(opened, swift_UCNV_FROM_U_CALLBACK_STOP, nil, nil, nil, &status)
    let units = Array(text.utf16)
    var bytes = [CChar](repeating: 0, count: units.count * 4 + 8)
    let count = swift_ucnv_fromUChars(opened, &bytes, Int32(bytes.count), units, Int32(units.count), &status)
    precondition(status.rawValue <= 0, "\(converter) has all characters of the text")
    return bytes.prefix(Int(count)).map { UInt8(bitPattern: $0) }
}
