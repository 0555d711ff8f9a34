import Base

/// The first line of a template that was copied from a built-in one: which version of the program it is from.
///
/// ```
/// {{! rollcall 0.1.0 page 5ee5697e }}
/// ```
public struct TemplateOrigin: Equatable, Sendable {
    public let version: String
    public let name: String
    /// The hash of the original, as eight hexadecimal digits.
    public let hash: String

    /// The origin of a copy of built-in template `name` by this version of the program; `nil` if there is none.
    public init?(copying name: String, version: String) {
        guard let original = Assets.builtIn.template(name) else { return nil }
        (self.version, self.name) = (version, name)
        hash = Self.hash(of: original)
    }

    /// Reads the first line of a template; `nil` if it says nothing about an origin.
    public init?(_ template: [UInt8]) {
        let line = String(decoding: template.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
        guard let match = line.wholeMatch(of: /\{\{! rollcall (\S+) (\S+) ([0-9a-f]{8}) \}\}/) else { return nil }
        (version, name, hash) = (String(match.1), String(match.2), String(match.3))
    }

    /// The line, without its end.
    public var line: String { "{{! rollcall \(version) \(name) \(hash) }}" }

    /// Whether the original is still the built-in template.
    public var isCurrent: Bool { Assets.builtIn.template(name).map(Self.hash) == hash }

    /// FNV-1a, 32 bits: it tells versions of one text apart, and protects nothing.
    private static func hash(of template: [UInt8]) -> String {
        template.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }.hexadecimal
    }
}
