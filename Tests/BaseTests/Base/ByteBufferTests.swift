import Base
import Testing

@Suite("ByteBuffer")
struct ByteBufferTests {
    let buffer = ByteBuffer(capacity: 16)

    @Test func everyAppendAddsAtTheEnd() {
        buffer.append(UInt8(ascii: "a"))
        buffer.append([98, 99])
        buffer.append([0, 100, 101, 0][1...2])
        [102, 103].withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            buffer.append(UnsafeRawBufferPointer(rebasing: bytes[..<1]))
        }
        buffer.append("-static-")
        buffer.append(utf8: "é한👩‍👩‍👧")
        buffer.append(utf8: "substring".dropFirst(3))
        buffer.append(decimal: 7)
        #expect(String(buffer) == "abcdef-static-é한👩‍👩‍👧string7")
    }

    @Test func appendingNothingAddsNothing() {
        buffer.append([])
        buffer.append("")
        buffer.append(utf8: "")
        buffer.append(UnsafeRawBufferPointer(start: nil, count: 0))
        buffer.append(escapingHTML: Bytes())
        #expect(buffer.isEmpty)
        #expect([UInt8](buffer).isEmpty)
    }

    @Test(arguments: ["a", "&", "\u{0}"]) func aStaticTextOfOneCharacterIsAppended(_ text: String) {
        switch text {
        case "a": buffer.append("a")
        case "&": buffer.append("&")
        default: buffer.append("\u{0}")
        }
        #expect(String(buffer) == text)
    }

    @Test func partsOfPaddedBytesAreAppendedWhole() {
        let bytes = (0..<400).map { UInt8(truncatingIfNeeded: $0) } + [UInt8](repeating: 0, count: ByteBuffer.padding)
        for count in 0...300 {
            let (start, before) = (count % 100, buffer.count)
            bytes.withUnsafeBytes { buffer.append(padded: $0, ByteSlice(offset: start, count: count)) }
            #expect([UInt8](buffer)[before...].elementsEqual(bytes[start..<start + count]))
            if count % 50 == 0 { buffer.removeAll() }
        }
    }

    @Test func growingKeepsTheContent() {
        let expected = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        for byte in expected { buffer.append(byte) }
        #expect([UInt8](buffer) == expected)
    }

    @Test func oneAppendMayBeLargerThanTwiceTheCapacity() {
        let large = [UInt8](repeating: 1, count: 1000)
        buffer.append(9)
        buffer.append(large)
        #expect([UInt8](buffer) == [9] + large)
    }

    @Test func removingAllKeepsTheMemory() {
        buffer.append([UInt8](repeating: 1, count: 1000))
        let (base, capacity) = (buffer.base, buffer.capacity)
        for _ in 0..<10 {
            buffer.removeAll()
            buffer.append([UInt8](repeating: 2, count: capacity))
        }
        #expect(buffer.base == base)
        #expect(buffer.capacity == capacity)
    }

    @Test func truncatingRemovesTheEnd() {
        buffer.append("keep, forget")
        buffer.truncate(to: 4)
        buffer.append("!")
        #expect(String(buffer) == "keep!")
    }

    @Test func aWriterGetsTheSpaceAndReportsWhatItUsed() {
        buffer.append("ab")
        buffer.append(upTo: 100) { room in
            #expect(room.count == 100)
            room[0] = UInt8(ascii: "c")
            return 1
        }
        #expect(String(buffer) == "abc")
    }

    @Test func aWriterThatThrowsAddsNothing() {
        struct Failure: Error {}
        #expect(throws: Failure.self) { try buffer.append(upTo: 10) { _ in throw Failure() } }
        #expect(buffer.isEmpty)
    }

    @Test func invalidUTF8BecomesReplacementCharacters() {
        buffer.append([0x61, 0xFF, 0x62])
        #expect(String(buffer) == "a\u{FFFD}b")
    }
}

@Suite("Decimal numbers")
struct DecimalTests {
    @Test(arguments: [0, 1, -1, 9, 10, 99, 100, -100, Int64.max, Int64.min, Int64.min + 1])
    func signedNumbersAreDecimal(_ number: Int64) { #expect(decimal(number) == "\(number)") }

    @Test(arguments: [0, 9, 10, UInt64.max, UInt64.max - 1, 9_999_999_999_999_999_999, 10_000_000_000_000_000_000])
    func unsignedNumbersAreDecimal(_ number: UInt64) { #expect(decimal(number) == "\(number)") }

    @Test(arguments: [Int8.min, -1, 0, Int8.max])
    func smallNumbersAreDecimal(_ number: Int8) { #expect(decimal(number) == "\(number)") }

    @Test func powersOfTenAndTheirNeighboursAreDecimal() {
        var power: UInt64 = 1
        for _ in 0..<19 {
            power *= 10
            for number in [power - 1, power, power + 1] { #expect(decimal(number) == "\(number)") }
        }
    }

    private func decimal(_ number: some FixedWidthInteger) -> String {
        let buffer = ByteBuffer(capacity: 16)
        buffer.append("12345678901234")
        buffer.append(decimal: number)
        return String(String(buffer).dropFirst(14))
    }
}
