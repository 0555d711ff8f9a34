import Base
import Foundation
import People

/// The words by which columns say that somebody has left, or must not be listed, by language. They are phrases of
/// ``phrase(_:)``: lower case, without accents, single spaces.
enum LeaverWords {
    /// Headings of a flag that is true for people who are there.
    static let active = words([
        "en": "active|enabled|activated|current|employed", "de": "aktiv|aktiviert|freigeschaltet|beschaftigt",
        "fr": "actif|active|actif ve", "es": "activo|activa|habilitado", "pt": "ativo|ativa|habilitado",
        "it": "attivo|attiva|abilitato", "nl": "actief", "pl": "aktywny|aktywne|aktywna", "cs": "aktivni",
        "tr": "aktif", "sv": "aktiv", "ru": "активен|активный|активна", "zh": "在职|启用|激活|有效",
        "ja": "有効|在籍|在職", "ko": "활성|재직|재직중|재직여부|활성화",
    ])

    /// Headings of a flag or a time that people have who are not there, or whose account is locked.
    static let gone = words([
        "en":
            "deleted|deactivated|disabled|suspended|locked|archived|discarded|terminated|deceased|blocked|banned|inactive|deprovisioned|offboarded|dead|soft deleted|locked out",
        "de": "geloscht|gesperrt|deaktiviert|archiviert|verstorben|inaktiv|stillgelegt|todestag|sterbedatum",
        "fr": "supprime|desactive|archive|decede|suspendu|bloque|inactif|verrouille",
        "es": "eliminado|desactivado|archivado|fallecido|suspendido|bloqueado|inactivo|borrado",
        "pt": "excluido|desativado|arquivado|falecido|suspenso|bloqueado|inativo|desligado",
        "it": "eliminato|disattivato|archiviato|deceduto|sospeso|bloccato|inattivo",
        "nl": "verwijderd|gedeactiveerd|overleden|geblokkeerd|inactief", "pl": "usuniety|zablokowany|nieaktywny|zmarly",
        "cs": "smazano|deaktivovan|zablokovan|neaktivni", "tr": "silindi|pasif|engellendi",
        "sv": "raderad|inaktiverad|avliden|sparrad|inaktiv", "da": "slettet|deaktiveret|afdod|spærret|inaktiv",
        "ru": "удален|заблокирован|неактивен|умер", "zh": "已删除|停用|禁用|锁定|已离职|离职|是否离职",
        "ja": "削除済み|無効|停止|退職済み|退会済み|死亡", "ko": "삭제|비활성|정지|퇴사|퇴직|탈퇴|사망",
    ])

    /// Headings of the day on which somebody left or will leave.
    static let ends = words([
        "en":
            "end date|exit date|leave date|leaving date|leaver date|termination date|last day|last working day|last day of work|separation date|date left|left on|left|resignation date|departure date|date of leaving|employment end|employment end date|end of employment|terminated on|offboarding date|contract end date|membership end|membership end date",
        "de":
            "austritt|austrittsdatum|austritt am|austritt zum|ausgetreten am|ausgetreten|ausscheiden|ausscheidedatum|ausgeschieden am|ausgeschieden|letzter arbeitstag|kundigung zum|kundigungsdatum|mitglied bis|beschaftigt bis|vertragsende|dienstende|abgang|abmeldedatum",
        "fr":
            "date de sortie|date sortie|date de depart|date depart|sortie|fin de contrat|date de fin|date fin|date fin de contrat|date de radiation",
        "es":
            "fecha de baja|fecha baja|fecha de salida|fecha salida|fecha fin|fecha de fin|fecha de cese|fecha cese|fecha de termino|fin de contrato|fecha fin contrato",
        "pt":
            "data de saida|data saida|data de desligamento|data desligamento|data de demissao|data demissao|data fim|data de termino|data de cessacao",
        "it":
            "data cessazione|data di cessazione|data fine|data fine rapporto|data uscita|data di uscita|data dimissioni",
        "nl": "uit dienst|datum uit dienst|einddatum|datum uitdienst|uitdienst|lid tot",
        "pl": "data zwolnienia|data odejscia|data zakonczenia|data rozwiazania umowy",
        "cs": "datum odchodu|datum ukonceni|konec pracovniho pomeru",
        "tr": "isten ayrilis tarihi|cikis tarihi|ayrilis tarihi",
        "sv": "slutdatum|avslutad|anstallning slut|sista dag", "da": "slutdato|fratrædelsesdato|sidste dag|udmeldt",
        "ru": "дата увольнения|дата окончания", "zh": "离职日期|离职时间|退会日期", "ja": "退職日|退社日|退職年月日|退会日|退社年月日",
        "ko": "퇴사일|퇴직일|퇴사일자|퇴직일자|탈퇴일",
    ])

    /// Words of headings of a status.
    static let status = words([
        "en": "status|state|lifecycle",
        "de": "status|zustand|beschaftigungsstatus|mitgliedsstatus|mitgliederstatus|personalstatus",
        "fr": "statut|etat|situation", "es": "estado|estatus|situacion", "pt": "status|estado|situacao",
        "it": "stato|situazione",
        "nl": "status|staat", "pl": "status|stan", "cs": "stav|status", "tr": "durum|durumu", "sv": "status",
        "da": "status",
        "ru": "статус|состояние", "zh": "状态|狀態|在职状态|员工状态|人员状态", "ja": "状態|ステータス|在籍状況|在職状況|状況|在籍区分",
        "ko": "상태|재직상태|재직구분|재직여부|회원상태",
    ])

    /// Values of a status that certainly mean that somebody is not there.
    static let left = words([
        "en":
            "inactive|left|former|terminated|deactivated|deprovisioned|disabled|deleted|deceased|resigned|dismissed|separated|departed|discharged|tobedeleted|to be deleted|archived|locked|blocked|banned|offboarded|removed|not active|no longer employed|ex employee|former employee|former member|leaver|gone|locked out|quit",
        "de":
            "inaktiv|ausgeschieden|ausgetreten|gekundigt|verstorben|geloscht|gesperrt|deaktiviert|ehemalig|ehemalige|ehemaliger|ehemals|nicht aktiv|abgemeldet|entlassen|ausgeschlossen|archiviert|nicht mehr beschaftigt|exmatrikuliert",
        "fr":
            "inactif|inactive|parti|partie|sorti|sortie|ancien|ancienne|demissionnaire|licencie|licenciee|decede|decedee|radie|radiee|supprime|desactive|bloque|non actif",
        "es":
            "inactivo|inactiva|baja|de baja|dado de baja|cesado|cesada|fallecido|fallecida|antiguo|antigua|eliminado|desactivado|bloqueado|no activo|exempleado",
        "pt":
            "inativo|inativa|desligado|desligada|demitido|demitida|exonerado|exonerada|falecido|falecida|excluido|bloqueado|ex funcionario",
        "it":
            "inattivo|inattiva|cessato|cessata|dimesso|dimessa|licenziato|deceduto|deceduta|disattivato|bloccato|ex dipendente",
        "nl": "inactief|uit dienst|vertrokken|ontslagen|overleden|verwijderd|geblokkeerd|oud lid|niet actief",
        "pl": "nieaktywny|nieaktywna|zwolniony|zwolniona|zmarly|zablokowany|byly",
        "cs": "neaktivni|ukoncen|ukoncena|byvaly|odesel|odesla|zablokovan",
        "tr": "pasif|ayrildi|isten ayrildi|silindi|vefat", "sv": "inaktiv|slutat|avslutad|avliden|sparrad",
        "da": "inaktiv|fratradt|udmeldt|opsagt|slettet",
        "ru": "неактивен|неактивный|уволен|уволена|удален|заблокирован|бывший",
        "ar": "غير نشط|مستقيل|متوفى", "zh": "离职|已离职|停用|禁用|已停用|已禁用|注销|辞职|辞退|退会|删除|非在职",
        "ja": "退職|退社|退会|無効|停止|削除|退職済|退職済み|離職|死亡", "ko": "퇴사|퇴직|비활성|탈퇴|해지|정지|삭제|사망|제적",
    ])

    /// Values of a status that mean so in some lists, and are all that others are about.
    static let perhaps = words([
        "en":
            "suspended|withdrawn|cancelled|canceled|expelled|retired|emeritus|emerita|alumni|alumnus|alumna|graduated|expired|lapsed|on notice|inactive member|past|old|closed|rejected|declined|pensioner|no show",
        "de":
            "suspendiert|zuruckgezogen|storniert|im ruhestand|pensioniert|rentner|rentnerin|emeritiert|abgelaufen|abgesagt|beendet|absolvent|absolventin|pensionar",
        "fr": "suspendu|retire|annule|retraite|retraitee|emerite|expire|diplome",
        "es": "suspendido|retirado|cancelado|jubilado|jubilada|emerito|caducado|egresado",
        "pt": "suspenso|cancelado|aposentado|aposentada|expirado|egresso",
        "it": "sospeso|annullato|pensionato|in pensione|scaduto|ritirato",
        "nl": "geschorst|geannuleerd|gepensioneerd|verlopen", "pl": "zawieszony|emeryt|wygasl",
        "cs": "pozastaven|v duchodu",
        "tr": "askida|emekli|iptal", "sv": "pensionerad|avstangd", "da": "pensioneret|suspenderet",
        "ru": "приостановлен|на пенсии|отменен", "zh": "退休|已退休|取消|已取消|毕业|过期", "ja": "定年退職|キャンセル|卒業|休会|期限切れ",
        "ko": "은퇴|취소|졸업|만료|휴면|정년퇴직",
    ])

    /// Words in headings that add nothing to these meanings.
    static let fillers = words([
        "all":
            "is|has|been|account|user|employee|member|membership|person|personal|the|of|was|at|on|date|time|timestamp|flag|status|state|yn|y|n|record|staff|worker|am|ist|datum|zum|seit|konto|mitarbeiter|mitglied|le|du|de|compte|fecha|data|el|em|cuenta|usuario|login|student|contact"
    ])

    private static func words(_ lists: [String: String]) -> Set<String> {
        Set(lists.values.flatMap { $0.split(separator: "|").map { phrase(String($0)) } })
    }

    /// Returns a text in lower case, without accents, brackets and their contents at its end, and with single spaces in
    /// the place of signs.
    static func phrase(_ text: String) -> String {
        var text = text
        // `Terminated (voluntary)`
        if let open = text.firstIndex(where: { "([（".contains($0) }), open > text.startIndex {
            text = String(text[..<open])
        }
        return Heading.words(text.precomposedStringWithCompatibilityMapping).joined(separator: " ")
    }

    /// Returns a status without the code before it: `T - Terminated` is `terminated`.
    static func statusPhrase(_ text: String) -> String {
        let parts = text.split(maxSplits: 1) { "-–:".contains($0) }.map { String($0).trimmed }
        if parts.count == 2, parts[0].count <= 3, !parts[0].isEmpty { return phrase(parts[1]) }
        return phrase(text)
    }
}
