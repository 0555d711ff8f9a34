import Base
import TestSupport
import Testing

@Suite("Escaping for HTML")
struct EscapingTests {
    private static let entities: [UInt8: String] = [38: "&amp;", 60: "&lt;", 62: "&gt;", 34: "&quot;", 39: "&#39;"]

    @Test func everyByteIsEscapedOrKept() {
        for byte in UInt8.min...UInt8.max {
            let isControl = byte == 127 || byte < 32 && ![9, 10, 13].contains(byte)
            let expected = isControl ? "\u{FFFD}" : Self.entities[byte]
            #expect(escape([byte]) == expected.map { Array($0.utf8) } ?? [byte])
        }
    }

    @Test func everyByteAtEveryPositionOfTextsOfEveryLength() {
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

    @Test func aTextOfSpecialCharactersGrowsTheBuffer() {
        let special = Array("&<>\"'".utf8)
        for length in 0...40 {
            let bytes = (0..<length).map { special[$0 % 5] }
            #expect(escape(bytes) == slowlyEscape(bytes))
        }
    }

    @Test(arguments: 0..<RandomWalk.rounds(200)) func unescapingRestoresTheBytes(_ seed: Int) {
        var random = SplitMix(walk: UInt64(seed))
        // Half of the bytes are special or close to a special one.
        let bytes = (0..<Int(random.next() % 300)).map { _ in
            random.next() % 2 == 0 ? UInt8(truncatingIfNeeded: random.next()) : 0x20 + UInt8(random.next() % 0x20)
        }
        #expect(escape(bytes) == slowlyEscape(bytes))
        let fit = bytes.filter { $0 >= 0x20 && $0 < 0x7F || 0xA0..<0xC2 ~= $0 }
        #expect(unescape(escape(fit)) == fit)
    }

    /// Every character that HTML forbids, and its neighbours, at every place of a word.
    @Test func charactersThatNoDocumentMayContainAreReplaced() {
        let planes: [UInt32] = (0...16).map { $0 << 16 | 0xFFFE }
        let forbidden: Set<UInt32> = Set(planes + planes.map { $0 + 1 })
            .union(0xFDD0...0xFDEF).union(0x7F...0x9F).union((0..<0x20)).subtracting([9, 10, 13])
        let neighbours: [UInt32] = [9, 10, 13, 0x20, 0x7E, 0xA0, 0xFDCF, 0xFDF0, 0xFFFD, 0x1_0000, 0x1_F468, 0x1_FFFD]
        for scalar in (Array(forbidden) + neighbours).compactMap(Unicode.Scalar.init) {
            for place in 0..<17 {
                let (before, after) = (String(repeating: "x", count: place), "ü<")
                let expected = forbidden.contains(scalar.value) ? "\u{FFFD}" : String(scalar)
                let escaped = String(decoding: escape(Array("\(before)\(scalar)\(after)".utf8)), as: UTF8.self)
                #expect(escaped == "\(before)\(expected)ü&lt;", "\(scalar.value)")
            }
        }
    }

    @Test func markupLosesForbiddenCharactersAlone() {
        let buffer = ByteBuffer(capacity: 16)
        let markup = Array("<b title=\"x\">\u{FFFE}&amp;\u{1}김</b>".utf8)
        buffer.append(markup: markup.span, ByteSlice(offset: 0, count: markup.count))
        #expect(String(buffer) == "<b title=\"x\">\u{FFFD}&amp;\u{FFFD}김</b>")
    }

    @Test func earlierContentStays() {
        let buffer = ByteBuffer(capacity: 16)
        buffer.append("<b>")
        buffer.append(escapingHTML: Array("<&>".utf8).span)
        buffer.append("</b>")
        #expect(String(buffer) == "<b>&lt;&amp;&gt;</b>")
    }

    private func escape(_ bytes: [UInt8]) -> [UInt8] {
        let buffer = ByteBuffer(capacity: 16)
        buffer.append(escapingHTML: bytes.span)
        let escaped = [UInt8](buffer)
        // Whatever follows a padded text is not escaped with it.
        for padding in ["<", " ", "\u{1}", "\u{80}"].map({ Array($0.utf8) }) {
            buffer.removeAll()
            let padded = bytes + (0..<ByteBuffer.padding).map { padding[$0 % padding.count] }
            buffer.append(escapingHTML: padded.span, padded: ByteSlice(offset: 0, count: bytes.count))
            #expect([UInt8](buffer) == escaped)
        }
        return escaped
    }

    /// A simple reference implementation.
    private func slowlyEscape(_ bytes: [UInt8]) -> [UInt8] {
        var rest = bytes[...]
        var result: [UInt8] = []
        while let byte = rest.first {
            let forbidden = slowlyForbidden(Array(rest.prefix(4)))
            let escaped = forbidden > 0 ? "\u{FFFD}" : Self.entities[byte]
            result += escaped.map { Array($0.utf8) } ?? [byte]
            rest = rest.dropFirst(max(1, forbidden))
        }
        return result
    }

    /// How many bytes of the forbidden character at the start.
    private func slowlyForbidden(_ bytes: [UInt8]) -> Int {
        if bytes[0] == 127 || bytes[0] < 32 && ![9, 10, 13].contains(bytes[0]) { return 1 }
        for count in 2...4 where bytes.count >= count {
            guard let text = String(validating: bytes.prefix(count), as: UTF8.self), text.unicodeScalars.count == 1,
                let scalar = text.unicodeScalars.first?.value
            else { continue }
            let isForbidden = scalar & 0xFFFE == 0xFFFE || 0xFDD0...0xFDEF ~= scalar || 0x80...0x9F ~= scalar
            return isForbidden ? count : 0
        }
        return 0
    }

    private func unescape(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.first {
            let entity = Self.entities.first { rest.starts(with: $0.value.utf8) }
            result.append(entity?.key ?? byte)
            rest = rest.dropFirst(entity?.value.utf8.count ?? 1)
        }
        return result
    }
}
