import Bytes
import Directories
import JSON

extension ImportRecord {
    func id() throws(RecordError) -> Int64? {
        guard let member = member(.id) else { return nil }
        guard let id = member.value.int64, id > 0 else {
            throw RecordError(
                "expected \"\(member.name)\" to be a positive 64-bit integer, found \(member.value.shown)")
        }
        return id
    }

    func name(to buffer: ByteBuffer) throws(RecordError) -> Slice {
        let name = try text(.name, limit: 1000, to: buffer)
        if !name.isEmpty { return name }
        let first = try text(.firstName, limit: 1000, to: buffer)
        if !first.isEmpty { buffer.append(UInt8(ascii: " ")) }
        let last = try text(.lastName, limit: 1000, to: buffer)
        if first.isEmpty || last.isEmpty { return first.isEmpty ? last : first }
        return Slice(offset: Int(first.offset), count: Int(first.count) + 1 + Int(last.count))
    }

    func type(to buffer: ByteBuffer) throws(RecordError) -> Slice {
        let type = try text(.type, limit: 255, to: buffer)
        // What Stack Exchange calls a registered user is just a user.
        let isPlain = type.isEmpty || isStackExchange && buffer.bytes[type].equals("registered")
        return isPlain ? buffer.keep("User") : type
    }

    /// ``UserBatch/noReputation`` where there is none.
    func reputation() throws(RecordError) -> Int64 {
        guard let member = member(.reputation) else { return UserBatch.noReputation }
        guard let reputation = member.value.int64 else {
            throw RecordError("expected \"\(member.name)\" to be a 64-bit integer, found \(member.value.shown)")
        }
        guard reputation != UserBatch.noReputation else {
            throw RecordError("expected \"\(member.name)\" to be more than \(reputation), found exactly that")
        }
        return reputation
    }

    /// Appends the URL that is taken for `role`. Notes one that is left out, because it is no absolute http or https URL.
    mutating func link(_ role: ColumnMapping.FieldRole, to buffer: ByteBuffer) throws(RecordError) -> Slice {
        let url = try text(role, limit: 2000, isURL: true, to: buffer)
        if url.isEmpty, let value = member(role)?.value {
            let bytes = plainBytes(value) ?? decodedBytes(value)
            if !bytes.allSatisfy(\.isBlank) { ignoredLinks.append(role) }
        }
        return url
    }

    /// Appends the text taken for `role`, cleaned. A URL that is neither http nor https counts as none.
    func text(
        _ role: ColumnMapping.FieldRole, limit: Int, isURL: Bool = false, to buffer: ByteBuffer
    ) throws(RecordError) -> Slice {
        guard let member = member(role) else { return .empty }
        let bytes = plainBytes(member.value) ?? decodedBytes(member.value)
        if isURL, !bytes.isWebURL { return .empty }
        let text = buffer.append(cleaning: bytes)
        if text.count > limit, buffer.bytes[text].count(where: { $0 & 0xC0 != 0x80 }) > limit {
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

    /// The bytes of any text, in ``scratch``.
    private func decodedBytes(_ value: RecordValue) -> UnsafeRawBufferPointer {
        scratch.removeAll()
        if isStackExchange, case .json = value {
            let encoded = ByteBuffer(capacity: 256)
            value.appendText(to: encoded)
            HTMLEntities.append(decoding: encoded.bytes, to: scratch)
        } else {
            value.appendText(to: scratch)
        }
        return scratch.bytes
    }
}

// MARK: - What the source does not give

extension ImportRecord {
    /// From the login, so that whatever else changes, the person stays the same; else from the whole row but the score.
    func madeID(login: UnsafeRawBufferPointer) -> Int64 {
        scratch.removeAll()
        if !login.isEmpty {
            _ = scratch.append(folding: login)
            return StableID.make(scratch.bytes)
        }
        for (index, member) in members.enumerated() where !(isChosen(index) && member.meaning.role == .reputation) {
            scratch.append(member.key)
            scratch.append(UInt8(ascii: ":"))
            member.value.appendJSON(to: scratch)
            scratch.append(UInt8(ascii: ","))
        }
        return StableID.make(scratch.bytes)
    }

    /// The name as a handle, made unique by the id: `rick-sanchez-1`.
    func madeLogin(name: UnsafeRawBufferPointer, id: Int64) -> String {
        let slug = Handle.slug(String(decoding: name, as: UTF8.self))
        return "\(slug.isEmpty ? "user" : slug)-\(id)"
    }
}

extension ImportRecord.Member {
    /// For messages.
    var name: String { NormalizedText.cleaned(JSONString(raw: key, hasEscapes: key.contains(UInt8(ascii: "\\"))).text) }
}

extension UnsafeRawBufferPointer {
    /// Whether these bytes are an absolute http or https URL without spaces, controls and line breaks, and without a user before its host:
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
        if rest[...end].contains(where: { $0 <= 0x20 || $0 == 0x7F }) { return false }
        // Nearly all are ASCII. Of the others, what would be cleaned away would leave another address.
        if rest[...end].allSatisfy({ $0 < 0x80 }) { return true }
        let text = String(decoding: UnsafeRawBufferPointer(rebasing: rest[...end]), as: UTF8.self)
        return NormalizedText.cleaned(text).utf8.elementsEqual(text.utf8)
    }
}
