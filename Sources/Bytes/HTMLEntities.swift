/// HTML character references, as in the text of Stack Exchange's API. They are decoded once: `&amp;amp;` becomes
/// `&amp;`.
public enum HTMLEntities {
    /// Appends the decoded UTF-8 `bytes`. It decodes only the references that the API's encoder produces (numbers, and
    /// the names of HTML's special characters) and copies anything else unchanged.
    public static func append(decoding bytes: UnsafeRawBufferPointer, to buffer: ByteBuffer) {
        var rest = bytes
        while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
            buffer.append(UnsafeRawBufferPointer(rebasing: rest[..<ampersand]))
            rest = UnsafeRawBufferPointer(rebasing: rest[ampersand...])
            // 10: the longest reference is &#1114111;
            if let end = rest.prefix(10).firstIndex(of: UInt8(ascii: ";")),
                let scalar = scalar(UnsafeRawBufferPointer(rebasing: rest[1..<end]))
            {
                buffer.append(utf8: String(scalar))
                rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
            } else {
                buffer.append(UInt8(ascii: "&"))
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
            }
        }
        buffer.append(rest)
    }

    private static func scalar(_ name: UnsafeRawBufferPointer) -> Unicode.Scalar? {
        if name.equals("amp") { return "&" }
        if name.equals("lt") { return "<" }
        if name.equals("gt") { return ">" }
        if name.equals("quot") { return "\"" }
        if name.equals("apos") { return "'" }
        if name.equals("nbsp") { return "\u{A0}" }
        guard name.first == UInt8(ascii: "#") else { return nil }
        let digits = String(decoding: name.dropFirst(), as: UTF8.self).lowercased()
        let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init)
    }
}
