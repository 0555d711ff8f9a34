import Base
import Testing

@Suite("ByteSlice")
struct ByteSliceTests {
    @Test func aSliceSelectsThatPartOfTheBytes() {
        Array("rollcall".utf8).withUnsafeBytes { bytes in
            #expect(Array(bytes[ByteSlice(offset: 4, count: 3)]) == Array("cal".utf8))
            #expect(bytes[ByteSlice(offset: 8, count: 0)].isEmpty)
            #expect(bytes[.empty].isEmpty)
        }
    }

    @Test func itKnowsItsRange() {
        #expect(ByteSlice(offset: 3, count: 4).range == 3..<7)
        #expect(ByteSlice(offset: 3, count: 0).isEmpty)
        #expect(!ByteSlice(offset: 0, count: 1).isEmpty)
        #expect(MemoryLayout<ByteSlice>.stride == 8)
    }
}

@Suite("Byte comparison")
struct ComparingTests {
    @Test(arguments: [("gzip", true), ("GZIP", false), ("gzi", false), ("gzipp", false), ("", false)])
    func equalityIsExact(_ text: String, _ expected: Bool) {
        #expect(Array(text.utf8).withUnsafeBytes { $0.equals("gzip") } == expected)
    }

    @Test(arguments: [
        ("keep-alive", true), ("Keep-Alive", true), ("KEEP-ALIVE", true), ("keep_alive", false), ("keep-aliv", false),
        ("keep-alivee", false), ("\u{0B}eep-alive", false), ("", false),
        // A byte that is not a letter must not match another one: `\r` and `-` differ only in the case bit.
        ("keep\ralive", false),
    ])
    func equalityCanIgnoreASCIICase(_ text: String, _ expected: Bool) {
        #expect(Array(text.utf8).withUnsafeBytes { $0.equals(ignoringCase: "keep-alive") } == expected)
    }

    @Test func onlyLettersHaveCase() {
        for byte in UInt8.min...UInt8.max {
            let expected = byte == UInt8(ascii: "a") || byte == UInt8(ascii: "A")
            #expect([byte].withUnsafeBytes { $0.equals(ignoringCase: "a") } == expected)
        }
        #expect(Array("@[`{".utf8).withUnsafeBytes { $0.equals(ignoringCase: "@[`{") })
        #expect(!Array("@".utf8).withUnsafeBytes { $0.equals(ignoringCase: "`") })
    }

    /// Eight bytes are compared at a time, and the last eight may overlap others.
    @Test(arguments: ["", "host", "acceptt", "accept-e", "accept-en", "if-none-match", "accept-encoding-"])
    func everyByteOfANameCounts(_ name: String) {
        let expected = { (bytes: [UInt8]) in String(decoding: bytes, as: UTF8.self).lowercased() == name }
        func equals(_ bytes: [UInt8]) -> Bool {
            bytes.withUnsafeBytes { bytes in
                switch name {
                case "": bytes.equals(ignoringCase: "")
                case "host": bytes.equals(ignoringCase: "host")
                case "acceptt": bytes.equals(ignoringCase: "acceptt")
                case "accept-e": bytes.equals(ignoringCase: "accept-e")
                case "accept-en": bytes.equals(ignoringCase: "accept-en")
                case "if-none-match": bytes.equals(ignoringCase: "if-none-match")
                default: bytes.equals(ignoringCase: "accept-encoding-")
                }
            }
        }
        let bytes = Array(name.utf8)
        #expect(equals(bytes) && equals(Array(name.uppercased().utf8)))
        #expect(!equals(bytes + [0]) && (bytes.isEmpty || !equals(bytes.dropLast())))
        for place in bytes.indices {
            for byte in UInt8.min..<128 {
                var changed = bytes
                changed[place] = byte
                #expect(equals(changed) == expected(changed), "\(byte) at \(place)")
            }
            var changed = bytes
            changed[place] |= 0x80
            #expect(!equals(changed))
        }
    }

    @Test(arguments: [("https://x", true), ("https:", true), ("http:", false), ("HTTPS:", false), ("", false)])
    func aPrefixMatchesExactly(_ text: String, _ expected: Bool) {
        #expect(Array(text.utf8).withUnsafeBytes { $0.starts(with: "https:") } == expected)
    }

    @Test func emptyEqualsEmpty() {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        #expect(none.equals(""))
        #expect(none.equals(ignoringCase: ""))
        #expect(none.starts(with: ""))
    }
}
