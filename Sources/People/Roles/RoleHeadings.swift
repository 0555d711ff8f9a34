/// The headings that determine a column's role.
enum RoleHeadings {
    /// A row of the table: the headings of a role in one language, or in a file format if the language is `nil`.
    struct Row {
        var role: FieldRole
        var language: String?
        /// The headings, in order of preference if the role is in ``ranked``.
        var headings: [String]

        init(_ role: FieldRole, _ language: String?, _ headings: String...) {
            self.role = role
            self.language = language
            self.headings = headings
        }
    }

    /// The roles for which the first heading in a row of the table wins; for other roles the first column wins.
    static let ranked: Set<FieldRole> = [.id, .login, .photo, .website, .reputation]

    static let rows: [Row] = [
        Row(.id, nil, "id", "user id", "uid"),
        Row(.login, "en", "login", "username", "handle", "nick", "nickname", "screen name", "user"),
        Row(.login, "de", "Benutzername", "Anmeldename"),
        Row(.login, "fr", "Identifiant", "Pseudo"),
        Row(.login, "es", "Usuario", "Nombre de usuario"),
        Row(.type, nil, "type", "user type", "account type", "kind"),
        Row(
            .reputation, nil, "reputation", "score", "points", "karma", "contributions", "commits"),
        Row(.hidden, nil, "hidden"),
        Row(.noindex, nil, "noindex"),

        Row(.name, nil, "cn", "fn"),
        Row(.name, "en", "name", "full name", "display name", "real name"),
        Row(.name, "de", "Name", "Anzeigename", "Vor- und Nachname", "Mitarbeiter"),
        Row(.name, "fr", "Nom", "Nom complet", "Nom et prénom", "Prénom et nom"),
        Row(.name, "es", "Nombre completo", "Nombre y apellidos"),
        Row(.name, "ko", "이름", "성명"),
        Row(.name, "ja", "氏名", "名前"),
        Row(.name, "zh", "姓名", "名字"),

        Row(.firstName, nil, "givenName"),
        Row(.firstName, "en", "first name", "given name", "forename"),
        Row(.firstName, "de", "Vorname"),
        Row(.firstName, "fr", "Prénom"),
        Row(.firstName, "es", "Nombre", "Nombres"),
        Row(.firstName, "ko", "명"),
        Row(.firstName, "ja", "名"),
        Row(.firstName, "zh", "名"),

        Row(.lastName, nil, "sn"),
        Row(.lastName, "en", "last name", "surname", "family name"),
        Row(.lastName, "de", "Nachname", "Familienname", "Zuname"),
        Row(.lastName, "fr", "Nom de famille"),
        Row(.lastName, "es", "Apellido", "Apellidos"),
        Row(.lastName, "ko", "성"),
        Row(.lastName, "ja", "姓"),
        Row(.lastName, "zh", "姓"),

        Row(.reading, nil, "SORT-AS"),
        Row(.reading, "en", "phonetic name", "sort name"),
        Row(.reading, "de", "Sortiername"),
        Row(.reading, "ja", "フリガナ", "ふりがな", "よみ", "読み仮名"),
        Row(.reading, "zh", "拼音"),

        Row(.title, nil, "jobTitle", "TITLE", "ROLE"),
        Row(.title, "en", "title", "job title", "position", "role"),
        Row(.title, "de", "Position", "Funktion", "Stelle"),
        Row(.title, "fr", "Poste", "Fonction"),
        Row(.title, "es", "Cargo", "Puesto"),
        Row(.title, "ko", "직책", "직위", "직급"),
        Row(.title, "ja", "役職", "肩書"),
        Row(.title, "zh", "职位", "职务", "職稱"),

        Row(.department, nil, "ou"),
        Row(.department, "en", "department", "dept", "team", "unit"),
        Row(.department, "de", "Abteilung", "Abt.", "Bereich", "Team"),
        Row(.department, "fr", "Service", "Département", "Équipe"),
        Row(.department, "es", "Departamento", "Área", "Equipo"),
        Row(.department, "ko", "부서", "팀"),
        Row(.department, "ja", "部署", "部門", "所属"),
        Row(.department, "zh", "部门", "部門", "团队"),

        Row(.location, nil, "l", "workLocation"),
        Row(.location, "en", "location", "office", "city"),
        Row(.location, "de", "Standort", "Ort", "Stadt", "Büro"),
        Row(.location, "fr", "Ville", "Lieu", "Bureau"),
        Row(.location, "es", "Ubicación", "Ciudad", "Oficina", "Sede"),
        Row(.location, "ko", "지역", "근무지"),
        Row(.location, "ja", "勤務地", "拠点"),
        Row(.location, "zh", "城市", "地点"),

        Row(.country, "en", "country"),
        Row(.country, "de", "Land"),
        Row(.country, "fr", "Pays"),
        Row(.country, "es", "País"),
        Row(.country, "ko", "국가"),
        Row(.country, "ja", "国"),
        Row(.country, "zh", "国家", "國家"),

        Row(.organization, nil, "o", "worksFor", "ORG"),
        Row(.organization, "en", "company", "organization", "organisation"),
        Row(.organization, "de", "Firma", "Unternehmen"),
        Row(.organization, "fr", "Entreprise", "Société"),
        Row(.organization, "es", "Empresa", "Organización"),
        Row(.organization, "ko", "회사"),
        Row(.organization, "ja", "会社", "会社名"),
        Row(.organization, "zh", "公司", "单位", "單位"),

        Row(.skills, nil, "knowsAbout"),
        Row(.skills, "en", "skills", "expertise"),
        Row(.skills, "de", "Kenntnisse", "Fähigkeiten", "Kompetenzen"),
        Row(.skills, "fr", "Compétences"),
        Row(.skills, "es", "Habilidades", "Competencias"),
        Row(.skills, "ko", "기술", "역량"),
        Row(.skills, "ja", "スキル", "専門"),
        Row(.skills, "zh", "技能", "专长", "專長"),

        Row(.languages, "en", "languages"),
        Row(.languages, "de", "Sprachen"),
        Row(.languages, "fr", "Langues"),
        Row(.languages, "es", "Idiomas"),
        Row(.languages, "ko", "언어"),
        Row(.languages, "ja", "言語"),
        Row(.languages, "zh", "语言", "語言"),

        Row(.joined, "en", "joined", "start date", "hired"),
        Row(.joined, "de", "Eintritt", "Eintrittsdatum"),
        Row(.joined, "fr", "Date d'entrée", "Date d'embauche"),
        Row(.joined, "es", "Fecha de ingreso", "Fecha de alta"),
        Row(.joined, "ko", "입사일"),
        Row(.joined, "ja", "入社日"),
        Row(.joined, "zh", "入职日期", "入職日期"),

        Row(
            .photo, nil, "avatar_url", "avatar", "profile image", "picture", "photo", "image", "picture url",
            "photo url", "image url", "jpegPhoto"),
        Row(.photo, "en", "photo"),
        Row(.photo, "de", "Foto", "Bild"),
        Row(.photo, "fr", "Photo"),
        Row(.photo, "es", "Foto"),
        Row(.photo, "ko", "사진"),
        Row(.photo, "ja", "写真"),
        Row(.photo, "zh", "照片", "头像"),

        Row(
            .website, nil, "html_url", "profile", "profile url", "link", "homepage", "website", "website url", "url",
            "sameAs", "labeledURI", "web address"),
        Row(.website, "en", "website"),
        Row(.website, "de", "Webseite", "Website"),
        Row(.website, "fr", "Site web"),
        Row(.website, "es", "Sitio web"),
        Row(.website, "ko", "홈페이지"),
        Row(.website, "ja", "ホームページ"),
        Row(.website, "zh", "网站"),

        Row(.about, nil, "NOTE"),
        Row(.about, "en", "bio", "about", "biography"),
        Row(.about, "de", "Über mich"),
        Row(.about, "fr", "Présentation"),
        Row(.about, "es", "Biografía"),
        Row(.about, "ko", "소개"),
        Row(.about, "ja", "紹介"),
        Row(.about, "zh", "简介"),

        Row(.email, nil, "email"),
        Row(.email, "en", "mail", "email address"),
        Row(.email, "de", "Mailadresse", "E-Mail-Adresse"),
        Row(.email, "fr", "Courriel", "Mél"),
        Row(.email, "es", "Correo", "Correo electrónico"),
        Row(.email, "ko", "이메일", "메일"),
        Row(.email, "ja", "メール", "メールアドレス"),
        Row(.email, "zh", "邮箱", "电子邮件", "電子郵件"),

        Row(.phone, nil, "tel"),
        Row(.phone, "en", "phone", "mobile", "telephone", "phone number"),
        Row(.phone, "de", "Telefon", "Handy", "Mobil", "Telefonnummer"),
        Row(.phone, "fr", "Téléphone", "Portable"),
        Row(.phone, "es", "Teléfono", "Móvil", "Celular"),
        Row(.phone, "ko", "전화", "휴대폰", "연락처"),
        Row(.phone, "ja", "電話", "携帯"),
        Row(.phone, "zh", "电话", "手机", "電話", "手機"),
    ]

    /// The meaning of a normalized heading.
    struct Meaning {
        var role: FieldRole
        /// Among columns with the same role, the one with the lowest rank wins.
        var rank: Int
        var languages: Set<String>
    }

    static let meanings: [String: Meaning] = {
        var meanings: [String: Meaning] = [:]
        for row in rows {
            for (rank, heading) in row.headings.enumerated() {
                let normalized = Heading.normalized(heading)
                let rank = ranked.contains(row.role) && row.language == (row.role == .login ? "en" : nil) ? rank : 0
                var meaning = meanings[normalized] ?? Meaning(role: row.role, rank: rank, languages: [])
                guard meaning.role == row.role else { continue }
                if let language = row.language { meaning.languages.insert(language) }
                meanings[normalized] = meaning
            }
        }
        return meanings
    }()

    /// Names of LDAP and vCard that are too short or too ambiguous to count unless another name of the same format is
    /// present.
    static let contextual: [(names: Set<String>, companions: Set<String>)] = [
        (["o", "l"], ["cn", "sn", "ou", "dn", "objectclass", "labeleduri", "jpegphoto"]),
        (["note"], ["fn"]),
    ]
}
