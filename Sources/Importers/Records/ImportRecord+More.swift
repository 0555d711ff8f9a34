import Bytes
import JSON

extension ImportRecord {
    /// Appends what no column took, as the text of an object: members in their order, values as they came.
    func more(to buffer: ByteBuffer) throws(RecordError) -> Slice {
        let start = buffer.count
        for (index, member) in members.enumerated() where belongsToMore(index) {
            if isOwnExport, member.key.equals("more"), appendMembers(of: member.value, to: buffer, from: start) {
                continue
            }
            buffer.append(buffer.count == start ? UInt8(ascii: "{") : UInt8(ascii: ","))
            appendKey(of: member, to: buffer)
            appendValue(of: member, to: buffer)
        }
        if buffer.count == start { return .empty }
        buffer.append(UInt8(ascii: "}"))
        let count = buffer.count - start
        // 64 KiB: a person's page, not a document store.
        if count > 65_536 { throw RecordError("expected at most 64 KiB besides the columns, found \(count) bytes") }
        return Slice(offset: start, count: count)
    }

    /// Addresses are never stored. A null is something a source said, an empty cell of a table is not.
    private func belongsToMore(_ index: Int) -> Bool {
        let member = members[index]
        if isChosen(index) || member.meaning.role == .email { return false }
        switch member.value {
        case .cell(let bytes): return !bytes.isEmpty
        case .json(let value):
            // A column's own name that was not taken: null, or an empty string.
            return !(isOwnName(member) && (value.isNull || member.value.isAbsent))
        }
    }

    /// Whether the member is called exactly as a column is in exports.
    func isOwnName(_ member: Member) -> Bool {
        !member.meaning.marks.intersection(.ownExport).isEmpty
    }

    /// A member called like a column, but displaced from it by `--map`, gets another name, so that an export can tell them apart.
    private func appendKey(of member: Member, to more: ByteBuffer) {
        more.append(UInt8(ascii: "\""))
        if isOwnName(member) { more.append("original_") }
        more.append(member.key)
        more.append("\":")
    }

    /// Stack Exchange's text is decoded; its `about_me` is HTML and stays that.
    private func appendValue(of member: Member, to more: ByteBuffer) {
        guard isStackExchange, case .json(let value) = member.value, let string = value.string,
            !member.key.equals("about_me")
        else { return member.value.appendJSON(to: more) }
        let encoded = ByteBuffer(capacity: 256)
        string.append(to: encoded)
        // Looked for in the text, where `\u0026` is one, too.
        guard encoded.bytes.contains(UInt8(ascii: "&")) else { return member.value.appendJSON(to: more) }
        let text = ByteBuffer(capacity: 256)
        HTMLEntities.append(decoding: encoded.bytes, to: text)
        more.append(jsonString: text.bytes)
    }

    /// The `more` column of Rollcall's own CSV holds the object that NDJSON spreads out; answers whether it was one.
    private func appendMembers(of value: RecordValue, to more: ByteBuffer, from start: Int) -> Bool {
        guard case .cell(let bytes) = value, let object = try? JSON.value(bytes), object.kind == .object else {
            return false
        }
        let inside = UnsafeRawBufferPointer(rebasing: object.raw[1..<(object.raw.count - 1)])
        if inside.allSatisfy({ $0 <= 0x20 }) { return true }
        more.append(more.count == start ? UInt8(ascii: "{") : UInt8(ascii: ","))
        more.append(compactJSON: inside)
        return true
    }
}
