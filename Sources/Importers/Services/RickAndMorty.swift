import Base
import Foundation
import HTTPClient
import People
import Publishing

/// The characters of the Rick and Morty API.
public struct RickAndMorty: Service {
    public let name = "The Rick and Morty API"
    public let settings = BuiltInSettings.rickAndMorty
    public let base: WebAddress
    public let start: WebAddress
    public let secret: Secret? = nil
    public let peoplePerRequest = 20
    public let hasNumberedPages = true
    public let retryPause = Duration.seconds(1)

    public init(base: WebAddress) throws(RollcallError) {
        self.base = base
        start = try base.below("character").appending("page", "1")
    }

    public var scope: String { "rickandmorty \(base)" }

    public var purpose: String {
        "asking \(base) for all characters, 20 at a time; it needs no key and allows 10,000 requests a day"
    }

    public var terms: Terms { Terms(attribution: name, attributionURL: base.site) }

    public func request(_ address: WebAddress) -> ClientRequest { ClientRequest(address) }

    public func read(_ answer: ClientAnswer, at address: WebAddress, now: Date) -> ServiceAnswer {
        ServiceAnswer(disposition: judge(answer, at: address, now: now))
    }

    private func judge(_ answer: ClientAnswer, at address: WebAddress, now: Date) -> ResponseDisposition {
        switch answer.status {
        // With a full stop at the end, the message means a wrong path.
        case 404 where answer.message == "There is nothing here":
            // The first page may be empty; a page that another one links to may not.
            return address == start
                ? .page(ServicePage()) : .gone("\(name) led to \(address.target), and has nothing there")
        case 429 where answer.fields["retry-after"] == nil:
            // "refused for 12 hours" (rickandmortyapi.com/documentation).
            return .limited(until: now + 43_200, "\(name) has been asked 10,000 times today")
        default: return judgeByStatus(answer, now: now) { try page(JSONObjectView(answer.body)) }
        }
    }

    private func page(_ json: JSONObjectView) throws -> ServicePage {
        let info = try json.object("info")
        var page = ServicePage(records: try json.elements("results"), total: info.number("count"))
        page.next = info.text("next")
        try expect(
            page.next != nil || info.isNull("next"), "expected \"next\" to be a URL or null, found neither")
        return page
    }
}
