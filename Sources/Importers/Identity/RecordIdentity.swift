import Base
import People

/// What says who a record's person is, as slices of a batch's buffer: see ``UserToWrite/identity``.
struct RecordIdentity {
    var identity = ByteSlice.empty
    var apart = ByteSlice.empty

    var isEmpty: Bool { identity.isEmpty }
}

extension RecordDecoder {
    /// Appends the values of the key, or else the name, if the settings have a key. With several columns, some may be
    /// empty; if all are, the name identifies the person.
    ///
    /// - Parameters:
    ///   - name: The name of the person, in `buffer`; not empty unless `isIdentified`.
    ///   - isIdentified: Whether something else identifies a record without values.
    mutating func key(orName name: ByteSlice, isIdentified: Bool, to buffer: ByteBuffer) -> RecordIdentity {
        if names.knowsByName { return isIdentified ? RecordIdentity() : identity(name: name, to: buffer) }
        if names.keys.isEmpty { return RecordIdentity() }
        let values = keyValues
        if !values.allSatisfy(\.isEmpty) {
            let texts = ByteBuffer(capacity: 256)
            let slices = values.map { texts.keep($0) }
            return RecordIdentity(identity: buffer.append(identityOf: .key, slices.map { texts.bytes[$0] }))
        }
        if isIdentified { return RecordIdentity() }
        losses.append(ImportLosses.Loss(.withoutKey, names.keys.joined(separator: " or ")))
        return identity(name: name, to: buffer)
    }

    /// Appends what says who a person without an id and a key is: the login, a UID, or else the name. The handle alone
    /// says it in an export of the directory.
    func identity(
        login: ByteSlice, handle: ByteSlice, name: ByteSlice, to buffer: ByteBuffer
    ) -> RecordIdentity {
        if !login.isEmpty { return RecordIdentity(identity: identity(of: .login, login, to: buffer)) }
        if !uid.isEmpty {
            scratch.removeAll()
            scratch.append(utf8: uid)
            return RecordIdentity(identity: buffer.append(identityOf: .key, [scratch.bytes]))
        }
        return handle.isEmpty ? identity(name: name, to: buffer) : RecordIdentity()
    }

    /// The values of the columns that identify people, or tell those of one name apart.
    private var keyValues: [String] {
        names.keys.indices.map { NormalizedText.cleaned(keyPart($0)?.text ?? "") }
    }

    /// Appends the name, which is in the same buffer, as what identifies the person.
    private func identity(name: ByteSlice, to buffer: ByteBuffer) -> RecordIdentity {
        var found = RecordIdentity(identity: identity(of: .name, name, to: buffer))
        guard names.knowsByName, !names.keys.isEmpty else { return found }
        let start = buffer.count
        let folded = ByteBuffer(capacity: 64)
        for value in keyValues {
            folded.removeAll()
            let text = folded.append(folding: value)
            buffer.append(counted: folded.bytes[text])
        }
        found.apart = ByteSlice(offset: start, count: buffer.count - start)
        return found
    }

    private func identity(of kind: IdentityKind, _ text: ByteSlice, to buffer: ByteBuffer) -> ByteSlice {
        scratch.removeAll()
        scratch.append(buffer.bytes[text])
        return buffer.append(identityOf: kind, [scratch.bytes])
    }
}
