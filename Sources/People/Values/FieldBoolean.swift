import Base

/// Reads yes and no as people write them, in the seven languages of headings.
public enum FieldBoolean {
    public static func read(_ text: UnsafeRawBufferPointer) -> Bool? {
        guard let word = text.lowercased(upTo: 16) else { return nil }
        if yes.contains(word) { return true }
        return no.contains(word) ? false : nil
    }

    private static let yes: Set<String> = [
        "1", "true", "yes", "y", "x", "on", "✓", "✔", "ja", "j", "wahr", "oui", "o", "vrai", "sí", "si", "s",
        "verdadero",
        "예", "네", "はい", "○", "是",
    ]
    private static let no: Set<String> = [
        "0", "false", "no", "n", "off", "-", "nein", "falsch", "non", "faux", "falso", "아니오", "아니요", "いいえ", "×", "否",
        "不是",
    ]
}
