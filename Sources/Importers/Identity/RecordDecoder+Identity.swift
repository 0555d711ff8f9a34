import Base
import People

extension RecordDecoder {
    /// Says who a record's person is, and appends the texts that say it. The first of these counts:
    ///
    /// 1. an address of the history;
    /// 2. the values of the key, if the settings have one, or else the name. With several columns, some may be empty. A
    ///    handle, or an id in our own exports, stands for values that are missing;
    /// 3. the id, and for the account of a contributor the login, too;
    /// 4. the login;
    /// 5. a UID;
    /// 6. the handle of an export of this directory;
    /// 7. the name.
    ///
    /// Returns the id that the source gives, or 0 if the store finds or makes it, and ``UserToWrite/identity`` and
    /// ``UserToWrite/apart``; `nil` for a contributor without a face whom an earlier record has with one.
    ///
    /// - Parameters:
    ///   - givenID: The id in the record, or that of the account in the address of its face.
    ///   - name: The name in `buffer`, or else the login.
    mutating func identity(
        _ givenID: Int64?, login: ByteSlice, handle: ByteSlice, name: ByteSlice, to buffer: ByteBuffer
    ) -> (id: Int64, identity: ByteSlice, apart: ByteSlice)? {
        if let address = addresses.first { return (0, identity(of: .address, address, to: buffer), .empty) }
        let values = names.knowsByName ? [] : keyValues
        if !values.allSatisfy(\.isEmpty) {
            let texts = ByteBuffer(capacity: 256)
            let slices = values.map { texts.keep($0) }
            return (0, buffer.append(identityOf: .key, slices.map { texts.bytes[$0] }), .empty)
        }
        let isIdentified = !handle.isEmpty || names.isOwnExport && givenID != nil
        if !values.isEmpty, !isIdentified { losses.append((.withoutKey, names.keys.joined(separator: " or "))) }
        if names.isKeyed, !isIdentified { return identity(name: name, to: buffer) }
        var known = (id: givenID ?? 0, identity: ByteSlice.empty, apart: ByteSlice.empty)
        if known.id > 0, login.isEmpty || accountID != known.id { return known }
        if !login.isEmpty {
            if note(account: login, in: buffer, hasFace: known.id > 0) { return nil }
            known.identity = identity(of: .login, login, to: buffer)
        } else if !uid.isEmpty {
            known.identity = identity(of: .key, uid, to: buffer)
        } else if handle.isEmpty {
            return identity(name: name, to: buffer)
        }
        return known
    }

    /// Notes the account of a contributor with a face. Returns whether one without a face is such an account, whose
    /// earlier record says more.
    private mutating func note(account login: ByteSlice, in buffer: ByteBuffer, hasFace: Bool) -> Bool {
        if !hasFace, accounts.isEmpty { return false }
        let account = String(decoding: buffer.bytes[login], as: UTF8.self).folded
        if hasFace { accounts.insert(account) }
        return !hasFace && accounts.contains(account)
    }

    /// The values of the columns that identify people, or tell those of one name apart.
    private var keyValues: [String] {
        names.keys.indices.map { NormalizedText.cleaned(keyPart($0)?.text ?? "") }
    }

    /// Appends the name, which is in the same buffer, as what identifies the person.
    private func identity(
        name: ByteSlice, to buffer: ByteBuffer
    ) -> (id: Int64, identity: ByteSlice, apart: ByteSlice) {
        let identity = identity(of: .name, name, to: buffer)
        guard names.knowsByName, !names.keys.isEmpty else { return (0, identity, .empty) }
        let start = buffer.count
        let folded = ByteBuffer(capacity: 64)
        for value in keyValues {
            folded.removeAll()
            let text = folded.append(folding: value)
            buffer.append(counted: folded.bytes[text])
        }
        return (0, identity, ByteSlice(offset: start, count: buffer.count - start))
    }

    /// Appends the addresses after the first one, as ``UserToWrite/furtherIdentities``.
    func furtherIdentities(to buffer: ByteBuffer) -> ByteSlice {
        let start = buffer.count
        for address in addresses.dropFirst() {
            scratch.removeAll()
            _ = identity(of: .address, address, to: scratch)
            buffer.append(counted: scratch.bytes)
        }
        return ByteSlice(offset: start, count: buffer.count - start)
    }

    private func identity(of kind: IdentityKind, _ text: String, to buffer: ByteBuffer) -> ByteSlice {
        text.withBytes { buffer.append(identityOf: kind, [$0]) }
    }

    private func identity(of kind: IdentityKind, _ text: ByteSlice, to buffer: ByteBuffer) -> ByteSlice {
        scratch.removeAll()
        scratch.append(buffer.bytes[text])
        return buffer.append(identityOf: kind, [scratch.bytes])
    }
}
