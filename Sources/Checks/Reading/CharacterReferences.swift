extension UnsafeRawBufferPointer {
    /// Returns the text with its character references decoded. Throws an error for a name that no template uses.
    func resolvingReferences() throws(UnreadablePage) -> [UInt8] {
        guard var ampersand = firstIndex(of: UInt8(ascii: "&")) else { return Array(self) }
        var text = Array(self[..<ampersand])
        while true {
            guard let end = self[ampersand...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
                throw UnreadablePage("expected a character reference such as &amp;, found an & without one")
            }
            text += try Self.character(String(decoding: self[(ampersand + 1)..<end], as: UTF8.self)).utf8
            let next = self[end...].firstIndex(of: UInt8(ascii: "&"))
            text += self[(end + 1)..<(next ?? count)]
            guard let next else { return text }
            ampersand = next
        }
    }

    private static func character(_ name: String) throws(UnreadablePage) -> String {
        let named = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}"]
        if let character = named[name] { return character }
        let digits = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
        guard name.hasPrefix("#"), let scalar = digits.flatMap(Unicode.Scalar.init) else {
            throw UnreadablePage("expected a character reference such as &amp;, found &\(name);")
        }
        return String(scalar)
    }
}
