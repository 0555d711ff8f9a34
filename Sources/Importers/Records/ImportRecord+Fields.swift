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

    func name(to buffer: ByteBuffer) throws(RecordError) -> ByteSlice {
        let name = try text(.name, limit: 1000, to: buffer)
        if !name.isEmpty { return name }
        let first = try text(.firstName, limit: 1000, to: buffer)
        if !first.isEmpty { buffer.append(UInt8(ascii: " ")) }
        let last = try text(.lastName, limit: 1000, to: buffer)
        if first.isEmpty || last.isEmpty { return first.isEmpty ? last : first }
        return ByteSlice(offset: Int(first.offset), count: Int(first.count) + 1 + Int(last.count))
    }

    func type(to buffer: ByteBuffer) throws(RecordError) -> ByteSlice {
        let type = try text(.type, limit: 255, to: buffer)
        // Stack Exchange's "registered" means an ordinary user.
        let isPlain = type.isEmpty || isStackExchange && buffer.bytes[type].equals("registered")
        return isPlain ? buffer.keep("User") : type
    }

    /// Returns the reputation, or ``UserBatch/noReputation`` if there is none.
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

    /// Appends the URL that has `role`. Records a value that is ignored because it is not an absolute http or https
    /// URL.
    mutating func link(_ role: ColumnMapping.FieldRole, to buffer: ByteBuffer) throws(RecordError) -> ByteSlice {
        let url = try text(role, limit: 2000, isURL: true, to: buffer)
        if url.isEmpty, let value = member(role)?.value {
            let bytes = plainBytes(value) ?? decodedBytes(value)
            if !bytes.allSatisfy(\.isBlank) { ignoredLinks.append(role) }
        }
        return url
    }

    /// Appends the cleaned text that has `role`. A URL that is neither http nor https counts as absent.
    func text(
        _ role: ColumnMapping.FieldRole, limit: Int, isURL: Bool = false, to buffer: ByteBuffer
    ) throws(RecordError) -> ByteSlice {
        guard let member = member(role) else { return .empty }
        let bytes = plainBytes(member.value) ?? decodedBytes(member.value)
        if isURL, !bytes.isStorableURL { return .empty }
        let text = buffer.append(cleaning: bytes)
        if text.count > limit, buffer.bytes[text].count(where: { $0 & 0xC0 != 0x80 }) > limit {
            throw RecordError("expected \"\(member.name)\" to have at most \(limit) characters, found more")
        }
        return text
    }

    /// Returns the bytes of a text that needs no decoding, or `nil`.
    @inline(__always) private func plainBytes(_ value: RecordValue) -> UnsafeRawBufferPointer? {
        switch value {
        case .cell(let bytes): return bytes
        case .json(let value):
            guard let string = value.string, !string.hasEscapes, !isStackExchange else { return nil }
            return string.raw
        }
    }

    /// Decodes any text into ``scratch`` and returns its bytes.
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
    /// Returns an id made from the login, so that it stays when other fields change, or else from the whole row except
    /// the reputation.
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

    /// Returns the name as a handle, made unique by the id: `rick-sanchez-1`.
    func madeLogin(name: UnsafeRawBufferPointer, id: Int64) -> String {
        let slug = Handle.slug(String(decoding: name, as: UTF8.self))
        return "\(slug.isEmpty ? "user" : slug)-\(id)"
    }
}

extension ImportRecord.Member {
    /// The key as messages show it.
    var name: String { NormalizedText.cleaned(JSONString(raw: key, hasEscapes: key.contains(UInt8(ascii: "\\"))).text) }
}

extension UnsafeRawBufferPointer {
    /// Whether these bytes, without spaces around them, are an absolute http or https URL that is stored unchanged.
    fileprivate var isStorableURL: Bool {
        guard let first = firstIndex(where: { $0 != 0x20 }), let last = lastIndex(where: { $0 != 0x20 }) else {
            return false
        }
        let url = UnsafeRawBufferPointer(rebasing: self[first...last])
        guard url.isWebURL else { return false }
        // Nearly all URLs are ASCII. Cleaning another one could change the address.
        if url.allSatisfy({ $0 < 0x80 }) { return true }
        let text = String(decoding: url, as: UTF8.self)
        return NormalizedText.cleaned(text).utf8.elementsEqual(text.utf8)
    }
}
