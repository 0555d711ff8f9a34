import Foundation

/// A request in literal bytes, hostile or not, and its expected outcome. The cases are in `Tests/Corpus`, whose README
/// describes the format.
public struct HTTPCase: Sendable, CustomStringConvertible {
    /// The statuses of the responses, and the state of the connection afterwards.
    public struct Outcome: Equatable, Sendable, CustomStringConvertible {
        public enum End: String, Sendable {
            /// The next request gets a response.
            case open
            case close
            /// The server waits for more bytes.
            case waits
        }

        public var statuses: [Int]
        public var end: End

        public init(_ statuses: [Int], _ end: End) {
            self.statuses = statuses
            self.end = end
        }

        public var description: String { (statuses.map(String.init) + [end.rawValue]).joined(separator: " ") }
    }

    public let name: String
    /// The section of the standard that decides the case.
    public let section: String
    /// The source of the idea.
    public let source: String
    /// The bytes, with escapes.
    public let text: String
    public let outcome: Outcome
    /// Lines that the head of the last response must contain.
    public let lines: [String]
    /// Fields that it must not contain.
    public let absentFields: [String]

    public var description: String { "\(section): \(name)" }

    /// Returns the bytes to send, with the file's validator where the case asks for it.
    public func bytes(etag: String = "") throws -> [UInt8] {
        try HTTPCase.unescape(text.replacing("\\{etag}", with: etag))
    }

    /// Replaces `\r`, `
    /// `, `\t`, `\0`, `\\`, `\xFF`, and `\{9*text}`, which is text nine times.
    private static func unescape(_ text: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Substring(text)
        while let character = rest.popFirst() {
            guard character == "\\" else {
                bytes += Array(String(character).utf8)
                continue
            }
            switch rest.popFirst() {
            case "r": bytes.append(13)
            case "n": bytes.append(10)
            case "t": bytes.append(9)
            case "0": bytes.append(0)
            case "\\": bytes.append(92)
            case "x":
                guard let byte = UInt8(rest.prefix(2), radix: 16) else { throw Failure("expected \\xFF in \(text)") }
                bytes.append(byte)
                rest = rest.dropFirst(2)
            case "{":
                let parts = rest.prefix { $0 != "}" }.split(separator: "*", maxSplits: 1)
                guard parts.count == 2, let times = Int(parts[0]) else {
                    throw Failure("expected \\{9*text} in \(text)")
                }
                let repeated = try unescape(String(parts[1]))
                for _ in 0..<times { bytes += repeated }
                rest = rest.drop { $0 != "}" }.dropFirst()
            default: throw Failure("expected an escape in \(text)")
            }
        }
        return bytes
    }
}

extension HTTPCase {
    /// Returns the cases of one file of `Tests/Corpus`.
    public static func all(in file: String) throws -> [HTTPCase] {
        let url = RollcallProcess.packageFolder.appending(path: "Tests/Corpus/\(file).txt")
        var cases: [HTTPCase] = []
        var section = ""
        var source = ""
        for block in try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n\n") {
            var draft = Draft()
            for line in block.split(separator: "\n") where !line.hasPrefix("#") {
                let value = String(line.dropFirst(2))
                switch line.first {
                case "§": section = value
                case "@": source = value
                default: try draft.note(line, value)
                }
            }
            if let name = draft.name { cases.append(try draft.finish(name, section, source)) }
        }
        return cases
    }

    /// A case whose lines are being read.
    private struct Draft {
        var name: String?
        var text = ""
        var outcome: Outcome?
        var lines: [String] = []
        var absentFields: [String] = []

        mutating func note(_ line: Substring, _ value: String) throws {
            switch line.prefix(2) {
            case "> ", ">": text += value
            case "< ": outcome = Self.outcome(value)
            case "= ": lines.append(value)
            case "! ": absentFields.append(value)
            default:
                guard name == nil else { throw Failure("expected one name and an empty line after the case: \(line)") }
                name = String(line)
            }
        }

        func finish(_ name: String, _ section: String, _ source: String) throws -> HTTPCase {
            guard let outcome else { throw Failure("expected an outcome such as < 200 open in the case “\(name)”") }
            return HTTPCase(
                name: name, section: section, source: source, text: text, outcome: outcome, lines: lines,
                absentFields: absentFields)
        }

        private static func outcome(_ text: String) -> Outcome? {
            let words = text.split(separator: " ").map(String.init)
            guard let end = words.last.flatMap(Outcome.End.init) else { return nil }
            let statuses = words.dropLast().compactMap { Int($0) }
            return statuses.count == words.count - 1 ? Outcome(statuses, end) : nil
        }
    }
}
