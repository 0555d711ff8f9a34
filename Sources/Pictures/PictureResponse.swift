import Foundation
import HTTPClient

/// The meaning of a response to a request for a picture, or of its absence.
enum PictureResponse: Equatable {
    case file([UInt8], PictureValidators)
    case unchanged
    case missing
    case moved(WebAddress)
    /// The host allows no more requests before this time; `nil` if it does not say when.
    case limited(until: Date?)
    case failed(PictureFailure)

    /// Judges a response by its status (RFC 9110 §15). The media type is ignored: the first bytes of a file decide.
    init(_ answer: ClientAnswer, from address: WebAddress, isConditional: Bool, now: Date) {
        switch answer.status {
        case 200: self = .file(answer.body, PictureValidators(of: answer, from: address))
        case 304 where isConditional: self = .unchanged
        case 404, 410: self = .missing
        case 301, 302, 303, 307, 308: self = Self.moved(answer, from: address)
        case 429: self = .limited(until: answer.retryAfter(now: now))
        case 503 where answer.retryAfter(now: now) != nil: self = .limited(until: answer.retryAfter(now: now))
        default:
            // A host that forbids everything counts as one that fails; 400 and the like may be one address's fault.
            let isOfHost = answer.status >= 500 || [401, 403].contains(answer.status)
            self = .failed(PictureFailure("the host answered \(answer.status)", host: address.host, isOfHost: isOfHost))
        }
    }

    init(_ error: ClientError, from address: WebAddress) {
        let prefixes = ["\(address.origin): ", "\(address.host): ", "\(address.origin) "]
        let text = "\(error)"
        let kind = prefixes.first { text.hasPrefix($0) }.map { String(text.dropFirst($0.count)) } ?? text
        self = .failed(PictureFailure(kind, host: address.host, isOfHost: error.isOfHost))
    }

    private static func moved(_ answer: ClientAnswer, from address: WebAddress) -> PictureResponse {
        guard let link = answer.fields["location"] else {
            return .failed(PictureFailure("it redirects without an address", host: address.host))
        }
        do { return .moved(try PictureRequest.address(following: link, from: address)) } catch {
            return .failed(PictureFailure("it redirects to something that is not a web address", host: address.host))
        }
    }
}

/// Why a picture could not be fetched. It contains nothing of the response.
struct PictureFailure: Equatable, CustomStringConvertible {
    /// The reason without the host, by which failures are counted.
    let kind: String
    let host: String
    /// Whether the next request to the host is likely to fail, too.
    let isOfHost: Bool

    init(_ kind: String, host: String, isOfHost: Bool = false) {
        (self.kind, self.host, self.isOfHost) = (kind, host, isOfHost)
    }

    var description: String { "\(host): \(kind)" }
}
