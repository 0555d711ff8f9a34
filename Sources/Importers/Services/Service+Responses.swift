import Bytes
import Foundation
import HTTP
import HTTPClient

extension Service {
    /// Judges a response by its status alone, as for any service (RFC 9110 §15).
    func judgeByStatus(_ answer: ClientAnswer, now: Date) -> ResponseDisposition {
        let told = "\(name) answered \(answer.status)" + (answer.message.map { ": \($0)" } ?? "")
        switch answer.status {
        case 200: return .page
        case 304: return .unchanged
        case 301, 302, 303, 307, 308:
            return answer.fields["location"].map { .moved($0) } ?? .failed("\(told), and does not say where to")
        case 429: return answer.backoff(now: now, told).map { .held($0) } ?? .limited(told)
        // A 503 may say how long (RFC 9110 §10.2.3).
        case 500...599: return answer.backoff(now: now, told).map { .held($0) } ?? .failed(told)
        default: return .refused(told)
        }
    }
}

extension ClientAnswer {
    /// Returns the pause in `Retry-After`, in seconds or as a date (RFC 9110 §10.2.3); `nil` if it is missing or over.
    func backoff(now: Date, _ reason: String) -> Backoff? {
        guard let text = fields["retry-after"] else { return nil }
        let until =
            Int(text).map { now.addingTimeInterval(TimeInterval(min($0, Self.maxSeconds))) }
            ?? Self.date(text).map { here($0, now: now) }
        return until.flatMap { $0 > now ? Backoff(until: $0, reason: reason) : nil }
    }

    /// Converts `moment` from the server's clock to this one: what counts is the time until then.
    func here(_ moment: Date, now: Date) -> Date {
        guard let sent = fields["date"].flatMap(Self.date) else { return moment }
        return now.addingTimeInterval(moment.timeIntervalSince(sent))
    }

    /// The error message in the body, in one short line; `nil` if the body is not JSON.
    var message: String? {
        guard let json = try? JSONObjectView(body) else { return nil }
        for name in ["message", "error_message", "error"] {
            if let text = json.text(name).map(NormalizedText.cleaned), !text.isEmpty {
                return String(text.prefix(300))
            }
        }
        return nil
    }

    func number(_ field: String) -> Int? { fields[field].flatMap { Int($0) } }

    /// A hundred years. A longer time is invalid, and would not fit a date.
    static let maxSeconds = 3_155_760_000

    private static func date(_ text: String) -> Date? {
        Array(text.utf8).withUnsafeBytes { HTTPDate($0) }
            .map { Date(timeIntervalSince1970: TimeInterval($0.secondsSince1970)) }
    }
}
