import Base

/// Decides whether a text is the name of a person, and not an address, a number or an account.
public enum PersonName {
    /// Whether `text` may be a name: it has a letter, and no `@`.
    public static func isPossible(_ text: UnsafeRawBufferPointer) -> Bool { Bytes(of: text).mayBeName }

    /// Whether `text` looks like a name and not like an account, such as `jroe42`, `j.roe` or `jroe`.
    public static func isLikely(_ text: UnsafeRawBufferPointer) -> Bool { Bytes(of: text).areLikelyName }

    /// Whether `text` looks like somebody's name where accounts may be in capitals: `JDOE` does not.
    public static func isOfPerson(_ text: UnsafeRawBufferPointer) -> Bool {
        let bytes = Bytes(of: text)
        return bytes.areLikelyName && !bytes.isDisjoint(with: [.space, .small, .beyondASCII])
    }

    /// Whether `text` looks like a name and not like an account: see ``isLikely(_:)``.
    public static func isLikely(_ text: String) -> Bool { text.withBytes(isLikely) }
}

private struct Bytes: OptionSet {
    var rawValue: UInt8

    static let capital = Self(rawValue: 1)
    static let small = Self(rawValue: 2)
    static let beyondASCII = Self(rawValue: 4)
    static let digit = Self(rawValue: 8)
    static let space = Self(rawValue: 16)
    static let at = Self(rawValue: 32)
    /// `=`, `_`, `\`, `/` or `$`, which stand in accounts.
    static let sign = Self(rawValue: 64)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(of text: UnsafeRawBufferPointer) {
        self = []
        for byte in text { formUnion(Self(byte)) }
    }

    private init(_ byte: UInt8) {
        switch byte {
        case 0x41...0x5A: self = .capital
        case 0x61...0x7A: self = .small
        case 0x80...: self = .beyondASCII
        case 0x30...0x39: self = .digit
        case 0x20: self = .space
        case 0x40: self = .at
        case 0x24, 0x2F, 0x3D, 0x5C, 0x5F: self = .sign
        default: self = []
        }
    }

    var mayBeName: Bool { !contains(.at) && !isDisjoint(with: [.capital, .small, .beyondASCII]) }

    var areLikelyName: Bool {
        mayBeName && isDisjoint(with: [.digit, .sign]) && !isDisjoint(with: [.space, .capital, .beyondASCII])
    }
}
