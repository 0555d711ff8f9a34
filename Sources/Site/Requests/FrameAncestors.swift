import Base

/// The pages that may show framed pages: the sources of `frame-ancestors` (Content Security Policy Level 3 §6.4.2).
public struct FrameAncestors: Equatable, Sendable {
    /// The value of the directive.
    let sources: String

    /// Every page on the web.
    public static let any = FrameAncestors(sources: "*")
    /// No page.
    public static let none = FrameAncestors(sources: "'none'")

    /// The value for people: `this very origin, https://example.org`.
    var list: String {
        sources.split(separator: " ").map { $0 == "'self'" ? "this very origin" : $0 }.joined(separator: ", ")
    }

    private init(sources: String) { self.sources = sources }

    /// `*`, `none`, or a list of `self`, origins and hosts that begin with `*.`, separated by commas.
    public init(_ text: String) throws(RollcallError) {
        switch text {
        case "*": self = .any
        case "none", "": self = .none
        default:
            var sources: [Substring] = []
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                let source = part.drop { $0 == " " }
                try expect(
                    source == "self" || Self.isOrigin(source),
                    "expected '*', 'none', or self and origins like https://example.org or https://*.example.org, "
                        + "separated by commas, found “\(source)”")
                sources.append(source == "self" ? "'self'" : source)
            }
            self.sources = sources.joined(separator: " ")
        }
    }

    /// A scheme, a host that may begin with a wildcard, and perhaps a port: no character that could end the directive
    /// or the field.
    private static func isOrigin(_ text: Substring) -> Bool {
        text.wholeMatch(of: /[a-z][a-z0-9+.\-]*:\/\/(\*\.)?[A-Za-z0-9\-]+(\.[A-Za-z0-9\-]+)*(:([0-9]{1,5}|\*))?/) != nil
    }
}
