import Testing

@testable import People
@testable import Publishing

/// The commonest headings of each language, each alone in a file.
@Suite("Headings in nineteen languages")
struct LanguageTests {
    /// A language, its headings of roles, and those of columns that readers do not see.
    struct Row: CustomTestStringConvertible, Sendable {
        var language: String
        var roles: [(String, FieldRole)]
        var withheld: [String]

        var testDescription: String { language }
    }

    static let rows = [
        Row(
            language: "en",
            roles: [
                ("Employee Name", .name), ("Worker", .name), ("What is your full name?", .name),
                ("Last name, First name", .name), ("First Name [Required]", .firstName), ("Family name", .lastName),
                ("2. Preferred name", .name), ("Legal Name - Last Name", .lastName), ("STAFF_MEMBER_NAME", .name),
                ("user.name.givenName", .firstName), ("Business Title", .title), ("Job Title Description", .title),
                ("Which team are you in?", .department), ("Supervisory Organization", .department),
                ("Office location", .location), ("Date of Joining", .joined), ("Company Name", .organization),
                ("COMPANYNAME", .organization), ("Home Department", .department), ("Work Country", .country),
            ],
            withheld: ["D.O.B.", "NHS number", "Pay rate", "Cell no.", "Next of kin", "Badge no."]),
        Row(
            language: "de",
            roles: [
                ("Nachname, Vorname", .name), ("Vor- und Nachname", .name), ("Mitarbeitername", .name),
                ("Wie heißt du?", .name), ("Rufname", .firstName), ("Familienname", .lastName),
                ("Stellenbezeichnung", .title), ("Organisationseinheit", .department),
                ("Abteilung / Bereich", .department), ("Dienstort", .location), ("Niederlassung", .location),
                ("Arbeitgeber", .organization), ("Eintrittsdatum (TT.MM.JJJJ)", .joined), ("Mitglied seit", .joined),
                ("Passbild", .photo), ("Land/Region geschäftlich", .country),
            ],
            withheld: ["Pers.-Nr.", "Konto", "Anrede", "Geb.-Dat.", "Matrikelnummer", "Stundenlohn"]),
        Row(
            language: "fr",
            roles: [
                ("NOM Prénom", .name), ("Nom complet", .name), ("Prénom de l'élu", .firstName),
                ("Nom de famille", .lastName), ("Intitulé du poste", .title), ("Quelle est votre fonction ?", .title),
                ("Libellé du service", .department), ("Lieu de travail", .location), ("Employeur", .organization),
                ("Date d'arrivée", .joined), ("Pays", .country), ("Portrait", .photo),
            ],
            withheld: ["Civilité", "Date de naiss.", "Ligne directe", "Matricule"]),
        Row(
            language: "es",
            roles: [
                ("Apellidos y nombre", .name), ("Nombre completo", .name), ("¿Cuál es tu nombre?", .name),
                ("Primer apellido", .lastName), ("Puesto de trabajo", .title), ("Unidad organizativa", .department),
                ("Centro de trabajo", .location), ("Razón social", .organization), ("F. alta", .joined),
                ("País o región del trabajo", .country),
            ],
            withheld: ["Nº empleado", "F. nacimiento", "DNI", "Teléfono móvil"]),
        Row(
            language: "ko",
            roles: [
                ("직원명", .name), ("성 명", .name), ("직책", .title), ("소속부서", .department), ("근무지", .location),
                ("회사명", .organization), ("입사일자", .joined), ("자기소개", .about),
            ],
            withheld: ["사번", "생년월일(YYYYMMDD)", "내선번호", "이메일"]),
        Row(
            language: "ja",
            roles: [
                ("社員名", .name), ("氏 名", .name), ("お名前（必須）", .name), ("氏名（カナ）", .reading), ("所属部署", .department),
                ("役職名", .title), ("勤務地", .location), ("会社名", .organization), ("入社年月日", .joined),
            ],
            withheld: ["社員番号", "生年月日", "携帯電話番号", "メールアドレス"]),
        Row(
            language: "zh",
            roles: [
                ("员工姓名", .name), ("姓名", .name), ("部门名称", .department), ("职务", .title), ("工作地点", .location),
                ("工作单位", .organization), ("入职日期", .joined), ("个人简介", .about),
            ],
            withheld: ["工号", "身份证号", "联系电话", "邮箱"]),
        Row(
            language: "pt",
            roles: [
                ("Nome completo", .name), ("Nome do funcionário", .name), ("Sobrenome", .lastName),
                ("Primeiro nome", .firstName), ("Cargo", .title), ("Função", .title), ("Setor", .department),
                ("Lotação", .department), ("Local de trabalho", .location), ("Cidade", .location),
                ("Empresa", .organization), ("Data de admissão", .joined), ("País", .country), ("Foto", .photo),
            ],
            withheld: ["CPF", "Matrícula", "Telemóvel", "Data de nascimento", "Salário"]),
        Row(
            language: "it",
            roles: [
                ("Cognome e nome", .name), ("Nominativo", .name), ("Cognome", .lastName),
                ("Nome del dipendente", .name),
                ("Mansione", .title), ("Qualifica", .title), ("Reparto", .department), ("Ufficio", .department),
                ("Sede di lavoro", .location), ("Città", .location), ("Azienda", .organization),
                ("Data di assunzione", .joined), ("Paese", .country), ("Competenze", .skills), ("Lingue", .languages),
            ],
            withheld: ["Codice fiscale", "Cellulare", "Data di nascita", "Matricola", "Indirizzo"]),
        Row(
            language: "nl",
            roles: [
                ("Naam", .name), ("Volledige naam", .name), ("Naam medewerker", .name), ("Voornaam", .firstName),
                ("Roepnaam", .firstName), ("Achternaam", .lastName), ("Functie", .title), ("Functietitel", .title),
                ("Afdeling", .department), ("Standplaats", .location), ("Vestiging", .location),
                ("Werkgever", .organization), ("Datum in dienst", .joined), ("Land", .country), ("Talen", .languages),
            ],
            withheld: ["Personeelsnummer", "Geboortedatum", "Mobiel", "Postcode", "BSN"]),
        Row(
            language: "pl",
            roles: [
                ("Imię i nazwisko", .name), ("Nazwisko i imię", .name), ("Imię", .firstName), ("Nazwisko", .lastName),
                ("Stanowisko", .title), ("Dział", .department), ("Jednostka organizacyjna", .department),
                ("Miejsce pracy", .location), ("Miasto", .location), ("Firma", .organization),
                ("Data zatrudnienia", .joined), ("Kraj", .country), ("Języki", .languages), ("Zdjęcie", .photo),
            ],
            withheld: ["PESEL", "Telefon służbowy", "Data urodzenia", "Numer pracownika", "Wynagrodzenie"]),
        Row(
            language: "cs",
            roles: [
                ("Jméno a příjmení", .name), ("Příjmení a jméno", .name), ("Příjmení", .lastName), ("Funkce", .title),
                ("Pracovní pozice", .title), ("Oddělení", .department), ("Odbor", .department),
                ("Pracoviště", .location), ("Město", .location), ("Společnost", .organization),
                ("Datum nástupu", .joined), ("Země", .country), ("Jazyky", .languages), ("Fotografie", .photo),
            ],
            withheld: ["Rodné číslo", "Os. číslo", "Mobil", "Datum narození", "Bydliště"]),
        Row(
            language: "tr",
            roles: [
                ("Ad Soyad", .name), ("Adı Soyadı", .name), ("Personel Adı Soyadı", .name), ("Soyadı", .lastName),
                ("Unvan", .title), ("Görevi", .title), ("Departman", .department), ("Birim", .department),
                ("Çalışma yeri", .location), ("Şehir", .location), ("Şirket", .organization),
                ("İşe giriş tarihi", .joined), ("Ülke", .country), ("Fotoğraf", .photo),
            ],
            withheld: ["Sicil No", "T.C. Kimlik No", "Doğum tarihi", "Cep telefonu", "Maaş"]),
        Row(
            language: "sv",
            roles: [
                ("Namn", .name), ("Fullständigt namn", .name), ("Förnamn", .firstName), ("Efternamn", .lastName),
                ("För- och efternamn", .name), ("Befattning", .title), ("Titel", .title), ("Avdelning", .department),
                ("Enhet", .department), ("Arbetsort", .location), ("Kontor", .location), ("Företag", .organization),
                ("Anställningsdatum", .joined), ("Språk", .languages),
            ],
            withheld: ["Personnummer", "Anställningsnummer", "Mobilnummer", "E-post", "Lön"]),
        Row(
            language: "da",
            roles: [
                ("Navn", .name), ("Fulde navn", .name), ("Fornavn", .firstName), ("Efternavn", .lastName),
                ("Stilling", .title), ("Stillingsbetegnelse", .title), ("Afdeling", .department),
                ("Enhed", .department), ("Arbejdssted", .location), ("By", .location), ("Virksomhed", .organization),
                ("Ansættelsesdato", .joined), ("Land", .country), ("Billede", .photo),
            ],
            withheld: ["CPR-nr.", "Medarbejdernummer", "Mobil", "Fødselsdato", "Løn"]),
        Row(
            language: "ru",
            roles: [
                ("ФИО", .name), ("Ф.И.О.", .name), ("ФИО сотрудника", .name), ("Фамилия Имя Отчество", .name),
                ("Фамилия", .lastName), ("Имя", .name), ("Должность", .title), ("Отдел", .department),
                ("Структурное подразделение", .department), ("Город", .location), ("Место работы", .location),
                ("Организация", .organization), ("Дата приёма", .joined), ("Страна", .country), ("Навыки", .skills),
            ],
            withheld: ["Табельный номер", "Дата рождения", "Телефон", "ИНН", "Зарплата"]),
        Row(
            language: "ar",
            roles: [
                ("الاسم", .name), ("الاسم الكامل", .name), ("اسم الموظف", .name), ("الاسم الأول", .firstName),
                ("اسم العائلة", .lastName), ("المسمى الوظيفي", .title), ("الوظيفة", .title), ("القسم", .department),
                ("الإدارة", .department), ("المدينة", .location), ("مكان العمل", .location), ("الشركة", .organization),
                ("تاريخ التعيين", .joined), ("الدولة", .country),
            ],
            withheld: ["رقم الموظف", "رقم الهوية", "تاريخ الميلاد", "البريد الإلكتروني", "الراتب"]),
        Row(
            language: "sk",
            roles: [
                ("Meno", .name), ("Meno a priezvisko", .name), ("Meno zamestnanca", .name), ("Priezvisko", .lastName),
                ("Pracovná pozícia", .title), ("Funkcia", .title), ("Oddelenie", .department), ("Útvar", .department),
                ("Mesto", .location), ("Pracovisko", .location), ("Spoločnosť", .organization),
                ("Dátum nástupu", .joined), ("Krajina", .country), ("Fotografia", .photo),
            ],
            withheld: ["Rodné číslo", "Dátum narodenia", "Vek", "Mobil", "Mzda", "Poznámky"]),
        Row(
            language: "id",
            roles: [
                ("Nama", .name), ("Nama Lengkap", .name), ("Nama Karyawan", .name), ("Nama Depan", .firstName),
                ("Nama Belakang", .lastName), ("Jabatan", .title), ("Pekerjaan", .title), ("Departemen", .department),
                ("Unit Kerja", .department), ("Kota", .location), ("Lokasi Kerja", .location),
                ("Perusahaan", .organization), ("Tanggal Masuk", .joined), ("Negara", .country),
            ],
            withheld: ["NIK", "Tanggal Lahir", "No. HP", "Alamat", "Gaji", "Jenis Kelamin"]),
    ]

    @Test(arguments: rows)
    func headingsAreUnderstood(_ row: Row) {
        for (heading, role) in row.roles {
            #expect(ColumnMeanings(headings: [heading]).roles == [role], "\(heading)")
            #expect(!Withheld.matches(heading: heading), "\(heading)")
        }
        for heading in row.withheld { #expect(Withheld.matches(heading: heading), "\(heading)") }
    }

    @Test func theLanguageOfAFileIsThatOfMostHeadings() {
        for row in Self.rows {
            let headings = row.roles.map(\.0) + row.withheld
            #expect(ColumnMeanings(headings: headings).language == row.language)
        }
    }
}
