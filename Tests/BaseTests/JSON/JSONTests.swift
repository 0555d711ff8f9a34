import TestSupport
import Testing

@testable import Base

/// Calls `body` with the only value of `text`.
private func withValue<T>(_ text: String, _ body: (JSONValue) throws -> T) throws -> T {
    try [UInt8](text.utf8).withUnsafeBytes { try body(JSON.value($0)) }
}

private func isValid(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { (try? JSON.value($0)) != nil } }

@Suite("Texts (RFC 8259)")
struct JSONTextTests {
    @Test(arguments: [
        "{}", "[]", "0", "-0", "12.5e-3", "1E+2", "\"\"", "true", "false", "null", " \t\r\n[ ] ",
        "[1,2,[3,{}],{\"a\":[]}]", "{\"a\":1,\"a\":2}", "\"\\\" \\\\ \\/ \\b\\f\\n\\r\\t \\u00e9 \\uD83D\\uDE00\"",
        "\"é 한 😀 \u{7F}\"", "[{},[],{\"b\":{\"c\":[null]}}]", "\"\\uD800\"", "123456789012345678901234567890",
        "{\"\":0}", "[[],[[]],[]]",
    ])
    func validTextsAreRead(_ text: String) {
        #expect(isValid(Array(text.utf8)))
    }

    @Test(arguments: [
        "", " ", "{", "[", "}", "]", "[1,]", "[,1]", "{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:1}",
        "[1 2]", "{\"a\":1 \"b\":2}", "[}", "{]", "[1}", "{\"a\":1]", "01", "-", "+1", "1.", ".5", "1e", "1e+", "0x1",
        "NaN", "Infinity", "tru", "nul", "True", "\"", "\"a", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "'a'",
        "\"a\nb\"", "\"a\tb\"", "[1]]", "1 2", "[1]x", "// a\n1", "[\"\\u\"]", "{\"a\":1}}", "{\"a\"::1}", "[1,,2]",
        "\u{FEFF}[]", "[\"a\"", "{\"a\":[}",
    ])
    func invalidTextsAreRejected(_ text: String) {
        #expect(!isValid(Array(text.utf8)))
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xE9, 0x20, 0x20],
        ] as [[UInt8]])
    func bytesThatAreNotUTF8AreRejected(_ bytes: [UInt8]) {
        #expect(!isValid([0x22] + bytes + [0x22]))
        #expect(!isValid([0x22] + Array("12345678".utf8) + bytes + Array("12345678".utf8) + [0x22]))
    }

    @Test func everyPositionInAStringIsChecked() {
        for length in 0..<40 {
            for place in 0...length {
                var bytes = [UInt8](repeating: 0x61, count: length)
                bytes.insert(0x1F, at: place)
                #expect(!isValid([0x22] + bytes + [0x22]))
                bytes[place] = 0x22
                #expect(!isValid([0x22] + bytes + [0x22]))
            }
        }
    }

    @Test func nestingIsLimitedTo64Levels() {
        let nested = { (depth: Int) in
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(isValid(nested(64)))
        #expect(!isValid(nested(65)))
        #expect(!isValid(Array(String(repeating: "[", count: 1_000_000).utf8)))
        #expect(!isValid(Array(String(repeating: "{\"a\":", count: 1_000_000).utf8)))
    }

    @Test func errorsNameTheExpectationAndThePosition() {
        let error = { (text: String) in message { try withValue(text) { _ in } } }
        #expect(error("{\"a\" 1}") == "expected \":\", found \"1\" at byte 6")
        #expect(error("[1") == "expected \",\" or \"]\", found the end at byte 3")
        #expect(error("{\"a\":1,}") == "expected a key in quotes, found \"}\" at byte 8")
        #expect(error("[\"abc") == "expected the closing quote of a string, found the end at byte 2")
        #expect(error("[\u{1}]") == "expected a value, found byte 0x1 at byte 2")
    }
}

@Suite("Values")
struct JSONValueTests {
    @Test func membersAreInOrderWithTheirRawValues() throws {
        var members: [String] = []
        try [UInt8](#" {"login":"ada", "n\u0061me" : { "x": [1, 2] } ,"id":7,"bot":false,"bio":null}"#.utf8)
            .withUnsafeBytes { text in
                try JSON.forEachMember(of: text) { key, value in
                    members.append("\(key.text) \(value.kind) \(String(decoding: value.raw, as: UTF8.self))")
                }
            }
        #expect(
            members == [
                "login string \"ada\"", "name object { \"x\": [1, 2] }", "id number 7", "bot bool false",
                "bio null null",
            ])
    }

    @Test func keysAreComparedUnescaped() throws {
        try [UInt8](#"{"l\u006fgin":1}"#.utf8).withUnsafeBytes { text in
            try JSON.forEachMember(of: text) { key, _ in
                #expect(key.equals("login"))
                #expect(!key.equals("logi"))
            }
        }
    }

    @Test func elementsAreInOrder() throws {
        var elements: [String] = []
        try [UInt8](#"[1,"a,]",[2,[3]],{"a":"]"} ]"#.utf8).withUnsafeBytes { text in
            try JSON.forEachElement(of: text) { elements.append(String(decoding: $0.raw, as: UTF8.self)) }
        }
        #expect(elements == ["1", "\"a,]\"", "[2,[3]]", "{\"a\":\"]\"}"])
    }

    @Test(arguments: [
        (#""a\"b\\c\/d""#, "a\"b\\c/d"), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"), (#""\u00E9\u00e9""#, "éé"),
        (#""\uD83D\uDE00""#, "😀"), (#""\uD83D""#, "\u{FFFD}"), (#""\uDE00x""#, "\u{FFFD}x"),
        (#""\uD83D\uD83D\uDE00""#, "\u{FFFD}😀"), (#""\uD83D\n""#, "\u{FFFD}\n"), (#""\uD83D\u0041""#, "\u{FFFD}A"),
        (#""\u0000""#, "\0"), (#""héé""#, "héé"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
    ])
    func stringsAreUnescaped(_ text: String, _ expected: String) throws {
        try withValue(text) { value in
            let string = try #require(value.string)
            #expect(string.text == expected)
            let buffer = ByteBuffer()
            string.append(to: buffer)
            #expect(String(buffer) == expected)
        }
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("1.0", 1), ("1e3", 1000), ("1.5e1", 15), ("70e-1", 7),
            ("1.50e1", 15), ("100e-2", 1), ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("0e999999999999", 0), ("1.000000000000000000000000", 1), ("9223372036854775807.0", .max),
            ("0.0000000000000000000000001e25", 1), ("9007199254740993", 9_007_199_254_740_993),
        ] as [(String, Int64)])
    func wholeNumbersAreExact(_ text: String, _ expected: Int64) throws {
        #expect(try withValue(text) { $0.int64 } == expected)
    }

    @Test(arguments: [
        "9223372036854775808", "-9223372036854775809", "1.5", "1e-1", "1e19", "1e999999999", "18446744073709551616",
        "\"1\"", "null", "7.000000001",
    ])
    func otherNumbersAreNot64BitIntegers(_ text: String) throws {
        #expect(try withValue(text) { $0.int64 } == nil)
    }

    @Test func booleansAreRead() throws {
        #expect(try withValue("true") { $0.bool } == true)
        #expect(try withValue("false") { $0.bool } == false)
        #expect(try withValue("0") { $0.bool } == nil)
        #expect(try withValue("null") { $0.isNull })
    }
}

@Suite("JSON writing")
struct JSONWritingTests {
    @Test(arguments: [
        ("", "\"\""), ("ada", "\"ada\""), ("\"\\/", #""\"\\/""#),
        ("\u{0}\u{8}\t\n\u{C}\r\u{1F}", #""\u0000\b\t\n\f\r\u001f""#), ("</script>&", #""\u003c/script\u003e\u0026""#),
        ("a\u{2028}b\u{2029}", #""a\u2028b\u2029""#), ("é한😀", "\"é한😀\""), ("\u{202A}", "\"\u{202A}\""),
    ])
    func stringsAreEscaped(_ text: String, _ expected: String) throws {
        let buffer = ByteBuffer()
        buffer.append(jsonString: text)
        #expect(String(buffer) == expected)
        #expect(try withValue(expected) { $0.string?.text } == text)
    }

    @Test func compactingKeepsStringsUnchanged() {
        let buffer = ByteBuffer()
        Array("{ \"a b\" :\n [ 1 , \"x \\\" y\\\\\" ],\t\"c\" : \" \" }".utf8).withUnsafeBytes {
            buffer.append(compactJSON: $0)
        }
        #expect(String(buffer) == "{\"a b\":[1,\"x \\\" y\\\\\"],\"c\":\" \"}")
    }
}
