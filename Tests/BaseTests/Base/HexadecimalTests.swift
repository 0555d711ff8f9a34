import Base
import Testing

@Suite("Hexadecimal digits and days")
struct HexadecimalTests {
    @Test func aNumberHasAllItsDigits() {
        #expect(UInt8(7).hexadecimal == "07")
        #expect(UInt32(0x2A).hexadecimal == "0000002a")
        #expect(UInt64.max.hexadecimal == "ffffffffffffffff")
    }

    @Test(arguments: [("00", 0), ("fF", 255), ("+1", nil), ("1", nil), ("123", nil), ("", nil), ("0g", nil)])
    func aByteIsTwoDigits(_ digits: String, _ byte: UInt8?) { #expect(UInt8(hexadecimal: digits.utf8) == byte) }

    @Test(arguments: [
        (2020, 2, 29, true), (2021, 2, 29, false), (1900, 2, 29, false), (2000, 2, 29, true), (2021, 4, 31, false),
        (2021, 12, 31, true), (2021, 13, 1, false), (2021, 0, 1, false), (2021, 1, 0, false),
    ])
    func onlyDaysOfTheCalendarAreDays(_ year: Int, _ month: Int, _ day: Int, _ exists: Bool) {
        let found = CivilTime(year: year, month: month, day: day)
        #expect((found != nil) == exists)
        #expect(found.map { [$0.year, $0.month, $0.day, $0.hour] } == (exists ? [year, month, day, 0] : nil))
    }
}
