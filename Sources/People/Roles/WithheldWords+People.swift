// What is nobody's business but the person's own, and what only programs need.

extension WithheldWords {
    static let body = [
        Row(
            .birth, "en", "birth*", "*birthday", "dob", "date birth", "year birth", "place birth", "=born", "age",
            "ages", "bday"),
        Row(.birth, "de", "Geburts*", "Geb", "geboren", "Alter", "Jahrgang", "Tauf*"),
        Row(.birth, "fr", "naissance", "anniversaire", "âge", "né le", "née le"),
        Row(.birth, "es", "nacimiento", "cumpleaños", "edad", "nac"),
        Row(.birth, "ko", "생년", "생일", "나이", "연령", "출생"),
        Row(.birth, "ja", "生年月日", "誕生日", "年齢", "生まれ"),
        Row(.birth, "zh", "出生", "生日", "年龄", "年齡"),
        Row(.birth, "pt", "nascimento", "aniversário", "idade", "nasc"),
        Row(.birth, "it", "nascita", "compleanno", "=età", "nato il", "nata il"),
        Row(.birth, "nl", "geboort*", "verjaardag*", "leeftijd", "geboren"),
        Row(.birth, "pl", "urodz*", "wiek"),
        Row(.birth, "cs", "narozen*", "věk"),
        Row(.birth, "tr", "doğum*", "yaş"),
        Row(.birth, "sv", "föd*", "ålder"),
        Row(.birth, "da", "fød*", "alder"),
        Row(.birth, "ru", "рожден*", "возраст"),
        Row(.birth, "ar", "ميلاد", "العمر"),

        Row(
            .health, "en", "disability", "disabilities", "disabled", "health insurance", "health status",
            "health condition*", "health notes", "medical notes", "medical condition*", "medical certificate",
            "medical history", "medical info*", "medical record*", "medical exam*", "medication*", "illness*",
            "disease*", "diagnos*", "allerg*", "blood*", "vaccin*", "diet", "diets", "dietary*", "food restriction*",
            "handicap*", "covid*", "pregnan*", "insurance no", "insurance number", "accommodations needed"),
        Row(
            .health, "de", "Krankenkasse*", "Krankenvers*", "Krankengeld*", "Krankheit*", "Behinder*",
            "Schwerbehinder*", "Allerg*", "Blutgruppe*", "Impf*", "Unverträglichkeit*", "Ernährung*", "Essenswunsch*",
            "Gesundheit", "Gesundheitszustand", "Attest", "Pflegegrad"),
        Row(
            .health, "fr", "handicap*", "RQTH", "allerg*", "maladie*", "certificat médical", "visite médicale",
            "groupe sanguin", "régime alimentaire", "mutuelle", "santé"),
        Row(
            .health, "es", "discapacidad", "minusvalía", "alergia*", "enfermedad*", "grupo sanguíneo", "dieta",
            "salud", "obra social"),
        Row(.health, "ko", "장애", "알레르기", "알러지", "질병", "건강", "혈액형"),
        Row(.health, "ja", "障害", "障がい", "アレルギー", "病歴", "既往", "健康", "血液型", "持病"),
        Row(.health, "zh", "残疾", "殘疾", "过敏", "過敏", "疾病", "健康", "血型", "病史"),
        Row(.health, "pt", "deficiência", "alergia*", "doença*", "tipo sanguíneo", "saúde"),
        Row(.health, "it", "disabilità", "allergi*", "gruppo sanguigno", "certificato medico", "invalidità"),
        Row(.health, "nl", "allergie*", "ziekte*", "handicap", "dieet*", "bloedgroep", "zorgverzekering*"),
        Row(.health, "pl", "niepełnosprawn*", "alergi*", "choroba", "grupa krwi"),
        Row(.health, "cs", "postižen*", "alergi*", "nemoc*", "zdravotní pojišťovna", "krevní skupina"),
        Row(.health, "tr", "engelli*", "engel durumu", "alerji*", "hastalık*", "kan grubu"),
        Row(.health, "sv", "allergi*", "sjukdom*", "funktionsnedsättning", "specialkost"),
        Row(.health, "da", "allergi*", "sygdom*", "handicap"),
        Row(.health, "ru", "инвалид*", "аллерг*", "болезн*", "группа крови", "здоровь*"),
        Row(.health, "ar", "إعاقة", "حساسية", "فصيلة الدم", "الصحة"),

        Row(
            .family, "en", "emergency contact*", "emergency number*", "emergency phone", "emergency name",
            "next kin", "marital*", "civil status", "spouse*", "husband", "wife", "=partner", "partner name",
            "children", "kids", "dependents", "dependants", "guardian*", "mother*", "father*", "=parents",
            "parent name", "maiden name", "=anniversary", "wedding*", "=relation", "=relations", "=relationship",
            "relation value", "relation label", "relation type", "siblings"),
        Row(
            .family, "de", "Notfall*", "Familienstand*", "Ehepartner*", "Ehefrau", "Ehemann", "Ehegatt*", "=Partner",
            "Kinder", "Kinderzahl", "Geburtsname*", "Mädchenname", "Angehörige*", "Erziehungsberechtigt*",
            "=Jahrestag", "Eltern"),
        Row(
            .family, "fr", "contact urgence", "personne à contacter", "personne à prévenir", "situation familiale",
            "état civil", "conjoint*", "époux", "épouse", "enfants", "nom de jeune fille", "nom de naissance",
            "situation matrimoniale"),
        Row(
            .family, "es", "contacto emergencia", "estado civil", "cónyuge", "esposa", "esposo", "hijos",
            "situación familiar"),
        Row(.family, "ko", "비상 연락", "혼인", "결혼", "배우자", "가족", "자녀", "보호자"),
        Row(.family, "ja", "緊急連絡", "婚姻", "配偶者", "扶養", "家族", "続柄", "保護者"),
        Row(.family, "zh", "紧急联系", "緊急聯絡", "婚姻", "配偶", "家属", "子女", "监护人"),
        Row(
            .family, "pt", "contato emergência", "contacto emergência", "estado civil", "cônjuge", "filhos", "nome mãe"),
        Row(.family, "it", "contatto emergenza", "stato civile", "coniuge", "figli"),
        Row(.family, "nl", "noodcontact*", "burgerlijke staat", "echtgen*", "kinderen", "meisjesnaam"),
        Row(.family, "pl", "stan cywilny", "małżon*", "dzieci", "nazwisko panieńskie", "kontakt awaryjny"),
        Row(.family, "cs", "rodinný stav", "manžel*", "děti", "rodné příjmení"),
        Row(.family, "tr", "medeni*", "eşi", "çocuk*", "acil durum*"),
        Row(.family, "sv", "civilstånd", "anhörig*", "nödkontakt"),
        Row(.family, "da", "civilstand", "ægtefælle", "pårørende"),
        Row(.family, "ru", "семейн*", "супруг*", "дети", "экстренн*"),
        Row(.family, "ar", "الحالة الاجتماعية", "الزوج", "عدد الأطفال"),
    ]

    static let origin = [
        Row(
            .origin, "en", "gender", "sex", "sexual orientation", "religion*", "religious*", "=faith", "nationality",
            "nationalities", "citizen*", "ethnic*", "=race", "race ethnic*", "race ethnicity", "caste",
            "veteran status", "trade union", "union member*", "immigration*"),
        Row(
            .origin, "de", "Geschlecht*", "Konfession*", "Religion*", "Staatsangeh*", "Staatsbürger*",
            "Nationalität*", "Ethni*", "=Herkunft", "Gewerkschaft*"),
        Row(.origin, "fr", "sexe", "=genre", "religion", "nationalité", "citoyenneté", "ethni*", "syndicat"),
        Row(
            .origin, "es", "sexo", "=género", "religión", "nacionalidad", "ciudadanía", "etnia", "etnicidad",
            "sindicato"),
        Row(.origin, "ko", "성별", "종교", "국적", "민족"),
        Row(.origin, "ja", "性別", "宗教", "国籍", "民族"),
        Row(.origin, "zh", "性别", "性別", "宗教", "国籍", "國籍", "民族"),
        Row(.origin, "pt", "sexo", "=gênero", "=género", "religião", "nacionalidade", "naturalidade", "etnia", "raça"),
        Row(.origin, "it", "sesso", "=genere", "religione", "nazionalità", "cittadinanza", "etnia"),
        Row(.origin, "nl", "geslacht*", "godsdienst", "religie", "nationaliteit", "etniciteit"),
        Row(.origin, "pl", "płeć", "wyznanie", "narodowość", "obywatelstwo"),
        Row(.origin, "cs", "pohlaví", "vyznání", "národnost", "občanství", "státní příslušnost"),
        Row(.origin, "tr", "cinsiyet*", "=din", "uyruk", "uyruğu", "etnik*"),
        Row(.origin, "sv", "kön", "religion", "nationalitet", "medborgarskap", "etnicitet"),
        Row(.origin, "da", "køn", "religion", "nationalitet", "statsborgerskab", "etnicitet"),
        Row(.origin, "ru", "пол", "религия", "гражданство", "национальность", "вероисповедание"),
        Row(.origin, "ar", "الجنس", "الديانة", "الدين"),
    ]

    static let papers = [
        Row(
            .papers, "en", "ssn", "social security*", "national id*", "national insurance*", "nino", "itin", "tax id",
            "taxpayer*", "passport*", "id card", "identity card", "identity no", "identity number", "aadhaar*",
            "pan no", "pan number", "sin number", "bsn", "work permit", "visa", "residence permit",
            "driver license*", "drivers license*", "driver s license*", "driving licence*", "driving license*",
            "driver licence*", "license plate", "licence plate", "number plate", "car license", "signature*"),
        Row(
            .papers, "de", "Ausweis*", "Personalausweis*", "Reisepass*", "Pass-Nr", "Passnummer",
            "Sozialvers*", "SV-Nummer", "SV-Nr", "AHV*", "Steuer-ID*", "Führerschein*", "Kennzeichen",
            "Aufenthaltstitel*", "Arbeitserlaubnis*", "Unterschrift*"),
        Row(
            .papers, "fr", "sécurité sociale", "n sécu", "no sécu", "numéro sécu", "insee", "=nir",
            "carte identité", "passeport*", "permis conduire", "=permis", "titre séjour", "immatriculation",
            "signature*"),
        Row(
            .papers, "es", "DNI", "NIE", "NIF", "CURP", "=RFC", "=RUT", "cédula", "pasaporte*", "seguridad social",
            "afiliación", "carnet conducir", "licencia conducir", "matrícula"),
        Row(.papers, "ko", "주민등록", "주민번호", "여권", "운전면허", "서명"),
        Row(.papers, "ja", "マイナンバー", "旅券", "パスポート", "運転免許", "保険証", "保険者番号", "雇用保険", "署名"),
        Row(.papers, "zh", "身份证", "身份證", "证件号", "證件號", "护照", "護照", "驾照", "駕照", "社保", "公积金", "签名", "簽名"),
        Row(
            .papers, "pt", "CPF", "=RG", "CNPJ", "=PIS", "NIF", "NISS", "cartão cidadão", "passaporte", "=CNH",
            "assinatura"),
        Row(.papers, "it", "codice fiscale", "cod fiscale", "=CF", "carta identità", "passaporto", "patente"),
        Row(
            .papers, "nl", "BSN*", "burgerservicenummer", "sofinummer", "paspoort*", "rijbewijs*", "kenteken",
            "handtekening"),
        Row(.papers, "pl", "PESEL", "=NIP", "dowód osobisty", "dowodu", "paszport*", "prawo jazdy", "podpis"),
        Row(.papers, "cs", "rodné číslo", "číslo op", "občanský průkaz", "pas číslo", "řidičsk*", "podpis"),
        Row(.papers, "tr", "TC kimlik*", "kimlik*", "TCKN", "pasaport*", "SGK*", "ehliyet*", "imza"),
        Row(.papers, "sv", "personnummer*", "personnr", "pass nummer", "körkort*", "underskrift"),
        Row(.papers, "da", "CPR*", "personnummer*", "pas nummer", "kørekort*", "underskrift"),
        Row(.papers, "ru", "паспорт*", "СНИЛС", "ИНН", "водительск*", "подпись"),
        Row(.papers, "ar", "رقم الهوية", "الهوية الوطنية", "جواز", "رخصة القيادة", "التوقيع"),
    ]

    static let secrets = [
        Row(
            .secret, "en", "*password*", "passwd", "passwords", "pwd", "=pass", "user pass", "passphrase", "passcode",
            "=pin", "pin code", "*token", "*tokens", "*secret", "*secrets", "=salt", "*salt password", "password salt",
            "user salt", "*hash", "*hashes", "hashed*", "api key*", "apikey*", "access key*", "private key*",
            "public key", "ssh key*", "sshkey*", "secret key*", "activation key", "reset key", "auth key",
            "authentication key", "session id", "session key", "session data", "cookie*", "csrf*", "credential*",
            "otp", "totp", "backup codes", "recovery code*", "verification code", "security question*",
            "security answer*", "encrypted*"),
        Row(.secret, "de", "*passwort*", "*kennwort*", "Geheim*", "Zugangsdaten", "Zugangscode", "Schlüsselwort"),
        Row(.secret, "fr", "mot passe", "mdp", "jeton", "clé api"),
        Row(.secret, "es", "contraseña*", "=clave", "clave acceso"),
        Row(.secret, "ko", "비밀번호", "암호", "토큰"),
        Row(.secret, "ja", "パスワード", "暗証番号", "トークン"),
        Row(.secret, "zh", "密码", "密碼", "口令", "令牌"),
        Row(.secret, "pt", "senha*", "palavra passe"),
        Row(.secret, "it", "=parola ordine"),
        Row(.secret, "nl", "wachtwoord*", "pincode"),
        Row(.secret, "pl", "hasło", "hasla"),
        Row(.secret, "cs", "heslo"),
        Row(.secret, "tr", "şifre*", "parola"),
        Row(.secret, "sv", "lösenord*"),
        Row(.secret, "da", "adgangskode*", "kodeord*"),
        Row(.secret, "ru", "пароль*", "токен*"),
        Row(.secret, "ar", "كلمة المرور", "كلمة السر", "الرقم السري"),

        Row(
            .account, "en", "suspended at", "suspended", "last login*", "last logon*", "last sign*", "last seen*",
            "last activity", "last active*", "last access*", "login count", "sign count", "sign in", "failed login*",
            "failed attempts", "two factor*", "2fa", "2sv", "mfa*", "=ip", "ip address*",
            "login ip", "last ip", "client ip", "remote ip", "user agent", "=dn", "distinguished name", "ldap dn",
            "sam account*", "samaccountname", "user principal name", "userprincipalname", "upn", "object guid",
            "objectguid", "guid", "uuid", "object sid", "objectsid", "=sid", "object id", "external id",
            "proprietary id", "network id", "user id", "account id", "login id", "contact id", "record id",
            "=identifier", "user account control", "lastlogindate", "lastlogontimestamp"),
        Row(.account, "de", "letzte Anmeldung", "letzter Login", "letzter Zugriff", "zuletzt angemeldet", "gesperrt"),
        Row(.account, "fr", "dernière connexion", "adresse ip"),
        Row(.account, "es", "último acceso", "última conexión", "dirección ip"),
        Row(.account, "ko", "최근 로그인", "마지막 로그인"),
        Row(.account, "ja", "最終ログイン"),
        Row(.account, "zh", "最后登录", "最後登入"),
    ]

    static let remarks = [
        Row(
            .remark, "en", "notes", "note", "comment", "comments", "remark", "remarks", "disciplinary*",
            "performance rating*", "performance review*", "termination reason"),
        Row(
            .remark, "de", "Bemerkung*", "Notiz", "Notizen", "Kommentar", "Kommentare", "Anmerkung*", "Vermerk*",
            "Beurteilung*"),
        Row(.remark, "fr", "remarque*", "commentaire*", "observations", "notes"),
        Row(.remark, "es", "notas", "comentario*", "observacion*", "observaciones"),
        Row(.remark, "ko", "비고", "코멘트", "메모"),
        Row(.remark, "ja", "備考", "コメント", "メモ"),
        Row(.remark, "zh", "备注", "備註", "评论", "評論"),
        Row(.remark, "pt", "observaç*", "notas", "comentário*"),
        Row(.remark, "it", "osservazion*", "commenti", "=note"),
        Row(.remark, "nl", "opmerking*", "notitie*", "aantekening*"),
        Row(.remark, "pl", "uwagi", "notatk*", "komentarz*"),
        Row(.remark, "cs", "poznámk*", "komentář*"),
        Row(.remark, "tr", "açıklama", "notlar", "yorum*"),
        Row(.remark, "sv", "anteckning*", "kommentar*", "anmärkning*"),
        Row(.remark, "da", "bemærkning*", "noter", "kommentar*"),
        Row(.remark, "ru", "примечан*", "комментар*", "заметк*"),
        Row(.remark, "ar", "ملاحظات"),

        // Those of an address book's owner, not of the person.
        Row(
            .label, "en", "=categories", "=labels", "=group membership"),
        Row(.label, "de", "=Kategorien", "=Stichwörter"),
        Row(.label, "fr", "=catégories", "=étiquettes"),
        Row(.label, "es", "=categorías", "=etiquetas"),
        Row(.label, "nl", "=categorieën"),
        Row(.label, "pt", "=categorias"),
        Row(.label, "ja", "=分類", "=分類項目"),
    ]

    /// Columns that name colleagues. Addresses, numbers and accounts in them are not shown.
    static let colleagues = [
        Row(
            .colleague, "en", "manager", "managers", "supervisor*", "reports to", "reporting to", "boss", "assistant",
            "assistants", "secretary", "buddy", "mentor", "deputy", "delegate"),
        Row(
            .colleague, "de", "Vorgesetzt*", "Führungskraft", "Assistenz", "Assistent*", "Stellvertret*", "Vertretung",
            "Chef", "Chefin"),
        Row(.colleague, "fr", "supérieur*", "assistante", "suppléant*", "responsable hiérarchique"),
        Row(.colleague, "es", "jefe", "jefa", "superior", "asistente", "suplente"),
        Row(.colleague, "ko", "상사", "관리자"),
        Row(.colleague, "ja", "上司", "上長"),
        Row(.colleague, "zh", "上级", "上級", "直属领导"),
        Row(.colleague, "pt", "chefe", "gestor", "gestora"),
        Row(.colleague, "it", "superiore", "capo", "assistente"),
        Row(.colleague, "nl", "leidinggevende*", "chef"),
        Row(.colleague, "pl", "przełożon*", "kierownik"),
        Row(.colleague, "cs", "nadřízen*", "vedoucí"),
        Row(.colleague, "tr", "yönetici*", "amir"),
        Row(.colleague, "sv", "chef", "närmaste chef"),
        Row(.colleague, "da", "chef", "leder", "nærmeste leder"),
        Row(.colleague, "ru", "руководител*", "начальник*"),
        Row(.colleague, "ar", "المدير"),
    ]

    /// Numbers and codes of persons.
    static let products = [
        Product(
            .number, "en",
            [
                "personnel", "pers", "personal", "person", "employee", "employees", "employment", "emp", "staff",
                "worker",
                "associate", "payroll", "position", "member", "membership", "student", "pupil", "patient", "client",
                "customer", "donor", "volunteer", "player", "contractor", "crew", "teacher", "faculty", "candidate",
                "license", "licence", "registration", "hr", "clock",
            ],
            ["no", "nos", "number", "num", "nr", "nbr", "#", "id", "ids", "code", "identifier", "key"]),
        Product(
            .number, "de",
            [
                "personal", "personen", "pers", "mitarbeiter", "mitarbeiterinnen", "mitarb", "ma", "mitglied",
                "mitglieds", "mitgl", "angestellten", "arbeitnehmer", "beschäftigten", "schüler", "studenten",
                "matrikel",
                "patienten", "kunden", "lohn", "stamm", "spieler", "lizenz", "pass", "bediensteten", "versicherten",
            ],
            ["nr", "nummer", "no", "id", "code", "kennung", "ziffer", "schlüssel", "kürzel", "#"]),
        Product(
            .number, "fr",
            [
                "employé", "employés", "salarié", "salariés", "agent", "agents", "personnel", "adhérent", "membre",
                "étudiant", "élève",
                "patient", "client", "collaborateur", "licence", "licencié", "affiliation",
            ],
            ["no", "n", "nº", "num", "numéro", "id", "identifiant", "code", "#"]),
        Product(
            .number, "es",
            [
                "empleado", "empleados", "trabajador", "personal", "socio", "socia", "miembro", "alumno",
                "estudiante", "paciente", "cliente", "funcionario", "nómina", "afiliación", "colegiado",
            ],
            ["no", "n", "num", "número", "id", "código", "cód", "clave", "identificador", "#"]),
        Product(
            .number, "ko", ["사원", "직원", "회원", "학생", "환자", "인사", "임직원"], ["번호", "코드", "ID", "아이디"]),
        Product(
            .number, "ja", ["社員", "従業員", "職員", "会員", "学生", "学籍", "患者", "人事", "スタッフ", "個人"],
            ["番号", "コード", "ID", "No", "ナンバー"]),
        Product(
            .number, "zh", ["员工", "員工", "职工", "職工", "人员", "人員", "会员", "會員", "学生", "學生", "工作", "患者"],
            ["编号", "編號", "号码", "號碼", "号", "代码", "代碼", "ID"]),
        Product(
            .number, "pt",
            [
                "funcionário", "funcionários", "colaborador", "empregado", "servidor", "sócio", "membro", "aluno",
                "trabalhador",
            ],
            ["no", "n", "num", "número", "id", "código", "cód", "mecanográfico", "#"]),
        Product(
            .number, "it",
            ["dipendente", "dipendenti", "personale", "socio", "studente", "paziente", "tessera", "cliente"],
            ["no", "n", "num", "numero", "id", "codice", "cod", "#"]),
        Product(
            .number, "nl",
            [
                "personeel", "personeels", "medewerker", "medewerkers", "werknemer", "werknemers", "lid", "leden",
                "student", "studenten", "leerling", "leerlingen",
            ],
            ["nr", "nummer", "id", "code", "#"]),
        Product(
            .number, "pl",
            [
                "pracownika", "pracowniczy", "pracownik", "osobowy", "członka", "członkowski", "studenta",
                "legitymacji", "ewidencyjny",
            ],
            ["nr", "numer", "id", "kod", "#"]),
        Product(
            .number, "cs", ["zaměstnance", "zaměstnanecké", "osobní", "člena", "členské", "studenta"],
            ["č", "číslo", "id", "kód", "#"]),
        Product(
            .number, "tr", ["personel", "çalışan", "üye", "öğrenci", "sicil", "hasta"],
            ["no", "numarası", "numara", "id", "kodu", "#"]),
        Product(
            .number, "sv", ["anställnings", "anställd", "medlems", "medlem", "personal", "student", "elev"],
            ["nr", "nummer", "id", "kod", "#"]),
        Product(
            .number, "da", ["medarbejder", "ansat", "medlems", "medlem", "løn", "elev", "studie"],
            ["nr", "nummer", "id", "kode", "#"]),
        Product(
            .number, "ru", ["сотрудника", "табельный", "табеля", "работника", "члена", "студента", "личный"],
            ["номер", "n", "no", "код", "id"]),
        Product(.number, "ar", ["الموظف", "موظف", "العضو", "الطالب"], ["رقم", "كود"]),
        // Homes
        Product(
            .home, "en", ["home", "private", "residential", "permanent", "mailing"],
            ["city", "town", "state", "country", "region", "county", "place", "location", "state province"]),
    ]
}
