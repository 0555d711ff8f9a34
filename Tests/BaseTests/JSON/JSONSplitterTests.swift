import Testing

@testable import Base

/// Returns the elements of `text` when it arrives in the given pieces, followed by the error's message, if any.
private func parts(_ pieces: [ArraySlice<UInt8>], limit: Int = 1000) -> [String] {
    var splitter = JSONSplitter(members: ["items", "results"], maxElementBytes: limit)
    var found: [String] = []
    let note = { (part: JSONSplitter.Part) in
        switch part {
        case .element(let bytes): found.append(String(decoding: bytes, as: UTF8.self))
        case .tooLong: found.append("too long")
        }
    }
    do {
        for piece in pieces { try piece.withUnsafeBytes { try splitter.split($0, note) } }
        try splitter.finish(note)
    } catch { found.append("\(error)") }
    return found
}

private func parts(_ text: String, limit: Int = 1000) -> [String] { parts([Array(text.utf8)[...]], limit: limit) }

@Suite("JSONSplitter")
struct JSONSplitterTests {
    static let texts: [(String, [String])] = [
        ("[]", []), (" [ ] \n", []), ("[{\"a\":1}, {\"b\":[2,3]} ]", ["{\"a\":1}", "{\"b\":[2,3]}"]),
        ("[1,\"a,]\\\"\", null ,-2.5]", ["1", "\"a,]\\\"\"", "null", "-2.5"]),
        (#"{"items":[{"x":"}"},{"y":"\\"}],"has_more":true}"#, [#"{"x":"}"}"#, #"{"y":"\\"}"#]),
        (#"{"info":{"results":[9]},"n":1,"results":[{"a":1},{"b":2}]}"#, ["{\"a\":1}", "{\"b\":2}"]),
        (#"{"it\"ems":[1],"items\\":"\"","items":[{"a":"é"}],"results":[7]}"#, ["{\"a\":\"é\"}"]),
        (#"{"login":"ada","tags":[1,2]}"#, [#"{"login":"ada","tags":[1,2]}"#]), ("{}", ["{}"]),
        ("\r\n {\"a\":1}", ["{\"a\":1}"]), (#"{"items":{"a":1},"results":[5]}"#, ["5"]),
        (#"{"n":[1],"items":{"Results":[{"a":1}],"x":{}},"results":[5]}"#, ["{\"a\":1}"]),
        (#"{"items":{"a":{"results":[1]}}}"#, [#"{"items":{"a":{"results":[1]}}}"#]),
        (
            #" {"items" : { "items":{"items":{"items":[7]}}}, "b":1}"#,
            [#"{"items" : { "items":{"items":{"items":[7]}}}, "b":1}"#]
        ),
        ("[{\"a\":1]", ["{\"a\":1]", "expected \",\" or \"]\", found the end at byte 9"]),
    ]

    @Test(arguments: texts)
    func elementsAreFound(_ text: String, _ expected: [String]) {
        #expect(parts(text) == expected)
    }

    @Test(arguments: texts)
    func everySplitGivesTheSameElements(_ text: String, _ expected: [String]) {
        let bytes = Array(text.utf8)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                #expect(parts([bytes[..<first], bytes[first..<second], bytes[second...]]) == expected)
            }
        }
        #expect(parts(bytes.indices.map { bytes[$0...$0] }) == expected)
    }

    @Test func aLongElementIsSkippedInEverySplit() {
        let text = Array(#"[{"a":1},{"b":"0123456789"},{"c":3}]"#.utf8)
        for place in 0...text.count {
            #expect(parts([text[..<place], text[place...]], limit: 12) == ["{\"a\":1}", "too long", "{\"c\":3}"])
        }
    }

    @Test func aLongObjectAroundTheArrayIsNotKept() {
        let text = Array((#"{"a":"0123456789012345","items":[{"b":2}],"z":"0123456789012345"}"#).utf8)
        for place in 0...text.count { #expect(parts([text[..<place], text[place...]], limit: 12) == ["{\"b\":2}"]) }
        #expect(parts(#"{"a":"0123456789012345"}"#, limit: 12) == ["too long"])
    }

    @Test(arguments: [
        ("", "expected an array or an object, found the end at byte 1"),
        ("7", "expected an array or an object, found \"7\" at byte 1"),
        ("[1", "expected the rest of a value, found the end at byte 3"),
        ("[1,", "expected a value, found the end at byte 4"), ("[1,]", "expected a value, found \"]\" at byte 4"),
        ("[1 2]", "expected \",\" or \"]\", found \"2\" at byte 4"),
        ("[] []", "expected the end of the text, found \"[\" at byte 4"),
        ("{1}", "expected a key in quotes or \"}\", found \"1\" at byte 2"),
        ("{\"a\" 1}", "expected \":\", found \"1\" at byte 6"),
        ("{\"a\":1", "expected the rest of a value, found the end at byte 7"),
        ("{\"a", "expected the closing quote of a key, found the end at byte 4"),
    ])
    func invalidTextsAreErrorsWithAPosition(_ text: String, _ message: String) {
        #expect(parts(text).last == message)
    }
}
