import Foundation
import HTTP

extension ClientAnswer {
    /// Returns the end of the pause in `Retry-After`, in seconds or as a date (RFC 9110 §10.2.3); `nil` if the field is
    /// missing or the pause is over.
    public func retryAfter(now: Date) -> Date? {
        guard let text = fields["retry-after"] else { return nil }
        let until =
            Int(text).map { now.addingTimeInterval(TimeInterval(min($0, Self.maxSeconds))) }
            ?? Self.date(text).map { here($0, now: now) }
        return until.flatMap { $0 > now ? $0 : nil }
    }

    /// Converts `moment` from the server's clock to this one: what counts is the time until then.
    public func here(_ moment: Date, now: Date) -> Date {
        guard let sent = fields["date"].flatMap(Self.date) else { return moment }
        return now.addingTimeInterval(moment.timeIntervalSince(sent))
    }

    /// A hundred years. A longer time is invalid, and would not fit a date.
    public static let maxSeconds = 3_155_760_000

    private static func date(_ text: String) -> Date? {
        Array(text.utf8).withUnsafeBytes { HTTPDate($0) }
            .map { Date(timeIntervalSince1970: TimeInterval($0.secondsSince1970)) }
    }
}
