import Testing

@testable import HTTPClient

@Suite("The proxy that the environment names")
struct EnvironmentProxyTests {
    @Test(
        arguments: [
            ("https://a.example/", ["https_proxy": "p:1"], "p:1"),
            ("https://a.example/", ["HTTPS_PROXY": "p:1"], "p:1"),
            ("https://a.example/", ["http_proxy": "p:1"], nil), ("http://a.example/", ["http_proxy": "p:1"], "p:1"),
            ("http://a.example/", ["HTTP_PROXY": "p:1"], nil), ("http://a.example/", ["ALL_PROXY": "p:1"], "p:1"),
            ("https://a.example/", ["https_proxy": "p:1", "all_proxy": "q:1"], "p:1"),
            ("https://a.example/", ["https_proxy": "", "all_proxy": "q:1"], "q:1"),
            ("http://127.0.0.1:80/", ["all_proxy": "p:1"], nil), ("http://localhost/", ["all_proxy": "p:1"], nil),
            ("https://a.example/", ["all_proxy": "p:1", "no_proxy": "*"], nil),
            ("https://a.example/", ["all_proxy": "p:1", "no_proxy": "b.example, .EXAMPLE"], nil),
            ("https://a.example/", ["all_proxy": "p:1", "NO_PROXY": "a.example"], nil),
            ("https://aa.example/", ["all_proxy": "p:1", "no_proxy": "a.example"], "p:1"),
            ("https://10.1.2.3/", ["all_proxy": "p:1", "no_proxy": "10.0.0.0/8"], nil),
            ("https://11.1.2.3/", ["all_proxy": "p:1", "no_proxy": "10.0.0.0/8,1.2.3"], "p:1"),
            ("https://[fd00::7]/", ["all_proxy": "p:1", "no_proxy": "[fd00::7]"], nil),
        ] as [(String, [String: String], String?)])
    func itIsChosenAsByCurl(_ server: String, _ environment: [String: String], _ proxy: String?) throws {
        #expect(try WebAddress(server).environmentProxy { environment[$0] } == proxy)
    }
}
