import Base
import People

extension RecordDecoder {
    /// Appends the members that no column took, as the text of a JSON object: members in their order, values unchanged.
    mutating func more(to buffer: ByteBuffer) throws(RecordError) -> ByteSlice {
        let start = buffer.count
        for (index, member) in members.enumerated() {
            let isStored = belongsToMore(index)
            if names.isOwnExport, member.isFurther, !member.value.isAbsent {
                // Its flags count although it may not be stored.
                try appendMembers(of: member, isStored: isStored, to: buffer, from: start)
                continue
            }
            guard isStored else { continue }
            if let style = member.meaning.link, isRefused(member, style) { continue }
            append(to: buffer, from: start) { append(member, to: buffer) }
        }
        if isContributingBot {
            append(to: buffer, from: start) {
                buffer.append("\"type\":\"Bot\"")
                return true
            }
        }
        if buffer.count == start { return .empty }
        buffer.append(UInt8(ascii: "}"))
        let count = buffer.count - start
        // 64 KiB: this is a user's profile, not a document store.
        try RecordError.expect(count <= 65_536, "expected at most 64 KiB besides the columns, found \(count) bytes")
        return ByteSlice(offset: start, count: count)
    }

    /// Returns whether a column of links has a value that pages cannot link to, and records the loss.
    private mutating func isRefused(_ member: Member, _ style: LinkStyle) -> Bool {
        // Nearly all are, and need no copy.
        if member.value.withText(\.isStorableURL) { return false }
        let text = NormalizedText.cleaned(member.value.text)
        guard Array(text.utf8).withUnsafeBytes({ style.read($0) }) == .refused else { return false }
        losses.append((.link, member.quoted))
        return true
    }

    /// A JSON null is data of the source; an empty cell of a CSV file is not.
    private func belongsToMore(_ index: Int) -> Bool {
        let member = members[index]
        if member.meaning.isLeftOut || member.isWithheld { return false }
        if let role = member.meaning.role, chosen[role.rawValue] == index { return kept.contains(role) }
        switch member.value {
        // In an edited export, an empty cell empties a value.
        case .cell(let bytes): return !bytes.isEmpty || names.changesColumns
        // Excludes a member named exactly like a column whose value is null or empty.
        case .json: return member.meaning.marks.isDisjoint(with: .ownExport) || !member.value.isAbsent
        }
    }

    /// Whether a member inside another is also a column of the export, which then counts.
    private func isGiven(_ key: UnsafeRawBufferPointer) -> Bool {
        names.exported.contains { field in
            field.column.count == key.count && key.elementsEqual(field.column)
                && members.contains { $0.meaning.marks.contains(field.mark) && !$0.value.isAbsent }
        }
    }

    /// Appends a member. Renames one that has a column's name but lost the column to `--map`, so that an export keeps
    /// them apart. Returns `false` if nothing of an object or array is stored.
    private func append(_ member: Member, to more: ByteBuffer) -> Bool {
        let field = names.exported.first { member.meaning.marks.contains($0.mark) }
        more.append(UInt8(ascii: "\""))
        if let field {
            more.append(field.column)
        } else {
            if !names.isLearned, !member.meaning.marks.isDisjoint(with: .columns) { more.append("original_") }
            more.append(member.column)
            if member.number > 1 { more.append(utf8: " \(member.number)") }
        }
        more.append("\":")
        // CSV has numbers as texts.
        if field?.isNumber == true, let number = member.value.int64 {
            more.append(decimal: number)
            return true
        }
        return member.value.appendJSON(
            to: more, withoutAddresses: member.meaning.withheldValues != nil
        ) { names.isLeftOut($0, inside: member.meaning) }
    }

    /// Appends the members of the object that holds all other members in Rollcall's own exports, except those that are
    /// not stored, and notes the flags among them. Exports never repeat a name, in any case.
    private mutating func appendMembers(
        of member: Member, isStored: Bool, to more: ByteBuffer, from start: Int
    ) throws(RecordError) {
        guard let object = member.value.object else {
            throw RecordError("expected \"\(member.name)\" to be a JSON object, found another value")
        }
        keysInside.startRecord()
        do {
            try JSON.forEachMember(of: object) { key, value in
                let known = keysInside.meaning(of: key.raw) { key.text }
                try RecordError.expect(
                    !known.isRepeated, "expected each name in \"\(member.name)\" once, found one twice")
                if let role = known.meaning.role, role.isMark { note(flag: role, .json(value)) }
                if !isStored || known.meaning.isLeftOut || isGiven(key.raw) { return }
                append(to: more, from: start) {
                    more.append(UInt8(ascii: "\""))
                    more.append(known.column)
                    more.append("\":")
                    return RecordValue.json(value).appendJSON(to: more) { names.isLeftOut($0, inside: known.meaning) }
                }
            }
        } catch { throw RecordError("\(error)") }
    }

    /// Appends the member that `append` appends, unless that returns `false`.
    private func append(to more: ByteBuffer, from start: Int, _ append: () -> Bool) {
        let end = more.count
        more.append(end == start ? UInt8(ascii: "{") : UInt8(ascii: ","))
        if !append() { more.truncate(to: end) }
    }
}

extension RecordDecoder {
    /// Looks for a photo named after the person, if no column names one and the publisher named the folder.
    mutating func findPhoto(
        login: UnsafeRawBufferPointer, handle: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer
    ) {
        // A template may name the photo as well as a column.
        guard let photos, photos.matchesNames, bytes(.avatarURL).isEmpty else { return }
        let texts = [handle, login, name].map { String(decoding: $0, as: UTF8.self) }
        let keys = names.keys.indices.compactMap { keyPart($0)?.text }
        let wanted = texts.prefix(2) + keys + PhotoFolder.names(from: texts[2])
        if let match = photos.match(names: wanted.filter { !$0.isEmpty }) {
            note(match, of: texts.first { !$0.isEmpty } ?? "")
        }
    }

    /// Notes the result for the photo that `text` names; empty for a text that readers do not see.
    mutating func note(_ match: PhotoMatch, of text: String) {
        switch match {
        case .matched(_, let path):
            photo = path
            losses.append((.foundPhoto, text))
        case .notFound: losses.append((.photo, text))
        case .dropped(let reason): losses.append((.droppedPhoto, text.isEmpty ? reason : "\(text) (\(reason))"))
        }
    }
}
