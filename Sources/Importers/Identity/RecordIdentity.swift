import Base
import People

/// What says who a record's person is, as slices of a batch's buffer: see ``UserBatch/Entry/identity``.
struct RecordIdentity {
    var identity = ByteSlice.empty
    var apart = ByteSlice.empty

    var isEmpty: Bool { identity.isEmpty }
}

extension ImportRecord {
    /// Appends the values of the key, or else the name, if the settings have a key. With several columns, some may be
    /// empty; if all are, the name identifies the person.
    ///
    /// - Parameters:
    ///   - name: The name of the person, in `buffer`.
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
        if isIdentified || name.isEmpty { return RecordIdentity() }
        losses.append(ImportLosses.Loss(.withoutKey, names.keys.joined(separator: " or ")))
        return identity(name: name, to: buffer)
    }

    /// Appends what says who a person without an id and a key is: the login, a UID, or else the name. The handle alone
    /// says it in an export of the directory.
    func identity(
        login: ByteSlice, handle: ByteSlice, name: ByteSlice, to buffer: ByteBuffer
    ) -> RecordIdentity {
        if !login.isEmpty { return identity(login: login, to: buffer) }
        if !uid.isEmpty { return identity(uid: uid, to: buffer) }
        return handle.isEmpty ? identity(name: name, to: buffer) : RecordIdentity()
    }

    /// The values of the columns that identify people, or tell those of one name apart.
    private var keyValues: [String] {
        names.keys.indices.map { NormalizedText.cleaned(keyPart($0)?.text ?? "") }
    }

    /// Appends the name, which is in the same buffer, as what identifies the person.
    func identity(name: ByteSlice, to buffer: ByteBuffer) -> RecordIdentity {
        if name.isEmpty { return RecordIdentity() }
        var found = RecordIdentity(identity: identity(of: .name, name, to: buffer))
        guard names.knowsByName, !names.keys.isEmpty else { return found }
        let start = buffer.count
        let scratch = ByteBuffer(capacity: 64)
        for value in keyValues {
            scratch.removeAll()
            let folded = scratch.append(folding: value)
            buffer.append(counted: scratch.bytes[folded])
        }
        found.apart = ByteSlice(offset: start, count: buffer.count - start)
        return found
    }

    /// Appends a text that identifies the person, with the same rules as a key.
    func identity(uid: String, to buffer: ByteBuffer) -> RecordIdentity {
        var uid = uid
        return RecordIdentity(
            identity: uid.withUTF8 { buffer.append(identityOf: .key, [UnsafeRawBufferPointer($0)]) })
    }

    /// Appends the login, which is in the same buffer, as what identifies the person.
    func identity(login: ByteSlice, to buffer: ByteBuffer) -> RecordIdentity {
        RecordIdentity(identity: identity(of: .login, login, to: buffer))
    }

    private func identity(of kind: IdentityKind, _ text: ByteSlice, to buffer: ByteBuffer) -> ByteSlice {
        scratch.removeAll()
        scratch.append(buffer.bytes[text])
        return buffer.append(identityOf: kind, [scratch.bytes])
    }
}
