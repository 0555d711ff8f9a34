import People

/// A distinguished name, taken apart (RFC 4514): `CN=Ann Lee,OU=People,DC=example,DC=org`.
struct DistinguishedName {
    /// The relative names, from that of the entry up. Most have one part; `cn=Ann Lee+uid=alee` has two. A part is a
    /// type of attribute, as ``AttributeName`` writes it, and a value without escapes.
    let relatives: [[(type: String, value: String)]]

    init(_ text: String) {
        var reader = Reader(bytes: Array(text.utf8))
        relatives = reader.relatives()
    }

    /// The same text for equal names: case, escapes and the spaces around values make no difference.
    var key: String {
        let names = relatives.map { parts in parts.map { "\($0.type)=\($0.value.lowercased())" }.sorted() }
        return names.map { $0.joined(separator: "\u{1}") }.joined(separator: "\u{0}")
    }

    /// The entry's common name, if it looks like a person's.
    var commonName: String? {
        relatives.first?.first { $0.type == "cn" && PersonName.isLikely($0.value) }?.value.trimmed
    }

    /// The organizational units above the entry, in lower case.
    var units: Set<String> {
        Set(relatives.dropFirst().joined().filter { $0.type == "ou" }.map { $0.value.lowercased() })
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0
        var type = ""
        var value: [UInt8] = []
        /// The number of bytes of the value up to the last one that is not a space around it.
        var end = 0
        var isInValue = false

        mutating func relatives() -> [[(type: String, value: String)]] {
            var relatives: [[(String, String)]] = [[]]
            var isQuoted = false
            while index < bytes.count {
                let byte = bytes[index]
                index += 1
                switch byte {
                case UInt8(ascii: "\\") where index < bytes.count: appendEscaped()
                // LDAP 2 (RFC 2253 §4).
                case UInt8(ascii: "\""): isQuoted.toggle()
                case UInt8(ascii: "=") where !isInValue:
                    type = AttributeName.short(takeText().lowercased())
                    isInValue = true
                case _ where ",;+".utf8.contains(byte) && !isQuoted:
                    relatives[relatives.count - 1].append(takePart())
                    if byte != UInt8(ascii: "+") { relatives.append([]) }
                case UInt8(ascii: " ") where !isQuoted: if !value.isEmpty { value.append(byte) }
                default:
                    value.append(byte)
                    end = value.count
                }
            }
            relatives[relatives.count - 1].append(takePart())
            return relatives
        }

        /// Appends a byte that two digits name, or the character itself.
        private mutating func appendEscaped() {
            if let byte = UInt8(hexadecimal: bytes[index...].prefix(2)) {
                value.append(byte)
                index += 2
            } else {
                value.append(bytes[index])
                index += 1
            }
            end = value.count
        }

        private mutating func takePart() -> (String, String) {
            defer { (type, isInValue) = ("", false) }
            return (type, takeText())
        }

        private mutating func takeText() -> String {
            defer { (value, end) = ([], 0) }
            return String(decoding: value.prefix(end), as: UTF8.self)
        }
    }
}
