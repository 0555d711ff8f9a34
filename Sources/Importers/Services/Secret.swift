import Foundation
import HTTPClient

/// A token or a key. It does not show itself, wherever it is printed.
public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let text: String

    /// `nil` if `text`, without the white space around it, is empty or could not stand in a field: visible ASCII is expected.
    public init?(_ text: String) {
        let text = text.trimmed
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        self.text = text
    }

    public var description: String { "(secret)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// `message` without it: a service may repeat what it was sent.
    func hidden(in message: String) -> String {
        message.replacingOccurrences(of: text, with: description, options: .caseInsensitive)
            .replacingOccurrences(of: WebAddress.encoded(text), with: description, options: .caseInsensitive)
    }

    private static let shortest = 16

    /// Whether `bytes` repeat it. One that is shorter than any service gives out could stand there by chance.
    func isRepeated(in bytes: UnsafeRawBufferPointer) -> Bool {
        text.utf8.count >= Self.shortest && Array(text.utf8).withUnsafeBytes { bytes.firstRange(of: $0) != nil }
    }

    func isRepeated(in message: String) -> Bool { text.utf8.count >= Self.shortest && hidden(in: message) != message }
}
