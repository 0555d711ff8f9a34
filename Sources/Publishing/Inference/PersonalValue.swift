import Base
import People

/// Recognizes values that tell how to reach or to identify a person, whatever their column is called.
package enum PersonalValue {
    /// Whether `text` is an e-mail address, a phone number or an IBAN.
    static func isContact(_ text: String) -> Bool {
        text.withBytes { isAddress($0) } || isPhone(text) || isIBAN(text)
    }

    /// Whether `text` is an e-mail address, or a link that writes to one or calls a number.
    package static func isAddress(_ text: UnsafeRawBufferPointer) -> Bool {
        isLink(text, "mailto:") || isLink(text, "tel:") || LinkStyle.isEmail(text)
    }

    /// Whether `text` is an address, or has one between other words, or an international phone number.
    package static func hasAddress(_ text: UnsafeRawBufferPointer) -> Bool {
        // Each import asks this of most values, and hardly one has any of these.
        guard text.contains(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "+") })
        else { return false }
        if isAddress(text.trimmedText) { return true }
        if text.contains(UInt8(ascii: "@")),
            text.split(whereSeparator: isSeparator).contains(where: { LinkStyle.isEmail(.init(rebasing: $0)) })
        {
            return true
        }
        guard let plus = text.firstIndex(of: UInt8(ascii: "+")) else { return false }
        let number = text[plus...].dropFirst().prefix { $0.isDigit || " ()-/.".utf8.contains($0) }
        return (9...15).contains(number.count(where: \.isDigit)) && number.first?.isDigit == true
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte <= 0x20 || "/,;|()<>[]\"':".utf8.contains(byte) }

    private static func isLink(_ text: UnsafeRawBufferPointer, _ scheme: StaticString) -> Bool {
        let count = scheme.utf8CodeUnitCount
        return text.count > count && UnsafeRawBufferPointer(rebasing: text[..<count]).equals(ignoringCase: scheme)
    }

    /// A number that begins with a plus, a zero or a bracket, or has two separators or more; not a date.
    package static func isPhone(_ text: String) -> Bool {
        guard let digits = LinkStyle.phone(text), (7...16).contains(digits.utf8.count),
            text.withBytes({ FieldDate.Numbers($0) == nil })
        else { return false }
        if digits.hasPrefix("+") || text.hasPrefix("(") { return true }
        let separators = text.utf8.count { !$0.isDigit }
        if digits.hasPrefix("0") { return separators > 0 || digits.utf8.count >= 9 }
        // `1 234 567` and `1.234.567` are numbers.
        let isNumber = FieldFormat.numbers.contains { format in text.withBytes { FieldNumber.read($0, format) != nil } }
        return separators >= 2 && !isNumber && digits.utf8.count >= 9
    }

    /// ISO 13616: two letters, two check digits, and the account; the remainder modulo 97 is 1.
    static func isIBAN(_ text: String) -> Bool {
        guard text.utf8.count >= 15 else { return false }
        let letters = text.utf8.filter { $0 != 0x20 }.map { $0 &- 97 < 26 ? $0 - 32 : $0 }
        guard (15...34).contains(letters.count), letters[..<2].allSatisfy(\.isLetter),
            letters[2..<4].allSatisfy(\.isDigit)
        else { return false }
        var remainder = 0
        for byte in letters[4...] + letters[..<4] {
            switch byte {
            case 48...57: remainder = (remainder * 10 + Int(byte) - 48) % 97
            case 65...90: remainder = (remainder * 100 + Int(byte) - 55) % 97
            default: return false
            }
        }
        return remainder == 1
    }
}

// MARK: - Codes

extension PersonalValue {
    /// Whether `text` is a hash, a token, an address of the Internet, or a number by which programs, banks or a state
    /// know a person.
    static func isCode(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard (7...1000).contains(bytes.count), !bytes.contains(where: { $0 >= 0x80 }) else { return false }
        if bytes.count >= 20, !bytes.contains(0x20), isSecret(text, bytes) { return true }
        if bytes.contains(UInt8(ascii: "=")), isDistinguishedName(text) { return true }
        return isInternetAddress(text) || isCardNumber(bytes) || isNationalID(bytes)
    }

    /// `$2y$10$…`, `{SSHA}…`, `pbkdf2_sha256$…`, `eyJ….….…`, digests and UUIDs in hexadecimal digits, random letters.
    private static func isSecret(_ text: String, _ bytes: [UInt8]) -> Bool {
        if bytes.count(where: { $0 == UInt8(ascii: "$") }) >= 2 { return true }
        if bytes[0] == UInt8(ascii: "{"), bytes.dropFirst(3).prefix(16).contains(UInt8(ascii: "}")) { return true }
        if text.hasPrefix("eyJ"), bytes.count(where: { $0 == UInt8(ascii: ".") }) == 2 { return true }
        if bytes.count < 24 { return false }
        let digits = bytes.count(where: \.isDigit)
        let isHex = bytes.allSatisfy { $0.hexadecimalValue != nil || $0 == UInt8(ascii: "-") }
        if isHex { return bytes.contains { $0 > 64 } && digits >= 6 }
        let (small, capitals) = (bytes.count { $0 &- 97 < 26 }, bytes.count { $0 &- 65 < 26 })
        let others = bytes.count { "+/=_-".utf8.contains($0) }
        return min(digits, small, capitals) >= 3 && digits + small + capitals + others == bytes.count
    }

    /// `CN=Anna Keller,OU=Sales,DC=example,DC=org`: the place of an account in LDAP.
    private static func isDistinguishedName(_ text: String) -> Bool {
        let parts = text.lowercased().split { $0 == "," || $0 == ";" }
        return parts.count > 1 && parts.allSatisfy { $0.contains("=") } && parts.last?.contains("dc=") == true
    }

    /// IP, versions 4 and 6.
    private static func isInternetAddress(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 4 { return parts.allSatisfy { $0.utf8.count <= 3 && UInt8($0) != nil } }
        let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
        return colons >= 2 && (colons == 7 || text.contains("::"))
            && text.utf8.allSatisfy { $0.hexadecimalValue != nil || $0 == UInt8(ascii: ":") }
    }

    /// ISO/IEC 7812: 13 to 19 digits with a check digit.
    private static func isCardNumber(_ bytes: [UInt8]) -> Bool {
        let digits = bytes.filter { $0 != 0x20 && $0 != UInt8(ascii: "-") }.map { Int($0) - 48 }
        guard (13...19).contains(digits.count), digits.allSatisfy((0...9).contains), (3...6).contains(digits[0]) else {
            return false
        }
        let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
            // Every second digit counts twice.
            let weighted = digit.element * (1 + digit.offset % 2)
            return sum + weighted / 10 + weighted % 10
        }
        return sum % 10 == 0
    }

    /// Numbers of identity whose form, or check digit, tells them: those of Italy, Spain, Korea and China.
    private static func isNationalID(_ bytes: [UInt8]) -> Bool {
        let form = String(
            decoding: bytes.map { byte in
                byte.isDigit ? UInt8(ascii: "9") : byte.isLetter ? UInt8(ascii: "A") : byte
            }, as: UTF8.self)
        switch form {
        case "AAAAAA99A99A999A", "999999-9999999": return true
        case "99999999A", "A9999999A":
            // X, Y and Z stand for 0, 1 and 2.
            let capitals = bytes.map { $0 >= 97 ? $0 - 32 : $0 }
            let first = capitals[0] >= 88 ? capitals[0] - 88 + 48 : capitals[0]
            guard let number = Int(String(decoding: [first] + capitals[1..<8], as: UTF8.self)) else { return false }
            return Array("TRWAGMYFPDXBNJZSQVHLCKE".utf8)[number % 23] == capitals[8]
        case "999999999999999999", "99999999999999999A":
            let weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
            let sum = zip(bytes, weights).reduce(0) { $0 + (Int($1.0) - 48) * $1.1 }
            let check = bytes[17] >= 97 ? bytes[17] - 32 : bytes[17]
            return Array("10X98765432".utf8)[sum % 11] == check
        default: return false
        }
    }
}
