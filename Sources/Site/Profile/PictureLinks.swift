import Base
import People

/// Writes the addresses of the pictures of one directory's people.
struct PictureLinks {
    let mode: PictureMode
    /// The part before paths on this server.
    let base: String

    init(_ directory: Directory, _ configuration: Site.Configuration, base: String) {
        mode = configuration.pictureMode(of: directory)
        self.base = base
    }

    /// The kind of picture that shows a person.
    enum Picture: ~Escapable {
        case stored(PictureKey)
        /// The number of a face that Rollcall draws.
        case face(Int)
        /// An http or https URL of the source.
        case url(Bytes)
        case initials
    }

    @_lifetime(copy person)
    func picture(of person: Profile) -> Picture {
        if let key = person.row.picture, mode == .cache || mode == .link && person.row.hasOwnPicture {
            return .stored(key)
        }
        if let number = DrawnPicture.face(at: person.photo) { return .face(number) }
        // Imports check this, but another program may have written the database: no `javascript:` links.
        return mode == .link && person.photo.isWebURL ? .url(person.photo) : .initials
    }

    /// The colour behind the person in the picture, `0` to `11`, or `nil` for grey; that of the initials where the
    /// picture's is not known.
    func hue(of person: Profile) -> Int? {
        switch picture(of: person) {
        case .stored(let key): key.hue.number
        case .face(let number): Face(number).hue
        case .url, .initials: person.hue
        }
    }

    /// Appends the address of a picture for a page; nothing for a person without one, because pages have initials.
    func append(_ size: PictureSize, of person: Profile, to buffer: ByteBuffer) {
        switch picture(of: person) {
        case .stored(let key):
            buffer.append(utf8: base)
            buffer.append(PictureAddress(key, size))
        case .face(let number):
            buffer.append(utf8: base)
            buffer.append(pathOfFace: number)
        case .url(let url): buffer.append(url)
        case .initials: break
        }
    }

    /// Appends the address of a stored picture in another size than the one that the page names first; nothing for
    /// pictures that have one size.
    func append(stored size: PictureSize, of person: Profile, to buffer: ByteBuffer) {
        guard case .stored(let key) = picture(of: person) else { return }
        buffer.append(utf8: base)
        buffer.append(PictureAddress(key, size))
    }

    /// Whether there is a picture, and not only initials.
    func hasPicture(of person: Profile) -> Bool {
        if case .initials = picture(of: person) { false } else { true }
    }

    /// Appends the address of a person's picture as a JSON string: that of their initials without one.
    func append(jsonOf person: Profile, to buffer: ByteBuffer) {
        let picture = picture(of: person)
        if case .url(let url) = picture { return buffer.append(jsonString: url) }
        buffer.append("\"")
        buffer.append(utf8: base)
        switch picture {
        case .stored(let key): buffer.append(PictureAddress(key, .medium))
        case .face(let number): buffer.append(pathOfFace: number)
        case .url, .initials: buffer.append(initialsPathOf: person)
        }
        buffer.append("\"")
    }
}

extension ByteBuffer {
    fileprivate func append(pathOfFace number: Int) {
        append(DrawnPicture.facePrefix)
        append(decimal: number)
        append(DrawnPicture.suffix)
    }

    /// Appends the path of the picture with a user's initials.
    fileprivate func append(initialsPathOf person: Profile) {
        append(DrawnPicture.initialsPrefix)
        append(decimal: person.hue)
        append("/")
        let letters = ByteBuffer(capacity: 64)
        letters.append(initialsOf: person.displayName, of: person.kind)
        append(percentEncoding: letters)
        append(DrawnPicture.suffix)
    }
}
