import HTTPClient
import Testing

@testable import Importers

@Suite("Attribution of services")
struct TermsTests {
    @Test(arguments: [
        ("stackoverflow", "https://stackoverflow.com/users"),
        ("pt.stackoverflow", "https://pt.stackoverflow.com/users"),
        ("french", "https://french.stackexchange.com/users"), ("mathoverflow", "https://mathoverflow.net/users"),
        ("codegolf.meta", "https://codegolf.meta.stackexchange.com/users"),
        ("english.stackexchange.com", "https://english.stackexchange.com/users"),
    ])
    func everyStackExchangeSiteHasItsOwnURL(site: String, url: String) throws {
        let service = try StackExchange(base: WebAddress("https://api.stackexchange.com/2.3"), site: site)
        #expect(service.terms.attributionURL == url)
        #expect(service.terms.licence == "CC BY-SA 4.0")
    }

    @Test func attributionNamesTheSiteAndNotItsAPI() throws {
        #expect(try GitHub(base: WebAddress("https://api.github.com")).terms.attributionURL == "https://github.com")
        let enterprise = try GitHub(base: WebAddress("https://git.example:8443/api/v3"))
        #expect(enterprise.terms.attributionURL == "https://git.example:8443")
        let characters = try RickAndMorty(base: WebAddress("https://rickandmortyapi.com/api"))
        #expect(characters.terms.attributionURL == "https://rickandmortyapi.com")
    }
}
