import Testing

@testable import People
@testable import Publishing

@Suite("Roles of columns by their headings")
struct ColumnRolesTests {
    /// Every phrase of the lexicon, alone in a file: no other word takes its meaning away.
    @Test func everyPhraseOfTheLexiconGivesARole() {
        for head in Lexicon.shared.heads.values.joined() where head.format == nil {
            let heading = head.words.joined(separator: " ")
            var meaning = ColumnMeaning(heading: heading)
            meaning.withheld = []
            let claims = HeadingPhrase(meaning).claims
            #expect(claims.contains { $0.role == head.role } || claims.first?.role == .name, "\(heading)")
        }
    }

    /// What is spaced out or abbreviated is one word, in capitals or not.
    @Test(arguments: ["D.O.B.", "D O B", "d o b", "dob"])
    func initialsAreAWord(_ heading: String) { #expect(Withheld.kinds(of: heading) == [.birth]) }

    @Test(arguments: [
        "full name": FieldRole.name, "Nom complet": .name, "Nombre y apellidos": .name, "성명": .name, "氏名": .name,
        "姓名": .name, "given name": .firstName, "Prénom": .firstName, "PRENOM": .firstName, "Apellido(s)": .lastName,
        "家": nil, "Job_Title": .title, "Fonction": .title, "Puesto": .title, "직책": .title, "肩書": .title, "职务": .title,
        "Équipe": .department, "Área": .department, "팀": .department, "所属": .department, "团队": .department,
        "Büro": .location, "Buro": .location, "Ubicación": .location, "근무지": .location, "勤務地": .location,
        "País": .country,
        "國家": .country, "Société": .organization, "会社名": .organization, "單位": .organization, "Fähigkeiten": .skills,
        "專長": .skills, "Langues": .languages, "語言": .languages, "Date d’embauche": .joined, "Fecha de alta": .joined,
        "入職日期": .joined, "头像": .photo, "Sitio web": .website, "Über mich": .about, "よみ": .reading, "拼音": .reading,
        "jobTitle": .title, "worksFor": .organization, "workLocation": .location, "knowsAbout": .skills,
        "sameAs": .website, "cn": .name, "sn": .lastName, "givenName": .firstName, "ou": .department,
        "jpegPhoto": .photo, "labeledURI": .website, "FN": .name, "ORG": .organization, "ROLE": .title,
        "CATEGORIES": nil, "URL": .website, "SORT-AS": .reading, "o": nil, "l": nil, "note": nil, "hidden": .hidden,
        "noindex": .noindex, "NoIndex": .noindex, "Lieblingsfarbe": nil,
    ])
    func headings(_ heading: String, _ role: FieldRole?) {
        #expect(FieldRole.of(headings: [heading]) == [role])
    }

    @Test func namesBesideAFirstNameAreSurnames() {
        #expect(FieldRole.of(headings: ["Vorname", "Name"]) == [.firstName, .lastName])
        #expect(FieldRole.of(headings: ["Nom", "Prénom"]) == [.lastName, .firstName])
        #expect(FieldRole.of(headings: ["first name", "name", "last name"]) == [.firstName, .name, .lastName])
        #expect(FieldRole.of(headings: ["first name", "name", "full name"]) == [.firstName, .name, nil])
        #expect(FieldRole.of(headings: ["Nom"]) == [.name])
    }

    @Test func partsOfNamesNeedEachOther() {
        #expect(FieldRole.of(headings: ["Nombre", "Apellidos"]) == [.firstName, .lastName])
        #expect(FieldRole.of(headings: ["Nombre", "Cargo"]) == [.name, .title])
        #expect(FieldRole.of(headings: ["姓", "名"]) == [.lastName, .firstName])
        #expect(FieldRole.of(headings: ["名"]) == [.name])
        #expect(FieldRole.of(headings: ["성", "이름"]) == [.lastName, .firstName])
        #expect(FieldRole.of(headings: ["성", "명"]) == [.lastName, .firstName])
    }

    @Test func namesOfFormatsCountOnlyTogether() {
        #expect(
            FieldRole.of(headings: ["dn", "cn", "uid", "o", "l"]) == [nil, .name, .login, .organization, .location])
        #expect(FieldRole.of(headings: ["uid", "name"]) == [.id, .name])
        #expect(FieldRole.of(headings: ["FN", "NOTE"]) == [.name, .about])
    }

    @Test func onlyOneColumnHasARole() {
        #expect(FieldRole.of(headings: ["Office", "City"]) == [.location, nil])
        // In order of preference.
        #expect(FieldRole.of(headings: ["user", "login"]) == [nil, .login])
        #expect(FieldRole.of(headings: ["photo", "avatar_url"]) == [nil, .photo])
    }

    @Test(arguments: [
        (["Vorname", "Nachname", "Position", "Abteilung", "E-Mail", "Gehalt", "Foto"], "de"),
        (["Name", "Title", "Department"], "en"), (["Nom", "Prénom", "Service"], "fr"),
        (["Nombre", "Apellidos", "Cargo"], "es"), (["이름", "부서", "직책", "이메일"], "ko"), (["氏名", "部署", "役職"], "ja"),
        (["姓名", "部门", "职位"], "zh"), (["a", "b"], "und"), (["Gehalt", "Handy"], "de"), ([], "und"),
        (["id", "avatar_url"], "und"),
    ])
    func language(_ headings: [String], _ language: String) {
        #expect(ColumnMeanings(headings: headings).language == language)
    }
}

@Suite("Withheld headings")
struct WithheldTests {
    @Test func numbersOfPersonsAreWithheldInAnyOrder() {
        for heading in ["employee number", "number_of_employee 2", "EmployeeNo", "Nr. Mitarbeiter", "Mitarbeiternr"] {
            #expect(Withheld.kinds(of: heading).contains(.number), "\(heading)")
        }
    }

    @Test(arguments: [
        "Tel. privat", "Home phone", "homePhone", "HOME_PHONE", "E-Mail (privat)", "Contact email", "workemail",
        "Private E-Mail", "Date de naissance (obligatoire)", "Straße und Hausnummer", "비상 연락처", "会社のメールアドレス",
        "緊急電話番号", "员工工资", "Correo electrónico", "correo_electronico", "Tax-ID", "taxId", "Geburts-Datum", "NOTES",
        "Bank account", "age (years)", "mél",
        // Of human resources
        "Personalnr.", "Pers.-Nr.", "Geb.", "Geb.-Datum", "Gehaltsgruppe", "Entgeltgruppe", "Lohn-/Gehaltsstufe",
        "Notfallkontakt", "Notfall-Kontakt", "Krankenkasse", "Krankentage", "SV-Nummer", "SV-Nr.", "Familienstand",
        "Steuerklasse", "Kommentar", "Comment", "Comments", "HR comments", "Emergency contact",
        "emergency_contact_name", "Marital status", "Hourly rate", "Disability", "Behinderung", "Grad der Behinderung",
        "Schwerbehindert", "Schwerbehindertenausweis", "Mobilnr", "Mobil-Nr.", "Urlaubstage", "Tax class",
        "Contact d'urgence", "Situation familiale", "Contacto de emergencia", "Estado civil", "비상연락망", "결혼 여부", "緊急連絡先",
        "障害者手帳", "紧急联系人", "婚姻状况",
        // Numbers of persons
        "Personnel No.", "Pers.No.", "Employee No.", "Emp ID", "EmpID", "emp_no", "Staff number", "STAFF NO",
        "Payroll no.", "Employee #", "Worker ID", "IDNumber", "idnumber", "employeeIdentifier", "SIS User ID",
        "Nº empleado", "N° d'employé", "Numéro d'adhérent", "Código do funcionário", "Matrícula", "Mitglieds-Nr.",
        "Mitgliedernummer", "Mitarbeiter-ID", "직원번호", "従業員コード", "员工编号", "Табельный номер", "Sicil No", "Osobní číslo",
        "Medlemsnummer", "رقم الموظف",
        // Secrets
        "user_pass", "remember_token", "session_tokens", "two_factor_secret", "salt", "password_salt", "api_key",
        "apiKey", "APIKey", "encrypted_password", "passwordHash", "reset_password_token", "user_activation_key",
        "client_secret", "Mot de passe", "Contraseña", "Wachtwoord", "Пароль", "비밀번호", "パスワード", "密码", "كلمة المرور",
        // Accounts
        "suspended_at", "two_factor_authentication", "last_sign_in_ip", "current_sign_in_at", "lastLogin", "has-2fa",
        "2sv Enrolled", "sAMAccountName", "objectGUID", "ldap_dn", "LASTLOGINDATE", "is_superuser", "domain_admin",
        "uniqname", "NetID", "eduPersonPrincipalName eppn", "mkt_consent", "optIn", "terms_of_use_accepted",
        "Einwilligung Fotos",
        // Numbers of offices
        "NumFunc", "NumVinc", "VORG_NR", "id_docente", "Código do professor",
        // Work
        "performans_notu", "Performance score", "Leistungsbeurteilung", "Udmeldelses grund:", "koszt_godziny", "Valor",
        "DS_GENERO", "DS_COR_RACA", "Née", "Né le",
        // Others
        "주소", "병역", "Data ur.", "Nr konta", "Imię ojca", "Motivo baja", "Cta. bancaria", "政治面貌", "Anne Adı",
        "Ziek sinds", "Veteran", "Baptised", "Speaker fee", "Door code", "Pick-up person", "Exit reason",
        "user_nicename", "WhatsApp", "WeChat ID", "微信号", "카카오톡 ID", "Direct line", "LIGNE DIRECTE", "Extension", "내선번호",
        "phone1", "E-mail 2: Adresse", "National ID", "Ethnicity", "Race or Ethnicity", "Gross pay", "Pay grade",
        "Sick leave", "Days off left", "Resturlaub", "Hast du Allergien?", "Dietary needs", "driver's_license_no",
        "Staatsbürgerschaft", "Passport No", "Home City", "Ort privat", "Spouse", "Partner", "Categories", "Kategorien",
        "Signature", "Telefoon",
        // Health
        "Health", "HEALTH", "Medical", "Health issues?", "Mental health", "Gesundheit", "Gesundheitsdaten", "Santé",
        "Salud", "Salute", "Stato di salute", "Saúde", "Gezondheid", "Zdrowie", "Stan zdrowia", "Zdraví", "Sağlık",
        "Hälsa", "Helbred", "Здоровье", "الصحة", "건강", "健康",
        // The end of a contract
        "End date", "Contract end date", "Austritt", "Vertragsende", "Date de sortie", "退職日",
        // Registrations
        "Price", "Ticket price", "Total Paid", "Eventbrite Fees", "Discount code", "Payment status", "Invoice no.",
        "Order ID", "Order Type", "Registration state", "Attendee Status", "Checked in", "Teilnahmegebühr",
        "Rechnungsnr.",
        "Facture", "Precio", "참가비", "参加費", "Approval status", "Transaction ID", "Anmeldegebühr", "회비", "会費",
        "Rodné číslo", "PESEL", "Codice fiscale", "CPF", "Sueldo", "Doğum tarihi", "Дата рождения", "رقم الهاتف",
    ])
    func withheld(_ heading: String) { #expect(Withheld.matches(heading: heading)) }

    @Test(arguments: [
        "Name", "Vorname", "Position", "Abteilung", "Standort", "Kenntnisse", "Eintritt", "Foto", "Page", "Language",
        "Wageningen", "Manager", "Stage", "Mailand", "Telling", "Sexton", "部署", "부서", "职位", "Payload", "Notebook", "",
        "Mobility team", "Mobilität", "Krankenhaus", "Steuerung", "Steuerkreis", "Steuerberater", "Gebäude", "Team",
        "Teamleiter", "Handyman", "Taxonomy", "Personal", "Commenter", "Emergency room", "Status", "Contact", "Rate",
        "税理士", "職場", "Employee Title", "Building ID", "Cost center", "Job code", "Member since", "Payroll Name",
        "Category", "Catégorie", "Home department", "Work City", "Partner company", "Session", "Secretary",
        "Medical specialty", "Design in Rust", "Signing authority", "Class Year", "Grade", "Semester", "Ferien",
        "Skating", "Business IP lawyer", "Signal processing", "Keywords", "Account Name", "Room number", "IDs",
        "Hashtag", "Tokenizer", "Position", "Staff", "Mitglied", "Team Nr.", "Website", "Consultation hours",
        "Organisationseinheit", "Rechnungswesen", "Zahlungsverkehr", "Remise des prix", "Check in desk",
        "Payment systems", "Invoice team", "결제 시스템", "決済チーム", "請求担当", "Ticket", "Ticket Type", "Prix", "Award",
        "Orders", "Order of Merit", "Feedback", "Health Board", "Health & Safety officer", "Gesundheitsamt",
        "name_ne", "party_ne", "Förderung", "NM_CANDIDATO", "DS_CARGO",
        "Registration date",
    ])
    func shown(_ heading: String) { #expect(!Withheld.matches(heading: heading)) }

    /// As macOS writes them.
    @Test func decomposedHeadingsAreKnown() {
        let roles: [String: FieldRole] = [
            "De\u{301}partement": .department, "Bu\u{308}ro": .location,
            "\u{1107}\u{116E}\u{1109}\u{1165}": .department, "Sta\u{301}ndort": .location,
        ]
        for (heading, role) in roles { #expect(FieldRole.of(headings: [heading]) == [role], "\(heading)") }
        for heading in ["Geha\u{308}lter", "Te\u{301}le\u{301}phone prive\u{301}", "Sal\u{301}ary", "x\u{301} Salary"] {
            #expect(Withheld.matches(heading: heading), "\(heading)")
        }
    }
}
