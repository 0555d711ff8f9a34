import Server
import Site
import Testing

@Suite("Validators and the cache (RFC 9110 §13)")
struct ConditionalTests {
    let client: SiteClient
    init() throws { client = try SiteClient((1...40).map { .make($0) }) }

    @Test func everyCodingHasItsOwnValidator() {
        let plain = client.get("/")
        let gzip = client.get("/", "Accept-Encoding: gzip")
        #expect(gzip.fields["Content-Encoding"] == "gzip")
        #expect(plain.fields["Content-Encoding"] == nil)
        #expect(plain.fields["ETag"] != gzip.fields["ETag"])
    }

    private func tag(_ configure: (inout Site.Configuration) -> Void) throws -> String? {
        try SiteClient((1...40).map { .make($0) }, configure: configure).get("/").fields["ETag"]
    }

    @Test func serversThatDifferInLimitsAloneGiveEqualValidators() throws {
        let plain = try #require(try tag { _ in })
        #expect(try tag { $0.cacheBytes = 0 } == plain)
        #expect(try tag { $0.maxExports = 1 } == plain)
        #expect(try tag { $0.metrics = .everybody } == plain)
    }

    @Test func whateverChangesBytesChangesTheValidators() throws {
        let tags = try [
            tag { _ in }, tag { $0.publicURL = "https://people.example" }, tag { $0.isNoIndex = true },
            tag { $0.autoPages = 3 }, tag { $0.version = "2" }, tag { $0.allowedOrigins = .only([]) },
            SiteClient((1...40).map { .make($0) }) { $0.basePath = "/people" }.get("/people/").fields["ETag"],
        ]
        #expect(Set(tags.compactMap { $0 }).count == tags.count)
    }

    @Test func aKnownPageIsNotSentAgain() throws {
        let tag = try #require(client.get("/fragment?since=10").fields["ETag"])
        for list in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
            let response = client.get("/fragment?since=10", "If-None-Match: \(list)")
            #expect(response.status == .notModified, "\(list)")
            #expect(response.body.count == 0)
            #expect(response.fields["ETag"] == tag)
            #expect(response.fields["Access-Control-Allow-Origin"] == "*")
        }
        #expect(client.get("/fragment?since=10", "If-None-Match: \"x\"").status == .ok)
    }

    /// Both for a page rendered for the request and for a page from the cache.
    @Test(arguments: [32 << 20, 0])
    func aFailedIfMatchGetsNoPage(_ cacheBytes: Int) throws {
        let client = try SiteClient((1...40).map { .make($0) }) { $0.cacheBytes = cacheBytes }
        #expect(client.get("/?since=7", "If-Match: \"x\"").status == .preconditionFailed)
        let tag = try #require(client.get("/?since=7").fields["ETag"])
        for (fields, status) in [
            ("If-Match: \(tag)", Status.ok), ("If-Match: *", .ok), ("If-Match: \"x\", \(tag)", .ok),
            ("If-Match: \"x\"", .preconditionFailed), ("If-Match: W/\(tag)", .preconditionFailed),
            ("If-Match: \"x\"\r\nIf-None-Match: \(tag)", .preconditionFailed),
            ("If-Match: \(tag)\r\nIf-None-Match: \(tag)", .notModified),
        ] { #expect(client.get("/?since=7", fields).status == status, "\(fields)") }
    }

    @Test func cachedPagesAndValidatorsNeedNoDatabase() throws {
        let tag = try #require(client.get("/?since=3").fields["ETag"])
        let reads = client.store.reads
        #expect(client.get("/?since=3").status == .ok)
        #expect(client.get("/?since=3&unknown=1").status == .ok)
        #expect(client.get("/?since=3", "If-None-Match: \(tag)").status == .notModified)
        #expect(client.store.reads == reads)
    }

    @Test func aValidatorWorksWithoutACachedPage() throws {
        let client = try SiteClient((1...40).map { .make($0) }) { $0.cacheBytes = 0 }
        let tag = try #require(client.get("/").fields["ETag"])
        let reads = client.store.reads
        #expect(client.get("/", "If-None-Match: \(tag)").status == .notModified)
        #expect(client.store.reads == reads)
    }

    @Test func aChangeOfTheDirectoryChangesThePage() throws {
        let tag = try #require(client.get("/").fields["ETag"])
        client.store.change { $0.removeFirst() }
        let response = client.get("/", "If-None-Match: \(tag)")
        #expect(response.status == .ok && !response.text.contains(#"id="user-1""#))
        #expect(response.fields["X-Total-Count"] == "39")
    }

    @Test func aMissingUserMatchesNoCondition() {
        #expect(client.get("/users/nobody", "If-None-Match: *").status == .notFound)
    }

    @Test(arguments: [
        ("gzip", true), ("gzip;q=0", false), ("*", true), ("*;q=0, identity", false), ("identity;q=0", false),
        ("br, gzip;q=0.5", true), ("GZIP", true), ("deflate", false),
    ])
    func gzipIsSentToClientsThatAcceptIt(_ accepted: String, _ isCompressed: Bool) {
        let response = client.get("/", "Accept-Encoding: \(accepted)")
        #expect((response.fields["Content-Encoding"] == "gzip") == isCompressed, "\(accepted)")
        #expect((response.status == .notAcceptable) == (accepted == "identity;q=0"))
    }

    @Test func aValidatorIsNotValidForAnotherCoding() throws {
        let client = try SiteClient((1...40).map { .make($0) }) { $0.cacheBytes = 0 }
        let tag = try #require(client.get("/", "Accept-Encoding: gzip").fields["ETag"])
        #expect(client.get("/", "If-None-Match: \(tag)").status == .ok)
        #expect(client.get("/", "If-None-Match: \(tag)", "Accept-Encoding: gzip").status == .notModified)
    }

    @Test func differentRequestsNeverShareACacheKey() throws {
        let client = try SiteClient([.make(1, "tag"), .make(2, "e")])
        #expect(client.get("/api/v3/users/tag", host: "evil").status == .ok)
        #expect(client.get("/api/v3/users/tag%20@evil", host: "").status == .notFound)
        #expect(client.get("/api/v3/users?q=e", host: "evil").fields["Link"]?.contains("evil") == true)
        #expect(client.get("/api/v3/users?q=e+@evil", host: "").text == "[]")
    }
}
