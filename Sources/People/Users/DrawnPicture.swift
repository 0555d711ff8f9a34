import Base

/// The pictures that Rollcall draws itself: initials, and the faces of made-up people.
///
/// Initials are drawn for users without a picture, so their addresses are stored nowhere.
public enum DrawnPicture {
    public static let faces = 1...10_000

    public static let facePrefix: StaticString = "/pictures/faces/"
    public static let initialsPrefix: StaticString = "/pictures/initials/"
    public static let suffix: StaticString = ".svg"

    /// Returns the path of a face, relative to the home page.
    public static func path(ofFace number: Int) -> String { "\(facePrefix)\(number)\(suffix)" }

    /// Returns the number of the face whose path, relative to the home page, is `address`; `nil` for other texts.
    public static func face(at address: Bytes) -> Int? {
        guard let number = address.removingPrefix(facePrefix)?.removingSuffix(suffix) else { return nil }
        return face(number)
    }

    /// Returns the number of a face that `text` is; `nil` for other texts, and for numbers without a face.
    public static func face(_ text: Bytes) -> Int? {
        guard text.first != UInt8(ascii: "0"), let number = Int(decimalDigits: text) else { return nil }
        return faces.contains(number) ? number : nil
    }

    /// Whether `address` is that of initials, at any server. An import takes such an address for no picture.
    public static func isInitials(_ address: Bytes) -> Bool {
        let path = address.prefix { $0 != UInt8(ascii: "?") }
        guard let rest = path.removingSuffix(suffix), let last = rest.lastIndex(of: UInt8(ascii: "/")),
            let start = rest[..<last].lastIndex(of: UInt8(ascii: "/")), hue(rest[(start + 1)..<last]) != nil
        else { return false }
        return rest[...start].ends(with: initialsPrefix)
    }

    /// Returns the hue that `text` is: `0` to `11`.
    public static func hue(_ text: Bytes) -> Int? {
        guard let number = Int(decimalDigits: text), number < 12, text.count == (number < 10 ? 1 : 2) else {
            return nil
        }
        return number
    }
}
