import Base
import JSON
import Server

extension ProfileValue {
    /// Returns a day, if the value is one: in ISO 8601, alone or with a time, or in seconds since 1970.
    static func date(_ value: JSON.LentValue, _ language: Language) -> ProfileValue? {
        if let seconds = value.int64 { return date(secondsSince1970: seconds, language) }
        guard let text = value.string?.text, let time = CivilTime(dayOf: text) else { return nil }
        return ProfileValue(
            language.days.text(time), dateTime: text.utf8.count > 10 && isGlobalTime(text) ? text : time.isoDay)
    }

    private static func date(secondsSince1970 seconds: Int64, _ language: Language) -> ProfileValue? {
        // 1 to the end of the year 9999.
        guard (1..<253_402_300_800).contains(seconds) else { return nil }
        let time = CivilTime(secondsSince1970: Int(seconds))
        return ProfileValue(language.days.text(time), dateTime: time.isoDay)
    }

    /// Whether a text is a global date and time of HTML: `2007-10-20T05:24:19Z`, perhaps with a fraction. The caller
    /// has checked its day.
    private static func isGlobalTime(_ text: String) -> Bool {
        var rest = text.utf8.dropFirst(11)
        func takeNumber(below bound: Int) -> Bool {
            let digits = rest.prefix(2)
            rest = rest.dropFirst(2)
            return digits.count == 2
                && Int64(digits: String(decoding: digits, as: UTF8.self)).map { $0 < bound } == true
        }
        func take(_ byte: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: byte) else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard takeNumber(below: 24), take(":"), takeNumber(below: 60), take(":"), takeNumber(below: 60) else {
            return false
        }
        if take(".") {
            let fraction = rest.prefix { $0 &- 48 < 10 }
            guard (1...3).contains(fraction.count) else { return false }
            rest = rest.dropFirst(fraction.count)
        }
        if take("Z") { return rest.isEmpty }
        return (take("+") || take("-")) && takeNumber(below: 24) && take(":") && takeNumber(below: 60) && rest.isEmpty
    }
}

extension CivilTime {
    /// The day that `text` is, or begins with before a time. `nil` if the calendar has no such day.
    fileprivate init?(dayOf text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes.count == 10 || Self.isTime(bytes[10...]),
            let year = Int64(digits: String(decoding: bytes[..<4], as: UTF8.self)),
            let month = Int64(digits: String(decoding: bytes[5..<7], as: UTF8.self)),
            let day = Int64(digits: String(decoding: bytes[8..<10], as: UTF8.self)),
            year >= 1000, (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        self.init(year: Int(year), month: Int(month), day: Int(day), hour: 0, minute: 0, second: 0)
        guard CivilTime(secondsSince1970: secondsSince1970) == self else { return nil }
    }

    /// Whether the bytes begin like `T05:24`, and are not longer than a time can be.
    private static func isTime(_ bytes: ArraySlice<UInt8>) -> Bool {
        let bytes = Array(bytes)
        return (6...30).contains(bytes.count) && (bytes[0] == UInt8(ascii: "T") || bytes[0] == 0x20)
            && bytes[3] == UInt8(ascii: ":") && [1, 2, 4, 5].allSatisfy { bytes[$0] &- 48 < 10 }
    }

    /// `2018-04-05`
    var isoDay: String {
        let buffer = ByteBuffer(capacity: 16)
        appendDay(to: buffer)
        return String(buffer)
    }
}
