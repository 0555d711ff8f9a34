import People
import Testing

@testable import Site

@Suite("Parameters of pages")
struct ParametersTests {
    /// `/export.csv?spreadsheet=1` would else export the people with that value of a field of that name: nobody.
    @Test(arguments: ["spreadsheet", "proof", "page", "q"])
    func aFilterCalledAsAParameterHasAPrefix(_ key: String) {
        #expect(Filter(key).parameterName == "f.\(key)")
    }

    @Test(arguments: [
        ("since=abc", "since"), ("since=-1", "since"), ("since=99999999999999999999", "since"),
        ("since=1&since=2", "since"), ("before=x", "before"), ("since=1&before=5", "since"), ("per_page=0", "per_page"),
        ("per_page=-3", "per_page"), ("per_page=ten", "per_page"), ("per_page=", "per_page"),
        ("per_page=1&per_page=1", "per_page"), ("sort=nope", "sort"), ("order=up", "order"), ("view=table", "view"),
        ("q=%FF", "q"), ("q=%C3", "q"), ("q=%zz", "q"), ("sort=login&since=3", "since"), ("at=0", "at"),
        ("at=-1", "at"), ("at=x", "at"), ("at=1.5", "at"), ("at=9223372036854775808", "at"), ("at=1&at=2", "at"),
        ("at=2&since=3", "at"), ("at=2&before=3", "at"), ("at=2&before=", "at"), ("q=a&at=10001", "at"),
        ("sort=relevance&q=a&since=m0", "since"), ("sort=relevance&q=a&since=3", "since"),
        ("q=\(String(repeating: "a", count: 257))", "q"),
    ])
    func malformedParametersAreNamed(_ query: String, _ name: String) throws {
        let client = try SiteClient([.make(1)])
        for path in ["/", "/fragment", "/api/v3/users"] {
            let response = client.get("\(path)?\(query)")
            #expect(response.status == .badRequest, "\(path)?\(query)")
            #expect(response.text.contains(name), "\(path)?\(query): \(response.text)")
        }
    }

    @Test(arguments: [
        "", "?", "?&&", "?unknown=1&unknown=2", "?since=", "?before=", "?per_page=30&since=",
        "?q=&sort=&order=&view=&directory=",
        "?q=%20+%20", "?per_page=1000", "?since=0", "?since=9223372036854775807", "?directory=people", "?s%69nce=0",
        "?at=", "?at=1", "?at=9223372036854775807", "?at=2&since=", "?at=&since=1", "?at=&before=", "?q=a&at=10000",
        "?sort=relevance", "?sort=-relevance", "?sort=relevance&q=a&order=desc", "?sort=relevance&since=1",
    ])
    func wellFormedParametersAreAccepted(_ query: String) throws {
        let client = try SiteClient([.make(1), .make(2)])
        for path in ["/", "/fragment", "/api/v3/users"] {
            #expect(client.get(path + query).status == .ok, "\(path)\(query)")
        }
    }

    @Test(arguments: ["embed=yes", "embed=0", "embed=1&embed=1"])
    func malformedEmbedParametersAreNamed(_ query: String) throws {
        let client = try SiteClient([.make(1)])
        for path in ["/", "/fragment"] {
            let response = client.get("\(path)?\(query)")
            #expect(response.status == .badRequest, "\(path)?\(query)")
            #expect(response.text.contains("embed: "), "\(path)?\(query): \(response.text)")
        }
    }

    @Test func perPageIsCappedAtAHundred() throws {
        let client = try SiteClient((1...150).map { .make($0) })
        #expect(client.get("/fragment?per_page=1000").text.components(of: "<article").count == 100)
    }

    @Test func anUnknownDirectoryIsNotFound() throws {
        let client = try SiteClient([.make(1)])
        #expect(client.get("/?directory=nowhere").status == .notFound)
        #expect(client.get("/api/v3/users?directory=nowhere").text.contains(#""message":"Not Found""#))
    }
}

extension String {
    /// Returns the ranges at which `part` occurs.
    func components(of part: String) -> [Range<String.Index>] {
        var found: [Range<String.Index>] = []
        var rest = self[...]
        while let range = rest.firstRange(of: part) {
            found.append(range)
            rest = rest[range.upperBound...]
        }
        return found
    }
}
