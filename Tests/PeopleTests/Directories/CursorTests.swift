import Base
import People
import Testing

@Suite("Cursors in URLs")
struct CursorTests {
    private static let place = Sort.Key.field(FieldOrder("place", [])!)

    @Test(arguments: [
        (Cursor.id(30), Sort.Key.id, "30"), (.id(0), .id, "0"), (.id(.max), .id, "9223372036854775807"),
        (.text("mojombo", id: 1), .login, "lAAAAAAAAAAFtb2pvbWJv"), (.text("김", id: 255), .login, "lAAAAAAAAAP_quYA"),
        (.text("", id: 1), .login, "lAAAAAAAAAAE"),
        (.key([0x2B, 0x01, 0x05], stamp: 0x0102_0304, id: 1), .name, "kAAAAAAAAAAEBAgMEKwEF"),
        (.key([], stamp: 1, id: 1), .name, "kAAAAAAAAAAEAAAAB"), (.number(nil, id: 1), place, "dAAAAAAAAAAE"),
        (.number(-1, id: 2), place, "dAAAAAAAAAAL__________w"),
        (.relevance(SearchMatch(.whole, isExact: true), .id(30)), .relevance(then: Sort()), "m030"),
        (
            .relevance(SearchMatch(.elsewhere, isExact: false), .text("김", id: 255)), .relevance(then: Sort(.login)),
            "m7lAAAAAAAAAP_quYA"
        ),
    ])
    func everyCursorHasOneEncoding(_ cursor: Cursor, key: Sort.Key, text: String) {
        #expect(cursor.encoded(for: key) == text)
        #expect(Cursor(encoded: text, for: key) == cursor)
    }

    @Test(arguments: [
        "", "-1", "+1", "01", "00", "1.0", " 1", "1 ", "abc", "9223372036854775808", "99999999999999999999", "١", "0x1",
    ])
    func onlyACanonicalNumberIsACursorByID(_ text: String) {
        #expect(Cursor(encoded: text, for: .id) == nil)
    }

    @Test(arguments: [
        ("", "nothing"), ("l", "a letter alone"), ("lAAAAAAAAAA", "too short an id"), ("lAAAAAAAAAAA", "id 0"),
        ("l__________8", "a negative id"), ("nAAAAAAAAAAFtb2pvbWJv", "another order's letter"),
        ("lAAAAAAAAAAFtb2pvbWJv=", "padding"), ("lAAAAAAAAAAFtb2pvbWJw1", "bits left over"),
        ("lAAAAAAAAAAFtb2pvbWJvA", "a digit left over"), ("lAAAAAAAAAAH_", "no UTF-8"),
        ("lAAAAAAAAAAFtb2pv bWJv", "a space"), ("lAAAAAAAAAP+quYA", "the other alphabet"), ("1", "a number"),
    ])
    func nonCanonicalTextIsRejected(_ text: String, why: String) {
        #expect(Cursor(encoded: text, for: .login) == nil, "\(why)")
    }

    @Test(arguments: ["", "m", "m0", "m8n", "m030", "nAAAAAAAAAP_quYA", "m0lAAAAAAAAAP_quYA", "mmnAAAAAAAAAP_quYA"])
    func aCursorByRelevanceHasALetterADigitAndACursorOfTheOrderWithin(_ text: String) {
        #expect(Cursor(encoded: text, for: .relevance(then: Sort(.name))) == nil)
    }

    @Test func aNumberHasEightBytesOrNone() { #expect(Cursor(encoded: "dAAAAAAAAAAEA", for: Self.place) == nil) }

    @Test func aTextThatIsTooLongIsRejected() {
        let longest = String(repeating: "가", count: 128)
        let cursor = Cursor.text(longest, id: 1)
        #expect(Cursor(encoded: cursor.encoded(for: .login), for: .login) == cursor)
        #expect(Cursor(encoded: Cursor.text(longest + "가", id: 1).encoded(for: .login), for: .login) == nil)
    }

    @Test func aKeyThatIsTooLongIsRejected() {
        let longest = [UInt8](repeating: 7, count: Collation.maxKeyBytes)
        let cursor = Cursor.key(longest, stamp: 9, id: 1)
        #expect(Cursor(encoded: cursor.encoded(for: .name), for: .name) == cursor)
        #expect(Cursor(encoded: Cursor.key(longest + [7], stamp: 9, id: 1).encoded(for: .name), for: .name) == nil)
        #expect(Cursor(encoded: "kAAAAAAAAAAEAAAA", for: .name) == nil, "a stamp has four bytes")
    }

    @Test func aRowYieldsItsOwnCursor() {
        var rows = UserRows()
        let login = "Tom".withBytes { rows.keep($0) }
        let key = "tom".withBytes { rows.keep($0) }
        let columns = UserColumns<ByteSlice>(id: 7, login: login, name: .empty, avatarURL: .empty, more: .empty)
        var row = UserRow(columns)
        row.sortText = key
        rows.rows = [row]
        for sort in Sort.Key.common + [Self.place, .relevance(then: Sort(.name)), .relevance(then: Sort())] {
            let buffer = ByteBuffer()
            rows.append(cursorOf: 0, in: sort, to: buffer)
            #expect(Cursor(encoded: String(buffer), for: sort) == rows.cursor(of: 0, in: sort))
        }
    }
}
