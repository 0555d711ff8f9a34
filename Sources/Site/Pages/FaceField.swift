import Base
import People
import Template

/// `_face.mustache`, and a link with it: another person.
enum FaceField: Int, TemplateField {
    case href, name
    /// A text that tells the person from another one of the same name; else empty.
    case note
    /// As in ``ArticleField``.
    case avatar, initials, hue
    /// `org` or `bot`; empty for a person.
    case shape

    static let kinds = FieldKinds<Self>(urls: [.href, .avatar])
}

extension Layout {
    /// Sets a list of people of `directory` with faces.
    /// - Parameters:
    ///   - reader: that of the directory.
    ///   - notesIDs: whether ids tell people of one name apart.
    func setFaces<F: TemplateField>(
        _ frame: Frame<F>, _ field: F, _ users: UserRows, of directory: Directory, _ reader: FieldReader,
        notesIDs: Bool = false, _ href: (Profile, ByteBuffer) -> Void = { _, _ in }
    ) {
        let pictures = pictures(of: directory)
        let faces = model.makeList(frame, field, of: FaceField.self, count: users.rows.count)
        if faces.isEmpty { return }
        reader.forEachProfile(of: users) { index, person in
            let face = faces[index]
            model.write(face, .href) { href(person, $0) }
            model.set(face, .name, person.displayName)
            model.write(face, .avatar) { pictures.append(.small, of: person, to: $0) }
            model.write(face, .initials) { $0.append(initialsOf: person.displayName, of: person.kind) }
            model.set(face, .hue, decimal: person.hue)
            model.write(face, .shape) { $0.append(person.kind.names.shape) }
            if notesIDs, person.showsID { model.set(face, .note, decimal: person.id) }
        }
    }

    /// The people on either side of the one who is missing.
    static let facesAroundNobody = 4

    /// Sets two people before and two after the one who is missing; nothing if there are fewer.
    func setFacesAroundNobody<F: TemplateField>(
        _ frame: Frame<F>, _ hasFaces: F, _ before: F, _ after: F, _ users: UserRows, of directory: Directory
    ) {
        guard users.rows.count == Self.facesAroundNobody else { return }
        let reader = directory.settings.makeReader()
        var half = users
        model.set(frame, hasFaces, flag: true)
        half.rows = Array(users.rows.prefix(2))
        setFaces(frame, before, half, of: directory, reader)
        half.rows = Array(users.rows.dropFirst(2))
        setFaces(frame, after, half, of: directory, reader)
    }
}
