import HTTPClient
import Base

extension ClientAnswer {
    /// The answer without a byte order mark, which JSON may not begin with (RFC 8259 §8.1).
    var withoutByteOrderMark: ClientAnswer {
        guard body.starts(with: [0xEF, 0xBB, 0xBF]) else { return self }
        var answer = self
        answer.body.removeFirst(3)
        return answer
    }

    /// The answer with a space in the place of every byte that no JSON has, if its body is not JSON: one bad byte
    /// spoils a record, and not the page. All other bytes stay where they are, so that a record is found in the answer
    /// as it was received, where its bytes are rejected.
    var readable: ClientAnswer {
        if body.withUnsafeBytes({ (try? JSON.value($0)) != nil }) { return self }
        var answer = self
        answer.body = Self.withoutBadBytes(body)
        return answer
    }

    /// Replaces what is not UTF-8, and control characters, by as many spaces.
    private static func withoutBadBytes(_ bytes: [UInt8]) -> [UInt8] {
        var (clean, rest, parser) = ([UInt8](), bytes.makeIterator(), Unicode.UTF8.ForwardParser())
        clean.reserveCapacity(bytes.count)
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let character): clean += character.map { $0 < 0x20 ? 0x20 : $0 }
            case .error(let length): clean += repeatElement(0x20, count: length)
            case .emptyInput: return clean
            }
        }
    }
}
