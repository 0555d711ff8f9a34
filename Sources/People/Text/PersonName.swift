import Base

/// Tells the names of people from addresses, numbers and accounts.
public enum PersonName {
    /// Whether `text` may be a name: it has a letter, and no `@`.
    public static func isPossible(_ text: UnsafeRawBufferPointer) -> Bool {
        var hasLetter = false
        for byte in text {
            if byte == UInt8(ascii: "@") { return false }
            if byte >= 0x80 || (byte | 0x20) &- 97 < 26 { hasLetter = true }
        }
        return hasLetter
    }

    /// Whether `text` looks like a name and not like an account, such as `jroe42`, `j.roe` or `jroe`.
    public static func isLikely(_ text: UnsafeRawBufferPointer) -> Bool {
        guard isPossible(text), !text.contains(where: { $0 &- 48 < 10 || #"=_\/$"#.utf8.contains($0) }) else {
            return false
        }
        return text.contains { $0 == 0x20 || $0 >= 0x80 || $0 &- 65 < 26 }
    }

    /// Whether `text` looks like somebody's name where accounts may be in capitals: `JDOE` is none.
    public static func isOfPerson(_ text: UnsafeRawBufferPointer) -> Bool {
        isLikely(text) && text.contains { $0 == 0x20 || $0 >= 0x80 || $0 &- 97 < 26 }
    }

    /// Whether `text` looks like a name and not like an account: see ``isLikely(_:)``.
    public static func isLikely(_ text: String) -> Bool { text.withBytes(isLikely) }
}
