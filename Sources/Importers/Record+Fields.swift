import Bytes
import Directories
import JSON

extension Record {
    func id() throws(RecordError) -> Int64? {
        guard let member = member(.id) else { return nil }
        guard let id = member.value.int64, id > 0 else {
            throw RecordError(
                "expected \"\(member.name)\" to be a positive 64-bit integer, found \(member.value.shown)")
        }
        return id
    }

    func name() throws(RecordError) -> String? {
        if let name = try text(.name, limit: 1000, isURL: false) { return name }
        let parts = [try text(.firstName, limit: 1000, isURL: false), try text(.lastName, limit: 1000, isURL: false)]
        let name = parts.compactMap(\.self).joined(separator: " ")
        return name.isEmpty ? nil : name
    }

    func type() throws(RecordError) -> String {
        let type = try text(.type, limit: 255, isURL: false)
        // What Stack Exchange calls a registered user is just a user.
        if isStackExchange, type == "registered" { return "User" }
        return type ?? "User"
    }

    func reputation() throws(RecordError) -> Int64? {
        guard let member = member(.reputation) else { return nil }
        guard let reputation = member.value.int64 else {
            throw RecordError("expected \"\(member.name)\" to be a 64-bit integer, found \(member.value.shown)")
        }
        return reputation
    }

    /// The text taken for `role`, cleaned. A URL that is neither http nor https counts as none.
    func text(_ role: Meaning.Role, limit: Int, isURL: Bool) throws(RecordError) -> String? {
        guard let member = member(role) else { return nil }
        let text: String?
        if let plain = plainBytes(member.value) {
            if isURL, !plain.isWebURL { return nil }
            text = Text.cleaned(plain)
        } else {
            scratch.removeAll()
            appendText(of: member.value)
            if isURL, !scratch.bytes.isWebURL { return nil }
            text = Text.cleaned(scratch.bytes)
        }
        if let text, text.utf8.count > limit, text.unicodeScalars.count > limit {
            throw RecordError("expected \"\(member.name)\" to have at most \(limit) characters, found more")
        }
        return text
    }

    /// The bytes of a text that can be taken as they stand.
    @inline(__always) private func plainBytes(_ value: RecordValue) -> UnsafeRawBufferPointer? {
        switch value {
        case .cell(let bytes): return bytes
        case .json(let value):
            guard let string = value.string, !string.hasEscapes, !isStackExchange else { return nil }
            return string.raw
        }
    }

    private func appendText(of value: RecordValue) {
        guard isStackExchange, case .json = value else { return value.appendText(to: scratch) }
        let encoded = ByteBuffer(capacity: 256)
        value.appendText(to: encoded)
        HTMLEntities.append(decoding: encoded.bytes, to: scratch)
    }
}

// MARK: - What the source does not give

extension Record {
    /// From the login, so that whatever else changes, the person stays the same; else from the whole row but the score.
    func madeID(login: String?) -> Int64 {
        if var folded = login?.folded { return folded.withUTF8 { StableID.make(UnsafeRawBufferPointer($0)) } }
        scratch.removeAll()
        for (index, member) in members.enumerated() where !(isChosen(index) && member.meaning.role == .reputation) {
            scratch.append(member.key)
            scratch.append(UInt8(ascii: ":"))
            member.value.appendJSON(to: scratch)
            scratch.append(UInt8(ascii: ","))
        }
        return StableID.make(scratch.bytes)
    }

    /// The name as a handle, made unique by the id: `rick-sanchez-1`.
    func madeLogin(name: String, id: Int64) -> String {
        let slug = Handle.slug(name)
        return "\(slug.isEmpty ? "user" : slug)-\(id)"
    }
}

extension Record.Member {
    /// For messages.
    var name: String { Text.cleaned(JSONString(raw: key, hasEscapes: key.contains(UInt8(ascii: "\\"))).text) }
}

extension UnsafeRawBufferPointer {
    /// Whether these bytes are an absolute http or https URL without white space, and without a user before its host:
    /// `https://bank.example@evil.example/` shows one and leads to another.
    fileprivate var isWebURL: Bool {
        let bytes = UnsafeRawBufferPointer(rebasing: drop { $0 == 0x20 })
        guard let colon = bytes.prefix(6).firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = UnsafeRawBufferPointer(rebasing: bytes[..<colon])
        guard scheme.equals(ignoringCase: "http") || scheme.equals(ignoringCase: "https") else { return false }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[(colon + 1)...])
        guard rest.count > 2, rest.starts(with: "//"), rest[2] != UInt8(ascii: "/") else { return false }
        guard let end = rest.lastIndex(where: { $0 != 0x20 }) else { return false }
        guard !rest.dropFirst(2).prefix(while: { $0 != UInt8(ascii: "/") }).contains(UInt8(ascii: "@")) else {
            return false
        }
        return !rest[...end].contains { $0 <= 0x20 || $0 == 0x7F }
    }
}
