import Base
import People
import Server

/// The pictures that Rollcall draws. They depend on nothing but their address: no store is asked, no user is looked up,
/// and users with the same initials and hue share one. Parameters, such as the size that clients of GitHub append, are
/// ignored.
extension RoutedRequest {
    /// `/pictures/initials/{hue}/{letters}.svg`: the hue from 0 to 11, and at most two characters. 404 for any other
    /// address.
    func initials() throws -> Reply {
        guard let slash = match.wildcard.firstIndex(of: UInt8(ascii: "/")),
            let hue = DrawnPicture.hue(match.wildcard[..<slash]),
            let letters = scratch.decodedText(match.wildcard[(slash + 1)...]),
            let initials = InitialsDrawing(letters: letters, hue: hue)
        else { throw HTTPError.notFound }
        return drawing { initials.append(to: $0) }
    }

    /// `/pictures/faces/{number}.svg`: the same face every time. 404 for any other address.
    func face() throws -> Reply {
        let number = try required(DrawnPicture.face(match.wildcard), .notFound)
        return drawing { Face(number).append(to: $0) }
    }

    private func drawing(_ draw: (ByteBuffer) -> Void) -> Reply {
        renderer.body.removeAll()
        draw(renderer.body)
        return .now(renderer.response(to: request, route, client) { configuration.appendPictureFields(to: &$0) })
    }
}

/// One or two letters on a square of one of twelve hues, in the colours of light pages.
struct InitialsDrawing {
    private let letters: String
    private let hue: Int

    /// Returns `nil` for more than two characters or 64 bytes, and for control characters.
    init?(letters: String, hue: Int) {
        let isControl = { (scalar: Unicode.Scalar) in
            [.control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse].contains(
                scalar.properties.generalCategory)
        }
        guard letters.count <= 2, letters.utf8.count <= 64, !letters.unicodeScalars.contains(where: isControl),
            !letters.contains("/")
        else { return nil }
        (self.letters, self.hue) = (letters, hue)
    }

    /// The initials of a person, in the person's hue.
    init(of user: Profile) {
        letters = String(writing: { $0.append(initialsOf: user.displayName, of: user.kind) })
        hue = user.hue
    }

    func append(to buffer: ByteBuffer, side: Int? = nil) {
        let degrees = Double(hue) * 30
        buffer.append(startOfDrawing: "0 0 96 96", side: side)
        buffer.append(#"<path fill=""#)
        buffer.append(utf8: OKLCH(lightness: 0.9, chroma: 0.06, hue: degrees).colour.hexadecimal)
        buffer.append(#"" d="M0 0h96v96H0z"/><text x="48" y="48" dy=".36em" fill=""#)
        buffer.append(utf8: OKLCH(lightness: 0.38, chroma: 0.11, hue: degrees).colour.hexadecimal)
        buffer.append(#"" font-family="system-ui,sans-serif" font-size="36" font-weight="600" text-anchor="middle">"#)
        letters.withUTF8Bytes { buffer.append(escapingHTML: $0) }
        buffer.append("</text></svg>")
    }
}

extension ByteBuffer {
    /// Appends the start tag of a square drawing in SVG.
    /// - Parameter side: the side of the square in a larger drawing; `nil` for a drawing of its own.
    func append(startOfDrawing viewBox: StaticString, side: Int?) {
        append(#"<svg xmlns="http://www.w3.org/2000/svg""#)
        if let side { append(width: side, height: side) }
        append(#" viewBox=""#)
        append(viewBox)
        append(#"">"#)
    }

    /// Appends the attributes with the size of an image or a drawing.
    func append(width: Int, height: Int) {
        append(#" width=""#)
        append(decimal: width)
        append(#"" height=""#)
        append(decimal: height)
        append("\"")
    }
}
