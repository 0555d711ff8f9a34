extension UnsafeRawBufferPointer {
    /// Whether these bytes are an absolute http or https URL that can stand in a link unchanged.
    public var isWebURL: Bool {
        let start: Int
        if hasPrefix(ignoringCase: "https://") {
            start = 8
        } else if hasPrefix(ignoringCase: "http://") {
            start = 7
        } else {
            return false
        }
        guard count > start, self[start] != UInt8(ascii: "/") else { return false }
        guard allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return false }
        // `https://bank.example@evil.example/` shows one host and leads to another.
        return !self[start...].prefix { $0 != UInt8(ascii: "/") }.contains(UInt8(ascii: "@"))
    }

    private func hasPrefix(ignoringCase text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount
            && UnsafeRawBufferPointer(rebasing: self[..<text.utf8CodeUnitCount]).equals(ignoringCase: text)
    }
}

extension String {
    /// Whether the text is an absolute http or https URL that can stand in a link unchanged.
    public var isWebURL: Bool {
        var text = self
        return text.withUTF8 { UnsafeRawBufferPointer($0).isWebURL }
    }
}
