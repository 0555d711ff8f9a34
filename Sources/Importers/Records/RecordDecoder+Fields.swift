import Base
import People
import Publishing

extension RecordDecoder {
    func id() throws(RecordError) -> Int64? {
        guard let member = member(.id) else { return nil }
        let id = member.value.int64 ?? 0
        try RecordError.expect(
            id > 0, "expected \"\(member.name)\" to be a positive 64-bit integer, found \(member.shown)")
        return id
    }

    /// Whether the record is of `.all-contributorsrc`, in which some have no login.
    private var isContributor: Bool {
        marks.isSuperset(of: ColumnMapping.Marks.allContributors.subtracting(.own(.login))) && !names.isOwnExport
    }

    /// The number of the GitHub account in the address of its face: `https://avatars.githubusercontent.com/u/7?v=4`.
    /// `.all-contributorsrc` has no other id.
    var accountID: Int64? {
        guard isContributor, let url = member(.avatarURL)?.value.text else { return nil }
        let place = url.firstMatch(of: /^https:\/\/avatars[0-9]*\.githubusercontent\.com\/u\/([1-9][0-9]*)/)
        return place.flatMap { Int64($0.1) }
    }

    func name(to buffer: ByteBuffer) throws(RecordError) -> ByteSlice {
        let name = turned(try text(.name, limit: 1000, to: buffer), in: buffer)
        return names.checksNames && member(.handle) == nil ? try checked(name, to: buffer) : name
    }

    /// Returns `name` as it is shown, if its source writes names otherwise.
    private func turned(_ name: ByteSlice, in buffer: ByteBuffer) -> ByteSlice {
        guard let form = names.nameForm, !name.isEmpty else { return name }
        return buffer.keep(form.shown(String(decoding: buffer.bytes[name], as: UTF8.self)))
    }

    /// Returns `name`, or else first and last name if that looks like an account, or else nothing if readers see the
    /// login. Throws an error if the only name is an address, a number, or a text that is withheld in this record.
    private func checked(_ name: ByteSlice, to buffer: ByteBuffer) throws(RecordError) -> ByteSlice {
        let text = buffer.bytes[name]
        let isOwn = !isAccount(text)
        if isOwn, PersonName.isLikely(text) { return name }
        let isName = isOwn && PersonName.isPossible(text)
        if let template = names.otherName {
            let other = try cleaned(bytes(of: template), .name, limit: 1000, to: buffer)
            if PersonName.isPossible(buffer.bytes[other]), !isAccount(buffer.bytes[other]) { return other }
        }
        if name.isEmpty || isName { return name }
        if member(.login)?.meaning.isLeftOut == false { return .empty }
        throw RecordError("the only name is an address, a number or an account", .withoutName)
    }

    /// Whether a text is an account that is withheld in this record.
    private func isAccount(_ text: UnsafeRawBufferPointer) -> Bool {
        !text.contains(0x20)
            && members.contains { $0.meaning.isAccount && $0.value.isScalar && $0.value.withText(text.elementsEqual) }
    }

    /// Whether a contributor is a program, which its record does not say.
    var isContributingBot: Bool {
        guard isContributor, let login = member(.login)?.value.text else { return false }
        return GitAccount.isBot(login)
    }

    /// Appends the URL of the photo. Records a loss for a value that pages cannot show.
    mutating func photo(to buffer: ByteBuffer) throws(RecordError) -> ByteSlice {
        let role = ColumnMapping.Role.avatarURL
        let bytes = bytes(role)
        let address = bytes.assumingMemoryBound(to: UInt8.self).span
        // Initials stand for no picture, also in a list that a server of Rollcall wrote.
        if bytes.allSatisfy(\.isWhitespace) || DrawnPicture.isInitials(address) { return .empty }
        if DrawnPicture.face(at: address) != nil { return buffer.keep(bytes) }
        if bytes.isStorableURL { return try cleaned(bytes, role, limit: 2000, to: buffer) }
        let text = NormalizedText.cleaned(String(decoding: bytes, as: UTF8.self))
        if names.isLearned, Self.isPath(text) {
            // The path is of no use to readers, and exports would reveal the publisher's folders.
            note(
                photos?.match(cell: text) ?? .notFound, of: member(role)?.meaning.isPublic == true ? text : "")
            return .empty
        }
        // Removing control characters would change the URL.
        let isWhole = text.utf8.elementsEqual(String(decoding: bytes, as: UTF8.self).trimmed.utf8)
        if isWhole,
            case .link(let url, _) = Array(text.utf8).withUnsafeBytes((member(role)?.meaning.link ?? .web).read),
            names.isLearned || url.isWebURL
        {
            if names.isLearned { kept.append(role) }
            return url.isWebURL ? buffer.keep(url) : .empty
        }
        losses.append((.link, member(role)?.quoted ?? "\(role)"))
        return .empty
    }

    private static func isPath(_ text: String) -> Bool { !text.contains(":") || text.dropFirst().hasPrefix(":\\") }

    func text(_ role: ColumnMapping.Role, limit: Int, to buffer: ByteBuffer) throws(RecordError) -> ByteSlice {
        try cleaned(bytes(role), role, limit: limit, to: buffer)
    }

    private func cleaned(
        _ bytes: UnsafeRawBufferPointer, _ role: ColumnMapping.Role, limit: Int, to buffer: ByteBuffer
    ) throws(RecordError) -> ByteSlice {
        let text = buffer.append(cleaning: bytes)
        try RecordError.expect(
            text.count <= limit || buffer.bytes[text].count(where: { $0 & 0xC0 != 0x80 }) <= limit,
            "expected \"\(member(role)?.name ?? "\(role)")\" to have at most \(limit) characters, found more")
        return text
    }

    /// Returns the text that has `role`, from one member or by a template; it may be in ``scratch``.
    func bytes(_ role: ColumnMapping.Role) -> UnsafeRawBufferPointer {
        if let value = member(role)?.value {
            if let bytes = value.plainBytes { return bytes }
            scratch.removeAll()
            value.appendText(to: scratch)
            return scratch.bytes
        }
        guard let template = names.templates.first(where: { $0.role == role }),
            // A file with only some of the columns cannot change a value that is read from all of them.
            !names.changesColumns || template.columns.allSatisfy({ part($0) != nil })
        else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return bytes(of: template)
    }

    /// Returns the text of a template, in ``scratch``.
    private func bytes(of template: ColumnNames.UserTemplate) -> UnsafeRawBufferPointer {
        scratch.removeAll()
        template.append(to: scratch) { index in
            part(index)?.withText { NormalizedText.cleaned(String(decoding: $0, as: UTF8.self)) } ?? ""
        }
        return scratch.bytes
    }
}

extension RecordDecoder.Member {
    /// Whether the value is one of those that are withheld in its column.
    var isToBeWithheld: Bool {
        guard let withheld = meaning.withheldValues else { return false }
        guard let list = value.list else { return withheld.contains(value) }
        var isFound = false
        try? JSON.forEachElement(of: list) { if withheld.contains(.json($0)) { isFound = true } }
        return isFound
    }

    /// Whether all members without a column are inside this one, in a record of Rollcall's own export: `fields` in
    /// JSON, `more` in CSV.
    var isFurther: Bool {
        switch value {
        case .cell: key.equals(ignoringCase: "more")
        case .json: key.equals("fields")
        }
    }

    /// The name of the member's column.
    var columnName: String {
        let name = JSONString(raw: key, hasEscapes: true).text
        return number == 1 ? name : "\(name) \(number)"
    }

    /// The key as messages show it.
    var name: String { NormalizedText.cleaned(JSONString(raw: key, hasEscapes: key.contains(UInt8(ascii: "\\"))).text) }

    /// The value for messages.
    var shown: String { meaning.isPublic ? value.shown : "another value" }

    /// The name of the column, and its value if readers see the column.
    var quoted: String { meaning.isPublic ? "\(name) \(value.shown)" : name }
}

extension UnsafeRawBufferPointer {
    /// Whether these bytes, without white space around them, are an absolute http or https URL that is stored
    /// unchanged.
    var isStorableURL: Bool {
        let url = withoutBlanks
        guard url.isWebURL else { return false }
        // Nearly all URLs are ASCII. Cleaning another one could change the address.
        if url.allSatisfy({ $0 < 0x80 }) { return true }
        let text = String(decoding: url, as: UTF8.self)
        return NormalizedText.cleaned(text).utf8.elementsEqual(text.utf8)
    }
}
