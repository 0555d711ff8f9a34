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

    /// Stems of German compound words: `gehalt` stands for Gehaltsgruppe and Gehaltsstufe. They count at the beginning
    /// of a word, and are long enough to spare Krankenhaus, Steuerung and Mobilität.
    static let stems = [
        "Telefonnr", "Telefonpriv", "Handynr", "Handynummer", "Mobilnr", "Mobilnummer", "Mobilfunk", "Mobiltel",
        "Mobilruf", "Privattel", "Privathandy", "Privatnummer", "Privatadr", "Wohnadr", "Heimadr", "Gehalt", "Lohn",
        "Entgelt", "Vergütung", "Besoldung", "Tarifgruppe", "Stundensatz", "Kontonr", "Kontoinhab", "Bankverb",
        "Geburts", "Personalnr", "Personalnummer", "Persnr", "Notfall", "Krankenkasse", "Krankenvers", "Krankenstand",
        "Krankentage", "Krankengeld", "Krankheit", "Krankmeld", "Sozialvers", "Rentenvers", "Steuerklasse", "Steuernr",
        "Steuernummer", "Steueridentifik", "Steuerfrei", "Familienstand", "Kinderfreibetrag", "Behinder",
        "Schwerbehinder", "Urlaub", "Staatsangeh", "Bemerkung",
    ]

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
        Row(
            "en", "salary", "salaries", "wage", "wages", "pay", "bonus", "iban", "bank", "hourly rate", "daily rate",
            "day rate", "tax", "taxes"),
        Row(
            "de", "Gehalt", "Lohn", "Vergütung", "Kontonummer", "Bruttogehalt", "Nettogehalt", "Monatsgehalt",
            "Jahresgehalt", "Grundgehalt", "Stundenlohn", "Bankverbindung", "Gehälter", "Steuer", "Steuern"),
        Row("fr", "Salaire", "Rémunération", "Taux horaire", "Impôt", "Impôts", "Numéro fiscal"),
        Row("es", "Salario", "Sueldo", "Nómina", "Tarifa por hora", "Impuesto", "Impuestos", "IRPF"),
        Row("ko", "급여", "연봉", "계좌", "시급", "세금", "소득세"),
        Row("ja", "給与", "給料", "年収", "口座", "時給", "税金", "所得税", "住民税", "税区分"),
        Row("zh", "工资", "薪资", "薪資", "银行", "时薪", "時薪", "税号", "稅號", "个税", "个人所得税", "纳税", "納稅"),
        // Birth
        Row("en", "birthday", "date of birth", "dob", "age", "birthdate", "bday", "birth date"),
        Row("de", "Geburtstag", "Geburtsdatum", "Alter", "Geburtsjahr", "Geburtsort", "Geb."),
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
        // Emergencies, health and family
        Row(
            "en", "emergency contact", "emergency contacts", "emergency number", "next of kin", "marital status",
            "civil status", "disability", "disabilities", "health insurance", "sick days", "vacation days"),
        Row("de", "Notfallkontakt", "Familienstand", "Krankenkasse", "Behinderung", "Schwerbehindert", "Urlaubstage"),
        Row(
            "fr", "Contact d'urgence", "Personne à contacter", "Situation familiale", "État civil", "Handicap", "RQTH"),
        Row("es", "Contacto de emergencia", "Estado civil", "Discapacidad", "Minusvalía"),
        Row("ko", "비상 연락", "혼인", "결혼", "장애"),
        Row("ja", "緊急連絡", "婚姻", "配偶者", "障害", "障がい"),
        Row("zh", "紧急联系", "緊急聯絡", "婚姻", "残疾", "殘疾"),
        // Others
        Row(
            "en", "ssn", "passport", "tax id", "gender", "sex", "religion", "nationality", "notes", "note", "password",
            "social security number", "employee number", "employee id", "comment", "comments", "remark", "remarks"),
        Row(
            "de", "Personalnummer", "Steuernummer", "Ausweis", "Geschlecht", "Konfession", "Staatsangehörigkeit",
            "Bemerkung", "Bemerkungen", "Passwort", "Kennwort", "Steuer-ID", "Ausweisnummer", "Notiz", "Notizen",
            "Sozialversicherungsnummer", "SV-Nummer", "SV-Nr", "Pers.-Nr", "Kommentar", "Kommentare"),
        Row(
            "fr", "Numéro de sécurité sociale", "Matricule", "Sexe", "Nationalité", "Remarques", "Remarque",
            "Commentaire", "Commentaires"),
        Row("es", "DNI", "NIE", "NIF", "Sexo", "Nacionalidad", "Notas", "Comentario", "Comentarios", "Observaciones"),
        Row("ko", "주민등록번호", "사번", "성별", "종교", "국적", "비고", "코멘트", "메모"),
        Row("ja", "マイナンバー", "社員番号", "性別", "国籍", "備考", "コメント", "メモ"),
        Row("zh", "身份证", "身份證", "工号", "性别", "民族", "备注", "備註", "评论", "評論"),
    ]

    /// Returns whether a column called `heading` is withheld. A withheld heading also counts as a whole word of a
    /// longer one, a stem of German compounds as the beginning of a word, and in Korean, Japanese and Chinese as any
    /// part of one. Columns of links and photos, which their values and role determine, are not withheld.
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
                let phrase = words[start..<end].joined()
                if let found = whole[phrase] { languages.formUnion(found) }
                if beginnings.contains(where: phrase.hasPrefix) { languages.insert("de") }
            }
        }
        if normalized.contains("email") { languages.formUnion(["en", "de"]) }
        return languages
    }

    /// The longest phrase, in words. A heading with more words is a sentence, whose remainder does not count.
    private static let maxWords = 20
    /// `numéro de sécurité sociale`
    private static let longestPhrase = 4
    private static let withoutSpaces: Set<String> = ["ko", "ja", "zh"]

    private static let whole = table { !withoutSpaces.contains($0) }
    private static let beginnings = stems.map(Heading.normalized)
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
