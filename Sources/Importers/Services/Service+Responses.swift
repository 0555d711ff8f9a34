import Foundation
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
    /// Returns the pause in `Retry-After`; `nil` if it is missing or over.
    func backoff(now: Date, _ reason: String) -> Backoff? {
        retryAfter(now: now).map { Backoff(until: $0, reason: reason) }
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
}
