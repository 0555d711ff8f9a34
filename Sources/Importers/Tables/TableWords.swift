import People

/// The words of rows that are not people, by language, folded as ``TableWords/folded(_:)`` says. A word stands for all
/// rows of its kind: whole headings or sentences of one program do not belong here.
enum TableWords {
    /// The words in the place of a name, before the sum, number or average of the rows above.
    static let totals = words([
        "en": "total|totals|grand total|sub total|subtotal|sum|count|average|mean|median|overall|headcount",
        "de": "summe|gesamt|gesamtsumme|zwischensumme|insgesamt|anzahl|durchschnitt|mittelwert|gesamtergebnis",
        "fr": "total general|sous total|somme|nombre|moyenne|effectif",
        "es": "total general|suma|subtotal|recuento|promedio|media|numero de personas",
        "pt": "total geral|soma|contagem|media", "it": "totale|totale generale|somma|conteggio|media|totale parziale",
        "nl": "totaal|subtotaal|som|aantal|gemiddelde|eindtotaal", "pl": "suma|razem|lacznie|liczba|srednia|ogolem",
        "cs": "celkem|soucet|pocet|prumer|mezisoucet", "tr": "toplam|genel toplam|ara toplam|sayi|ortalama",
        "sv": "summa|totalt|antal|medelvarde|delsumma", "da": "sum|i alt|ialt|antal|gennemsnit|subtotal",
        "ru": "итого|всего|сумма|количество|среднее|общий итог", "ar": "المجموع|الاجمالي|العدد|المتوسط",
        "zh": "合计|总计|小计|总数|人数|平均|合計|總計|小計|共计", "ja": "合計|総計|小計|計|人数|平均|総数",
        "ko": "합계|총계|소계|계|인원|평균|총원",
    ])

    /// Those of them that no name begins with.
    static let sums = words([
        "en": "total|totals|grand total|sub total|subtotal|overall",
        "de": "summe|gesamt|gesamtsumme|zwischensumme|insgesamt",
        "fr": "total|sous total|somme", "es": "total|subtotal", "pt": "total", "it": "totale", "nl": "totaal|subtotaal",
        "pl": "razem|lacznie", "cs": "celkem", "tr": "toplam", "sv": "totalt", "da": "i alt|ialt", "ru": "итого|всего",
        "zh": "合计|总计|小计", "ja": "合計|総計|小計", "ko": "합계|총계|소계",
    ])

    /// The whole texts in the place of a name that say that nobody has the post.
    static let vacancies = words([
        "en":
            "vacant|vacancy|vacant post|vacant position|position vacant|open position|to be hired|to be appointed|to be confirmed|to be determined|to be filled|tbd|tba|tbc|tbh|unfilled|not filled|currently vacant|open|new hire",
        "de":
            "n n|nn|unbesetzt|vakant|nicht besetzt|zu besetzen|z zt unbesetzt|derzeit unbesetzt|frei|offen|neu zu besetzen|stelle unbesetzt|in ausschreibung|vakanz",
        "fr": "vacant|vacante|poste vacant|a pourvoir|non pourvu|poste a pourvoir|en cours de recrutement",
        "es": "vacante|puesto vacante|por cubrir|sin cubrir|a cubrir|por designar",
        "pt": "vago|vaga|cargo vago|a designar|por preencher|a contratar",
        "it": "vacante|posto vacante|da nominare|da assegnare|scoperto", "nl": "vacature|vacant|onbezet|openstaand",
        "pl": "wakat|nieobsadzone|nieobsadzony|vacat", "cs": "neobsazeno|volne misto|volna pozice|neobsazene",
        "tr": "bos|bos kadro|munhal|atanacak", "sv": "vakant|obesatt|ledig|tillsatts",
        "da": "ubesat|ledig|ledig stilling|vakant",
        "ru": "вакансия|вакантно|вакант|не занято|свободно", "ar": "شاغر|شاغرة|وظيفة شاغرة",
        "zh": "空缺|空岗|待定|待聘|缺员|空缺岗位|待招聘", "ja": "空席|欠員|未定|募集中|空き", "ko": "공석|결원|미정|채용중|공백",
    ])

    /// The first words of notes above and below tables.
    static let notes = words([
        "en":
            "generated|printed|created|exported|downloaded|produced|prepared|updated|last updated|last update|as of|date|note|notes|source|page|confidential|copyright|report|legend|key|disclaimer|prepared by|end of report|for internal use|internal use only|approved|signature|filters|filtered by|status as of",
        "de":
            "stand|erstellt|gedruckt|erzeugt|generiert|exportiert|quelle|hinweis|hinweise|anmerkung|anmerkungen|seite|vertraulich|legende|aktualisiert|letzte anderung|nur fur den internen gebrauch|unterschrift|datum|anderungen|bearbeiter",
        "fr":
            "genere|imprime|edite|cree|exporte|source|note|notes|remarque|remarques|page|confidentiel|mis a jour|mise a jour|legende|date|etabli",
        "es":
            "generado|impreso|creado|exportado|fuente|nota|notas|pagina|confidencial|actualizado|leyenda|fecha|elaborado",
        "pt": "gerado|impresso|criado|exportado|fonte|nota|notas|pagina|confidencial|atualizado|legenda|data|emitido",
        "it": "generato|stampato|creato|esportato|fonte|nota|note|pagina|riservato|aggiornato|legenda|data",
        "nl": "gegenereerd|afgedrukt|gemaakt|bron|opmerking|pagina|vertrouwelijk|bijgewerkt|datum",
        "pl": "wygenerowano|wydrukowano|zrodlo|uwaga|uwagi|strona|poufne|aktualizacja|data|stan na",
        "cs": "vygenerovano|vytisteno|zdroj|poznamka|poznamky|strana|duverne|aktualizovano|stav k|datum",
        "tr": "olusturuldu|yazdirildi|kaynak|not|sayfa|gizli|guncellendi|tarih",
        "sv": "genererad|utskriven|skapad|kalla|anmarkning|sida|konfidentiellt|uppdaterad|datum",
        "da": "genereret|udskrevet|oprettet|kilde|bemærkning|side|fortroligt|opdateret|dato",
        "ru": "сформировано|напечатано|создано|источник|примечание|страница|конфиденциально|обновлено|дата|отчет",
        "ar": "تاريخ|ملاحظة|المصدر|صفحة|سري",
        "zh": "注|备注|说明|来源|打印|制表|更新|日期|第|生成|机密", "ja": "注|備考|出典|作成|印刷|更新|ページ|社外秘|日付|以上",
        "ko": "주|비고|출처|작성|인쇄|갱신|페이지|대외비|날짜|이상",
    ])

    /// The words for people, behind their number: `2 employees`.
    static let people = words([
        "en":
            "employees|employee|people|persons|members|users|rows|records|entries|contacts|participants|staff|students|results|total",
        "de":
            "mitarbeiter|mitarbeitende|mitarbeiterinnen|personen|mitglieder|benutzer|zeilen|eintrage|datensatze|kontakte|teilnehmer|teilnehmende|beschaftigte",
        "fr": "employes|personnes|membres|utilisateurs|lignes|salaries|agents|participants|enregistrements",
        "es": "empleados|personas|miembros|usuarios|filas|registros|trabajadores|participantes",
        "pt": "funcionarios|pessoas|membros|usuarios|linhas|registros|colaboradores",
        "it": "dipendenti|persone|membri|utenti|righe|iscritti", "nl": "medewerkers|personen|leden|gebruikers|rijen",
        "pl": "pracownikow|osob|osoby|czlonkow", "cs": "zamestnancu|osob|clenu", "tr": "kisi|calisan|uye",
        "sv": "anstallda|personer|medlemmar", "da": "medarbejdere|personer|medlemmer",
        "ru": "сотрудников|человек|записей|участников", "zh": "人|名|位|名员工", "ja": "名|人|件", "ko": "명|건",
    ])

    /// The words of a row under the header that says what its columns may have.
    static let limits = words([
        "en":
            "points possible|max points|maximum|minimum|max|min|limit|required|optional|mandatory|read only|text|string|varchar|number|integer|date|boolean|open ended response|response|example|format|type|data type|dd mm yyyy|mm dd yyyy|yyyy mm dd|eur|usd|gbp|chf",
        "de":
            "pflichtfeld|pflicht|maximal|hochstens|zahl|datum|beispiel|format|datentyp|punkte moglich|max punkte|tt mm jjjj",
        "fr": "obligatoire|facultatif|maximum|texte|nombre|exemple|format|jj mm aaaa",
        "es": "obligatorio|opcional|maximo|texto|numero|ejemplo|formato",
        "pt": "obrigatorio|opcional|maximo|texto|numero|exemplo",
        "it": "obbligatorio|facoltativo|massimo|testo|numero|esempio",
        "nl": "verplicht|optioneel|maximum|tekst|getal|voorbeeld", "zh": "必填|选填|示例|文本|数字", "ja": "必須|任意|例|文字列|数値",
        "ko": "필수|선택|예시|문자|숫자",
    ])

    /// The words for a part of an organization: a row that has nothing but such a phrase begins a section.
    static let units = words([
        "en":
            "department|dept|division|team|unit|group|section|branch|office|faculty|school|institute|administration|management|board|committee|council|resources|hr|it|sales|marketing|finance|accounting|engineering|support|operations|development|research|production|logistics|purchasing|legal|services|service|staff|executive|leadership|communications|security|facilities|warehouse|library|laboratory|lab|students|members|volunteers",
        "de":
            "abteilung|bereich|team|gruppe|referat|dezernat|amt|fachbereich|fakultat|institut|verwaltung|leitung|vorstand|geschaftsfuhrung|vertrieb|technik|personal|einkauf|buchhaltung|finanzen|produktion|entwicklung|forschung|logistik|lager|sekretariat|stabsstelle|sachgebiet|dienst|werkstatt|zentrale|mitglieder|ausschuss|beirat|kollegium",
        "fr":
            "departement|service|direction|equipe|groupe|bureau|unite|pole|secretariat|comptabilite|ventes|achats|informatique|ressources|faculte|institut|comite|conseil",
        "es":
            "departamento|area|equipo|grupo|unidad|direccion|oficina|ventas|compras|contabilidad|informatica|recursos|facultad|instituto|comite|consejo|seccion",
        "pt": "departamento|area|equipe|grupo|unidade|diretoria|setor|secretaria|vendas|recursos|faculdade|instituto",
        "it": "reparto|dipartimento|ufficio|settore|squadra|gruppo|direzione|vendite|risorse|facolta|istituto",
        "nl": "afdeling|team|groep|bureau|directie|verkoop|inkoop|bestuur|faculteit",
        "pl": "dzial|zespol|grupa|biuro|wydzial|sekcja|zarzad", "cs": "oddeleni|odbor|tym|skupina|usek|vedeni",
        "tr": "birim|bolum|departman|mudurlugu|ekip|sube", "sv": "avdelning|enhet|grupp|kontor|ledning|styrelse",
        "da": "afdeling|enhed|gruppe|kontor|ledelse|bestyrelse",
        "ru": "отдел|департамент|управление|группа|служба|бухгалтерия",
        "zh": "部|处|科|组|室|中心|部门|办公室", "ja": "部|課|室|係|チーム|グループ|本部", "ko": "팀|부|과|실|본부|센터|부서",
    ])

    private static func words(_ lists: [String: String]) -> Set<String> {
        Set(lists.values.flatMap { $0.split(separator: "|").map { folded(String($0)) } })
    }

    /// Returns the words of a text without case, accents and marks, joined by single spaces.
    static func folded(_ text: String) -> String {
        var folded = ""
        var needsSpace = false
        for scalar in text.precomposedStringWithCompatibilityMapping.lowercased().decomposedStringWithCanonicalMapping
            .unicodeScalars
        {
            switch scalar.properties.generalCategory {
            case .nonspacingMark: continue
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber:
                if needsSpace, !folded.isEmpty { folded.append(" ") }
                needsSpace = false
                if scalar == "ß" { folded += "ss" } else { folded.unicodeScalars.append(scalar) }
            default: needsSpace = true
            }
        }
        return folded.precomposedStringWithCanonicalMapping
    }

    /// Whether a text is one of `words`, or begins with one.
    static func begins(_ folded: String, with words: Set<String>) -> Bool {
        if words.contains(folded) { return true }
        var end = folded.startIndex
        while let space = folded[end...].firstIndex(of: " ") {
            if words.contains(String(folded[..<space])) { return true }
            end = folded.index(after: space)
        }
        return false
    }
}
