import Base

extension ProfileValue {
    /// Returns a day, if the value is one: in ISO 8601, alone or with a time, or in seconds since 1970.
    static func date(_ value: JSON.LentValue, _ language: Language) -> ProfileValue? {
        if let seconds = value.int64 { return date(secondsSince1970: seconds, language) }
        guard let text = value.string?.text, let time = text.withUTF8Bytes({ ISOTime($0) }), time.civil.year >= 1000
        else { return nil }
        return ProfileValue(language.days.text(time.civil), dateTime: time.isGlobal ? text : time.civil.isoDay)
    }

    private static func date(secondsSince1970 seconds: Int64, _ language: Language) -> ProfileValue? {
        // 1 to the end of the year 9999.
        guard (1..<253_402_300_800).contains(seconds) else { return nil }
        let time = CivilTime(secondsSince1970: Int(seconds))
        return ProfileValue(language.days.text(time), dateTime: time.isoDay)
    }
}

extension CivilTime {
    /// `2018-04-05`
    var isoDay: String { String(writing: appendDay) }
}
