import Base
import Foundation
import People

/// The wall of faces as SVG: rows of pictures, and the number of people who are not shown. The pictures are part of the
/// image, because an image loads no others.
struct WallDrawing {
    let people: WallPeople
    let links: PictureLinks
    /// The stored pictures; those that would be too many for the document may be missing.
    let pictures: [PictureKey: Picture]
    let columns: Int
    /// The side of a face in CSS px.
    let size: Int

    /// GitHub's proxy takes images of up to 5 MiB.
    static let maxBytes = 2 << 20
    static let maxPictureBytes = 24 << 10
    /// The space between faces in CSS px.
    private static let gap = 4
    /// More than the end of the document takes: the number of the others, and the last tag.
    private static let endBytes = 1024

    typealias Picture = (bytes: [UInt8], mediaType: StaticString)

    /// Appends the document. After the first picture that would make it larger than ``maxBytes``, all people have
    /// initials.
    func append(to buffer: ByteBuffer, scratch: ByteBuffer) {
        let reader = people.directory.settings.makeReader()
        appendStart(to: buffer)
        var initials: [Int] = []
        reader.forEachProfile(of: people.users) { index, person in
            scratch.removeAll()
            append(person, at: index, to: scratch) { InitialsDrawing(of: person).append(to: scratch, side: size) }
            initials.append(scratch.count)
        }
        // The size of the document so far and of the rest, if the rest has initials.
        var bytes = initials.reduce(buffer.count + Self.endBytes, +)
        var isFull = false
        reader.forEachProfile(of: people.users) { index, person in
            let start = buffer.count
            if !isFull, append(pictureOf: person, at: index, to: buffer) {
                bytes += buffer.count - start - initials[index]
                if bytes <= Self.maxBytes { return }
                isFull = true
                buffer.truncate(to: start)
            }
            append(person, at: index, to: buffer) { InitialsDrawing(of: person).append(to: buffer, side: size) }
        }
        appendRest(to: buffer)
        buffer.append("</svg>")
    }

    // MARK: People

    /// Appends the picture of a person. Returns `false`, and appends nothing, for a person without one that can be part
    /// of the image.
    private func append(pictureOf user: Profile, at index: Int, to buffer: ByteBuffer) -> Bool {
        switch links.picture(of: user) {
        case .stored(let key):
            guard let picture = pictures[key] else { return false }
            append(user, at: index, to: buffer) { append(picture.bytes, picture.mediaType, to: buffer) }
            return true
        case .face(let number):
            append(user, at: index, to: buffer) { Face(number).append(to: buffer, side: size) }
            return true
        // An image asks no other server for anything.
        case .url, .initials: return false
        }
    }

    private func append(_ picture: [UInt8], _ mediaType: StaticString, to buffer: ByteBuffer) {
        buffer.append("<image")
        buffer.append(width: size, height: size)
        buffer.append(#" href="data:"#)
        buffer.append(mediaType)
        buffer.append(";base64,")
        buffer.append(utf8: Data(picture).base64EncodedString())
        buffer.append(#""/>"#)
    }

    /// Appends a person's place in the wall, with the shape of the person's pictures elsewhere.
    private func append(_ user: Profile, at index: Int, to buffer: ByteBuffer, _ draw: () -> Void) {
        append(at: index, user.kind, to: buffer)
        buffer.append("<title>")
        buffer.append(escapingHTML: user.displayName)
        buffer.append("</title>")
        draw()
        buffer.append("</g>")
    }

    private func append(at index: Int, _ kind: AccountKind, to buffer: ByteBuffer) {
        buffer.append(#"<g clip-path="url(#"#)
        buffer.append(kind.names.wall)
        buffer.append(#")" transform="translate("#)
        buffer.append(decimal: index % columns * (size + Self.gap))
        buffer.append(" ")
        buffer.append(decimal: index / columns * (size + Self.gap))
        buffer.append(#")">"#)
    }

    // MARK: Around the people

    /// The text of the last place; `nil` if everybody is shown.
    private var rest: String? {
        guard people.others != 0 else { return nil }
        return people.others.map { "+\($0)" } ?? "…"
    }

    private func appendStart(to buffer: ByteBuffer) {
        let places = max(1, people.users.rows.count + (rest == nil ? 0 : 1))
        let width = min(columns, places) * (size + Self.gap) - Self.gap
        let height = (places + columns - 1) / columns * (size + Self.gap) - Self.gap
        buffer.append(#"<svg xmlns="http://www.w3.org/2000/svg""#)
        buffer.append(width: width, height: height)
        buffer.append(#" viewBox="0 0 "#)
        buffer.append(decimal: width)
        buffer.append(" ")
        buffer.append(decimal: height)
        buffer.append(#""><title>"#)
        people.directory.title.withUTF8Bytes { buffer.append(escapingHTML: $0) }
        buffer.append("</title><defs>")
        append(shape: .person, #"circle cx=".5" cy=".5" r=".5""#, to: buffer)
        append(shape: .organization, #"rect width="1" height="1" rx=".26""#, to: buffer)
        append(shape: .software, #"path d="M.5 0 1 .25v.5L.5 1 0 .75v-.5z""#, to: buffer)
        buffer.append("</defs>")
    }

    private func append(shape kind: AccountKind, _ element: StaticString, to buffer: ByteBuffer) {
        buffer.append(#"<clipPath id=""#)
        buffer.append(kind.names.wall)
        buffer.append(#""><"#)
        buffer.append(element)
        buffer.append(#" transform="scale("#)
        buffer.append(decimal: size)
        buffer.append(#")"/></clipPath>"#)
    }

    /// Appends the number of people who are not shown, in colours that suit light and dark pages.
    private func appendRest(to buffer: ByteBuffer) {
        guard let rest else { return }
        append(at: people.users.rows.count, .person, to: buffer)
        buffer.append(startOfDrawing: "0 0 96 96", side: size)
        buffer.append(##"<path fill="#e4e6ea" d="M0 0h96v96H0z"/><text x="48" y="48" dy=".36em" fill="#3f444d""##)
        buffer.append(#" font-family="system-ui,sans-serif" font-weight="600" text-anchor="middle" font-size=""#)
        // A character is about 0.6 em wide, and the text has 80 units.
        buffer.append(decimal: min(32, 80 * 10 / (rest.count * 6)))
        buffer.append(#"">"#)
        buffer.append(utf8: rest)
        buffer.append("</text></svg></g>")
    }
}
