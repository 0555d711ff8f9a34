import Base
import People

/// The addresses of the people of one directory: of their pages on this server, and of their pictures.
struct PersonAddresses {
    let linked: LinkedDirectory
    /// The absolute URL of the home page, without its last slash; empty if the host is not known.
    let home: String
    let pictures: PictureLinks

    init(of linked: LinkedDirectory, home: String, base: String, _ configuration: Site.Configuration) {
        (self.linked, self.home) = (linked, home)
        pictures = PictureLinks(linked.directory, configuration, base: base)
    }

    var directory: Directory { linked.directory }

    /// The part before paths on this server: absolute, if the host is known.
    var base: String { pictures.base }

    func append(pageOf person: Profile, to buffer: ByteBuffer) {
        buffer.append(userPathOf: person.login, below: base, in: linked)
    }

    /// Appends the absolute URL of a picture for programs, which may show no drawing; nothing without one.
    func append(photoOf person: Profile, to buffer: ByteBuffer) {
        switch pictures.picture(of: person) {
        case .stored where home.isEmpty, .face, .initials: break
        case .stored, .url: pictures.append(.medium, of: person, to: buffer)
        }
    }
}
