import Base
import Foundation
import HTTPClient

/// A token or a key. It is hidden wherever it is printed.
public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let text: String

    /// Creates a secret from `text` without surrounding white space. Returns `nil` unless the rest is visible ASCII and
    /// not empty, as in a header field.
    public init?(_ text: String) {
        let text = text.trimmed
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        self.text = text
    }

    public var description: String { "(secret)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Returns `message` without the secret: a service may repeat what it was sent.
    func hidden(in message: String) -> String {
        message.replacingOccurrences(of: text, with: description, options: .caseInsensitive)
            .replacingOccurrences(of: WebAddress.encoded(text), with: description, options: .caseInsensitive)
    }

    private static let shortest = 16

    /// Whether `bytes` contain the secret. A secret shorter than any service issues could occur by chance.
    func isRepeated(in bytes: UnsafeRawBufferPointer) -> Bool {
        text.utf8.count >= Self.shortest && Array(text.utf8).withUnsafeBytes { bytes.firstRange(of: $0) != nil }
    }

    func isRepeated(in message: String) -> Bool { text.utf8.count >= Self.shortest && hidden(in: message) != message }
}
