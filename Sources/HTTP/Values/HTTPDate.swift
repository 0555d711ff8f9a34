import Bytes

/// A point in time as HTTP writes it: in whole seconds, in GMT (RFC 9110 §5.6.7).
public struct HTTPDate: Comparable, Hashable, Sendable {
    public var secondsSince1970: Int

    public init(secondsSince1970: Int) {
        self.secondsSince1970 = secondsSince1970
    }

    public static func < (one: Self, other: Self) -> Bool { one.secondsSince1970 < other.secondsSince1970 }
}

extension HTTPDate: CustomStringConvertible {
    /// The date in the form in which it is sent: `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var description: String {
        let buffer = ByteBuffer(capacity: 32)
        append(to: buffer)
        return String(buffer)
    }

    /// Appends the 29 bytes of `description`. The year has four digits.
    public func append(to buffer: ByteBuffer) {
        let moment = CivilTime(secondsSince1970: secondsSince1970)
        buffer.append(Self.names(Self.weekdays, moment.weekday))
        buffer.append(", ")
        buffer.append(twoDigits: moment.day)
        buffer.append(.space)
        buffer.append(Self.names(Self.months, moment.month - 1))
        buffer.append(.space)
        buffer.append(twoDigits: moment.year / 100)
        buffer.append(twoDigits: moment.year % 100)
        buffer.append(.space)
        moment.appendClock(to: buffer)
        buffer.append(" GMT")
    }

    static let weekdays: StaticString = "SunMonTueWedThuFriSat"
    static let months: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"

    static func names(_ names: StaticString, _ index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: names.utf8Start + index * 3, count: 3)
    }
}
