import Bytes
import TestSupport
import Testing

@Suite("Escaping for HTML")
struct EscapingTests {
    @Test func everyByteIsEscapedOrKept() {
        let entities: [UInt8: String] = [38: "&amp;", 60: "&lt;", 62: "&gt;", 34: "&quot;", 39: "&#39;"]
        for byte in UInt8.min...UInt8.max {
            #expect(escape([byte]) == entities[byte].map { Array($0.utf8) } ?? [byte])
        }
    }

    @Test func everyByteAtEveryPlaceOfTextsOfEveryLength() {
        for length in 1...25 {
            for place in 0..<length {
                for byte: UInt8 in [0, 33, 35, 37, 40, 0x3B, 0x3D, 0x3F, 0x80, 0xA6, 0xFF] + Array("&<>\"'".utf8) {
                    var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: length)
                    bytes[place] = byte
                    #expect(escape(bytes) == slowlyEscape(bytes))
                }
            }
        }
    }

    @Test func aTextOfNothingElseGrowsTheBuffer() {
        let special = Array("&<>\"'".utf8)
        for length in 0...40 {
            let bytes = (0..<length).map { special[$0 % 5] }
            #expect(escape(bytes) == slowlyEscape(bytes))
        }
    }

    @Test(arguments: 0..<200) func unescapingGivesTheBytesBack(_ seed: Int) {
        var random = SplitMix(state: UInt64(seed))
        // Half of them special, or nearly.
        let bytes = (0..<Int(random.next() % 300)).map { _ in
            random.next() % 2 == 0 ? UInt8(truncatingIfNeeded: random.next()) : 0x20 + UInt8(random.next() % 0x20)
        }
        #expect(escape(bytes) == slowlyEscape(bytes))
        #expect(unescape(escape(bytes)) == bytes)
    }

    @Test func whatWasThereBeforeStays() {
        let buffer = ByteBuffer(capacity: 16)
        buffer.append("<b>")
        Array("<&>".utf8).withUnsafeBytes { buffer.append(escapingHTML: $0) }
        buffer.append("</b>")
        #expect(String(buffer) == "<b>&lt;&amp;&gt;</b>")
    }

    private func escape(_ bytes: [UInt8]) -> [UInt8] {
        let buffer = ByteBuffer(capacity: 16)
        bytes.withUnsafeBytes { buffer.append(escapingHTML: $0) }
        return [UInt8](buffer)
    }

    /// The same, as plainly as it can be said.
    private func slowlyEscape(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "&"): Array("&amp;".utf8)
            case UInt8(ascii: "<"): Array("&lt;".utf8)
            case UInt8(ascii: ">"): Array("&gt;".utf8)
            case UInt8(ascii: "\""): Array("&quot;".utf8)
            case UInt8(ascii: "'"): Array("&#39;".utf8)
            default: [byte]
            }
        }
    }

    private func unescape(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.first {
            let entities = [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'")]
            let entity = entities.first { rest.starts(with: $0.0.utf8) }
            result += entity.map { Array($0.1.utf8) } ?? [byte]
            rest = rest.dropFirst(entity?.0.utf8.count ?? 1)
        }
        return result
    }
}
