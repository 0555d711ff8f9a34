/// The headings of columns that are not stored unless the publisher names them.
public enum Withheld {
    struct Row {
        var language: String
        /// Whole words.
        var headings: [String]

        init(_ language: String, _ headings: String...) {
            self.language = language
            self.headings = headings
        }
    }

    static let allLanguages = ["en", "de", "fr", "es", "ko", "ja", "zh"]

    static let rows: [Row] = [
        // E-mail
        Row("en", "email", "mail", "e-mails", "mail address"),
        Row("de", "E-Mail", "Mailadresse", "Mailadressen"),
        Row("fr", "Courriel", "Mél"),
        Row("es", "Correo", "Correo electrónico"),
        Row("ko", "이메일", "메일"),
        Row("ja", "メール", "メールアドレス"),
        Row("zh", "邮箱", "电子邮件", "電子郵件"),
        // Phone
        Row(
            "en", "phone", "phones", "mobile", "cell", "tel", "fax", "telephone", "cellphone", "phonenumber",
            "mobilephone"),
        Row(
            "de", "Telefon", "Handy", "Mobil", "Durchwahl", "Telefonnummer", "Handynummer", "Mobilnummer",
            "Mobiltelefon", "Rufnummer", "Festnetz", "Telefax"),
        Row("fr", "Téléphone", "Portable"),
        Row("es", "Teléfono", "Móvil", "Celular"),
        Row("ko", "전화", "휴대폰", "연락처"),
        Row("ja", "電話", "携帯", "内線"),
        Row("zh", "电话", "手机", "電話", "手機"),
        // Pay
        Row("en", "salary", "salaries", "wage", "wages", "pay", "bonus", "iban", "bank"),
        Row(
            "de", "Gehalt", "Lohn", "Vergütung", "Kontonummer", "Bruttogehalt", "Nettogehalt", "Monatsgehalt",
            "Jahresgehalt", "Grundgehalt", "Stundenlohn", "Bankverbindung", "Gehälter"),
        Row("fr", "Salaire", "Rémunération"),
        Row("es", "Salario", "Sueldo", "Nómina"),
        Row("ko", "급여", "연봉", "계좌"),
        Row("ja", "給与", "給料", "年収", "口座"),
        Row("zh", "工资", "薪资", "薪資", "银行"),
        // Birth
        Row("en", "birthday", "date of birth", "dob", "age", "birthdate", "bday", "birth date"),
        Row("de", "Geburtstag", "Geburtsdatum", "Alter", "Geburtsjahr", "Geburtsort"),
        Row("fr", "Date de naissance", "Anniversaire", "Âge"),
        Row("es", "Fecha de nacimiento", "Cumpleaños", "Edad"),
        Row("ko", "생년월일", "생일", "나이"),
        Row("ja", "生年月日", "誕生日", "年齢"),
        Row("zh", "出生日期", "生日", "年龄"),
        // Address
        Row("en", "address", "addresses", "street", "zip", "postcode", "postal code", "zipcode", "adr"),
        Row(
            "de", "Adresse", "Anschrift", "Straße", "PLZ", "Wohnort", "Postleitzahl", "Hausnummer", "Privatadresse",
            "Privatanschrift"),
        Row("fr", "Adresse", "Rue", "Code postal"),
        Row("es", "Dirección", "Calle", "Código postal"),
        Row("ko", "주소", "우편번호"),
        Row("ja", "住所", "郵便番号"),
        Row("zh", "地址", "住址", "邮编"),
        // Others
        Row(
            "en", "ssn", "passport", "tax id", "gender", "sex", "religion", "nationality", "notes", "note", "password",
            "social security number", "employee number", "employee id"),
        Row(
            "de", "Personalnummer", "Steuernummer", "Ausweis", "Geschlecht", "Konfession", "Staatsangehörigkeit",
            "Bemerkung", "Bemerkungen", "Passwort", "Kennwort", "Steuer-ID", "Ausweisnummer", "Notiz", "Notizen",
            "Sozialversicherungsnummer"),
        Row("fr", "Numéro de sécurité sociale", "Matricule", "Sexe", "Nationalité", "Remarques", "Remarque"),
        Row("es", "DNI", "NIE", "NIF", "Sexo", "Nacionalidad", "Notas"),
        Row("ko", "주민등록번호", "사번", "성별", "종교", "국적", "비고"),
        Row("ja", "マイナンバー", "社員番号", "性別", "国籍", "備考"),
        Row("zh", "身份证", "身份證", "工号", "性别", "民族", "备注"),
    ]

    /// Returns whether a column called `heading` is withheld. A withheld heading also counts as a whole word of a
    /// longer one, and in Korean, Japanese and Chinese as any part of one. Columns of links and photos, which their
    /// values and role determine, are not withheld.
    public static func matches(heading: String) -> Bool { !languages(of: heading).isEmpty }

    /// Returns the languages in which a part of `heading` is withheld.
    static func languages(of heading: String) -> Set<String> {
        let normalized = Heading.normalized(heading)
        var languages: Set<String> = []
        if !normalized.utf8.allSatisfy({ $0 < 0x80 }) {
            for (word, found) in anywhere where normalized.contains(word) { languages.formUnion(found) }
        }
        let words = Heading.words(heading)
        for start in words.indices.prefix(maxWords) {
            for end in (start + 1)...min(start + longestPhrase, words.count) {
                if let found = whole[words[start..<end].joined()] { languages.formUnion(found) }
            }
        }
        // Earlier versions stored no column with such a name either.
        if normalized.contains("email") { languages.formUnion(["en", "de"]) }
        return languages
    }

    /// The longest phrase, in words. A heading with more words is a sentence, whose remainder does not count.
    private static let maxWords = 20
    /// `numéro de sécurité sociale`
    private static let longestPhrase = 4
    private static let withoutSpaces: Set<String> = ["ko", "ja", "zh"]

    private static let whole = table { !withoutSpaces.contains($0) }
    private static let anywhere = table { withoutSpaces.contains($0) }

    /// Returns the languages by heading in normal form.
    private static func table(_ isIncluded: (String) -> Bool) -> [String: Set<String>] {
        var table: [String: Set<String>] = [:]
        for row in rows where isIncluded(row.language) {
            for heading in row.headings { table[Heading.normalized(heading), default: []].insert(row.language) }
        }
        return table
    }
}
