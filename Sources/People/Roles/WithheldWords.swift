/// The words by which headings are known as those of columns that are not stored unless the publisher names them, by
/// what they are about and by language.
///
/// A word also counts inside a longer heading, whatever stands between its parts: `birth date` is in `BIRTH_DATE (new)`
/// and in `birthdate`. `word*` stands for all words that begin so, `*word` for those that end so, `*word*` for those
/// that contain it, and `=word` for a heading of this word alone. In ``withoutSpaces``, a word counts anywhere.
enum WithheldWords {
    struct Row {
        var kind: WithheldKind
        var language: String
        var words: [String]

        init(_ kind: WithheldKind, _ language: String, _ words: String...) {
            (self.kind, self.language, self.words) = (kind, language, words)
        }
    }

    /// Each of `first` beside each of `second`, in either order: `employee number`, `No. of employee`.
    struct Product {
        var kind: WithheldKind
        var language: String
        var first: [String]
        var second: [String]

        init(_ kind: WithheldKind, _ language: String, _ first: [String], _ second: [String]) {
            (self.kind, self.language, self.first, self.second) = (kind, language, first, second)
        }
    }

    /// In the order of preference if a file's headings fit several.
    static let languages = [
        "en", "de", "fr", "es", "ko", "ja", "zh", "pt", "it", "nl", "pl", "cs", "tr", "sv", "da", "ru", "ar",
    ]
    /// The languages whose words are not separated, or begin with an article.
    static let withoutSpaces: Set<String> = ["ko", "ja", "zh", "ar"]
    /// Words that mean nothing between others.
    static let links: Set<String> = [
        "of", "the", "de", "d", "del", "la", "du", "des", "da", "do", "di", "van", "der", "het", "und", "or", "and",
    ]

    static let rows = contact + home + work + body + origin + papers + secrets + remarks
}

// MARK: - Addresses

extension WithheldWords {
    private static let contact = [
        Row(.mail, "en", "mail", "mails", "*email*", "mailaddress", "mailto"),
        Row(.mail, "de", "mail", "e-mail*", "*mailadresse*"),
        Row(.mail, "fr", "courriel*", "mél", "messagerie"),
        Row(.mail, "es", "correo", "correos"),
        Row(.mail, "ko", "이메일", "메일"),
        Row(.mail, "ja", "メール"),
        Row(.mail, "zh", "邮箱", "邮件", "電郵", "電子郵件", "郵箱"),
        Row(.mail, "pt", "correio"),
        Row(.mail, "it", "posta elettronica", "=pec", "indirizzo pec"),
        Row(.mail, "nl", "mailadres*", "e-mailadres*"),
        Row(.mail, "pl", "poczta", "mejl"),
        Row(.mail, "cs", "elektronická pošta"),
        Row(.mail, "tr", "eposta*", "e-posta*"),
        Row(.mail, "sv", "epost*", "e-post*", "mejl*"),
        Row(.mail, "ru", "почта", "почты", "электронн*", "мейл", "емейл"),
        Row(.mail, "ar", "بريد", "ايميل", "إيميل"),

        Row(
            .phone, "en", "phone", "phones", "phoneno", "*phone", "*phones", "*phonenumber", "mobile", "mobiles",
            "cell",
            "tel", "fax", "faxes", "pager*", "direct line*", "direct dial*", "direct number", "ddi", "=ext", "ext no",
            "extension", "extensions", "landline*", "sms", "text messages", "mobileno", "mobilenumber", "work mobile"),
        Row(
            .phone, "de", "Telefon*", "*telefon", "Handy", "Handys", "Handynr*", "Handynummer*", "Privathandy",
            "Mobil", "Mobilnr*", "Mobilnummer*", "Mobilfunk*", "Mobiltel*", "Mobilruf*", "Durchwahl*", "Rufnummer*",
            "Festnetz*", "Privattel*", "Privatnummer*", "Nebenstelle*", "Faxnr*", "Faxnummer*", "Telefax*"),
        Row(.phone, "fr", "téléphon*", "portable", "ligne directe", "télécopie*", "gsm", "n poste"),
        Row(.phone, "es", "teléfono*", "móvil*", "celular*", "línea directa", "extensión"),
        Row(.phone, "ko", "전화", "휴대폰", "핸드폰", "연락처", "내선", "팩스"),
        Row(.phone, "ja", "電話", "携帯", "内線", "直通", "連絡先", "ファックス"),
        Row(.phone, "zh", "电话", "手机", "電話", "手機", "分机", "分機", "座机", "传真", "傳真", "联系方式", "聯絡方式"),
        Row(.phone, "pt", "telefone*", "telemóve*", "telemóvel", "telemovel", "celular*", "ramal"),
        Row(.phone, "it", "telefon*", "cellulare", "recapito*", "=interno"),
        Row(.phone, "nl", "telefoon*", "mobiel*", "gsm", "toestel*", "doorkiesnummer"),
        Row(.phone, "pl", "telefon*", "komórk*", "numer wewnętrzny"),
        Row(.phone, "cs", "telefon*", "mobil", "=linka", "klapka"),
        Row(.phone, "tr", "telefon*", "cep", "dahili", "gsm"),
        Row(.phone, "sv", "telefon*", "mobil", "mobilnummer", "anknytning*", "*telefon"),
        Row(.phone, "da", "telefon*", "mobil", "mobilnummer", "tlf", "lokalnummer", "*telefon"),
        Row(.phone, "ru", "телефон*", "моб", "мобильн*", "добавочн*", "внутренн* номер", "внутренний номер", "тел"),
        Row(.phone, "ar", "هاتف", "جوال", "موبايل", "تلفون", "فاكس", "تحويلة"),

        Row(
            .messenger, "en", "whatsapp*", "telegram", "=signal", "signal number", "skype*", "viber", "wechat*",
            "weixin", "threema", "icq", "=qq", "qq number", "=line", "line id", "kakao*", "kakaotalk", "messenger*",
            "discord*", "snapchat", "instant messaging", "=im", "im address", "jabber", "xmpp", "slack id"),
        Row(.messenger, "ko", "카카오", "카톡"),
        Row(.messenger, "ja", "ライン"),
        Row(.messenger, "zh", "微信"),
        Row(.messenger, "ru", "телеграм*", "вотсап*", "ватсап*", "мессенджер*"),
        Row(.messenger, "ar", "واتساب", "تيليجرام"),
    ]

    private static let home = [
        Row(
            .home, "en", "address*", "*address", "*addresses", "street*", "zip", "zipcode*", "postcode*", "post code",
            "postal code*", "po box", "adr", "domicile", "=residence",
            "place residence"),
        Row(
            .home, "de", "Adress*", "*adresse", "*adressen", "*anschrift", "Anschrift*", "Straße*", "Strasse*", "Str",
            "PLZ", "Wohnort*", "Wohnadr*", "Heimadr*", "Privatadr*", "Postleitzahl*", "Hausnummer*", "Hausnr*",
            "Postfach*", "Wohnsitz*", "privat"),
        Row(.home, "fr", "adresse*", "rue", "code postal", "=cp", "domicile"),
        Row(.home, "es", "dirección*", "calle", "código postal", "domicilio", "=residencia", "lugar residencia"),
        Row(.home, "ko", "주소", "우편번호", "거주지"),
        Row(.home, "ja", "住所", "郵便番号", "自宅", "居住地"),
        Row(.home, "zh", "地址", "住址", "邮编", "郵編", "邮政编码", "郵遞區號", "籍贯", "户籍"),
        Row(.home, "pt", "endereço*", "morada*", "rua", "código postal", "=cep", "=residência", "bairro"),
        Row(.home, "it", "indirizz*", "via residenza", "=cap", "residenza", "domicilio"),
        Row(.home, "nl", "adres*", "*adres", "straat*", "postcode*", "woonplaats*", "huisnummer*", "=privé"),
        Row(.home, "pl", "adres*", "ulica", "kod pocztowy", "zamieszkani*"),
        Row(.home, "cs", "adres*", "ulice", "psč", "bydliště", "bydlist*"),
        Row(.home, "tr", "adres*", "posta kodu", "ikamet*"),
        Row(.home, "sv", "adress*", "*adress", "postnummer", "postnr", "gatuadress", "=gata"),
        Row(.home, "da", "adresse*", "postnummer", "postnr", "=vej", "bopæl*"),
        Row(.home, "ru", "адрес*", "улица", "индекс", "почтовый индекс", "прописк*", "проживани*"),
        Row(.home, "ar", "العنوان", "عنوان السكن", "الرمز البريدي", "محل الإقامة"),
    ]
}

// MARK: - What employers and clubs know

extension WithheldWords {
    private static let work = [
        Row(
            .number, "en", "uid number", "employee identifier", "id number", "id no", "idno", "file no", "badge no",
            "badge number", "badge id", "sis id", "sourced id", "primary sid"),
        Row(
            .number, "de", "Personalnr*", "Personalnummer*", "Persnr*", "Pers.-Nr.*", "Pnr", "Mitgliedsnr*",
            "Mitgliedsnummer*", "Mitgl Nr", "ID-Nummer", "Ausweisnr*", "Ausweisnummer*", "Stammnummer"),
        Row(.number, "fr", "matricule*", "n licence", "no licence", "numéro licence", "identifiant rh"),
        Row(.number, "es", "legajo", "no colegiado", "número colegiado"),
        Row(.number, "ko", "사번", "학번", "군번"),
        Row(.number, "zh", "工号", "工號", "学号", "學號", "员工号", "員工號"),
        Row(.number, "pt", "matrícula*", "siape"),
        Row(.number, "it", "matricola*", "=badge"),
        Row(.number, "nl", "personeelsnr*", "personeelsnummer*", "lidnr*", "lidnummer*", "lidmaatschapsnummer"),
        Row(.number, "cs", "osobní číslo", "os číslo", "os č"),
        Row(.number, "tr", "sicil*"),
        Row(.number, "sv", "anställningsn*", "medlemsn*", "personalnummer"),
        Row(.number, "da", "medarbejdern*", "medlemsn*", "lønnummer"),
        Row(.number, "ru", "табельн*", "таб номер", "табномер"),
        Row(.number, "ar", "الرقم الوظيفي", "رقم الموظف", "رقم العضوية"),

        Row(
            .pay, "en", "salary*", "salaries", "wage", "wages", "pay", "bonus*", "iban", "bic", "swift code", "bank",
            "banks", "bankname", "bankaccount*",
            "hourly rate", "daily rate", "day rate", "billable rate", "cost rate", "tax", "taxes", "taxable",
            "compensation", "remuneration", "earnings", "income", "stipend*", "=gross", "gross amount", "net amount",
            "credit card*", "card number", "account number", "account no", "routing number", "sort code",
            "donation*", "donor*", "pension*", "garnishment*", "=paid", "amount paid", "amount due", "balance due"),
        Row(
            .pay, "de", "Gehalt*", "*gehalt", "Gehälter", "Lohn*", "*lohn", "Entgelt*", "*entgelt", "Vergütung*",
            "Besoldung*", "Bezüge", "Tarifgruppe*", "TrfGr*", "Stundensatz*", "Tagessatz*", "Eingruppierung*",
            "Kontonr*", "Kontonummer*", "Kontoinhab*", "Bankverb*", "Bank", "Bankname", "Bankleitzahl", "Steuer",
            "Steuern", "Steuerklasse*", "Steuernr*", "Steuernummer*", "Steueridentifik*", "Steuer-ID*", "Steuerfrei*",
            "Kinderfreibetrag*", "Rentenvers*", "Mitgliedsbeitrag*", "=Beitrag", "*betrag", "SEPA*", "Lastschrift*",
            "Mandatsreferenz*", "=brutto", "=netto"),
        Row(
            .pay, "fr", "salaire*", "rémunération*", "taux horaire", "impôt", "impôts", "numéro fiscal", "rib",
            "traitement brut", "indice majoré", "cotisation*", "=brut"),
        Row(
            .pay, "es", "salari*", "sueldo*", "nómina*", "tarifa hora", "tarifa por hora", "impuesto*", "IRPF",
            "retribución*", "cuenta bancaria", "banco", "haberes", "remuneración*"),
        Row(.pay, "ko", "급여", "연봉", "월급", "계좌", "시급", "세금", "소득세", "은행", "성과급", "호봉"),
        Row(
            .pay, "ja", "給与", "給料", "年収", "月給", "口座", "時給", "税金", "所得税", "住民税", "税区分", "銀行", "賞与", "報酬", "賃金"),
        Row(
            .pay, "zh", "工资", "薪资", "薪資", "薪酬", "薪水", "月薪", "年薪", "银行", "銀行", "时薪", "時薪", "税号", "稅號", "个税",
            "个人所得税", "纳税", "納稅", "奖金", "獎金", "开户行", "账号", "卡号"),
        Row(
            .pay, "pt", "salári*", "remuneração*", "vencimento*", "ordenado*", "banco", "conta bancária",
            "chave pix", "=pix", "bônus"),
        Row(
            .pay, "it", "stipendi*", "retribuzion*", "salari*", "banca", "conto corrente", "=ral", "compenso",
            "compensi"),
        Row(.pay, "nl", "salaris*", "loon", "loonschaal", "uurloon", "uurtarief", "rekeningnummer", "bankrekening*"),
        Row(.pay, "pl", "wynagrodzeni*", "pensja", "płaca", "stawka", "konto bankowe", "numer konta", "podat*"),
        Row(.pay, "cs", "mzda", "mzdy", "plat", "platová*", "platový*", "odměn*", "číslo účtu", "bankovní účet"),
        Row(.pay, "tr", "maaş*", "ücret*", "banka*", "vergi*"),
        Row(.pay, "sv", "=lön", "löner", "lönegrupp", "månadslön", "timlön", "bankkonto*", "kontonummer", "skatt*"),
        Row(.pay, "da", "=løn", "lønninger", "månedsløn", "timeløn", "bankkonto*", "kontonummer", "skat", "skatter"),
        Row(.pay, "ru", "зарплат*", "оклад*", "заработн*", "банк", "банковск*", "расчетный счет", "номер счета"),
        Row(.pay, "ar", "الراتب", "راتب", "الأجر", "الحساب البنكي", "البنك"),

        Row(
            .leave, "en", "vacation*", "holiday entitlement", "holiday allowance", "annual leave", "sick*",
            "parental leave", "maternity leave", "paternity leave", "leave balance", "leave days", "leave taken",
            "days off*", "days absent", "time off", "absence*", "pto", "on leave"),
        Row(
            .leave, "de", "Urlaub*", "*urlaub", "*urlaubstage", "Krankenstand*", "Krankentage*", "Krankmeld*",
            "Fehltage*",
            "Abwesenheit*", "Elternzeit*", "Überstunden*", "Fehlzeiten*"),
        Row(.leave, "fr", "congé*", "arrêt maladie", "absences", "rtt"),
        Row(.leave, "es", "vacaciones", "baja médica", "días libres", "ausencias"),
        Row(.leave, "ko", "연차", "휴가", "병가", "휴직"),
        Row(.leave, "ja", "有給", "休暇", "病欠", "欠勤", "休職"),
        Row(.leave, "zh", "年假", "病假", "休假", "请假", "請假"),
        Row(.leave, "pt", "férias", "licença médica", "faltas"),
        Row(.leave, "it", "ferie", "malattia", "permessi", "assenze"),
        Row(.leave, "nl", "verlof*", "vakantiedagen", "ziekteverzuim", "verzuim"),
        Row(.leave, "pl", "urlop*", "zwolnienie lekarskie"),
        Row(.leave, "cs", "dovolen*", "nemocensk*"),
        Row(.leave, "tr", "izin*", "yıllık izin"),
        Row(.leave, "sv", "semesterdagar", "sjukfrånvaro", "frånvaro"),
        Row(.leave, "da", "ferie", "feriedage", "sygefravær", "fravær"),
        Row(.leave, "ru", "отпуск*", "больничн*"),
        Row(.leave, "ar", "الإجازات", "إجازة"),
    ]
}
