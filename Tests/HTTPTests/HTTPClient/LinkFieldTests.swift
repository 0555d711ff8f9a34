import HTTPClient
import Testing

@Suite("Link fields (RFC 8288 §3)")
struct LinkFieldTests {
    @Test(arguments: [
        (
            #"<https://a.example/users?since=46>; rel="next", <https://a.example/users{?since}>; rel="first""#,
            "https://a.example/users?since=46"
        ),
        (#"<https://a.example/users{?since}>; rel="first", <?page=2>; rel=next"#, "?page=2"),
        (#"<a>; title="x, <b>; rel=next"; rel="prev", <c>; REL="last Next""#, "c"),
        (#"<a,b;c>; rel="next""#, "a,b;c"), (#"<a>; rel="nextish""#, nil), ("", nil), ("<a", nil), ("a; rel=next", nil),
    ])
    func theNextLinkIsFound(_ field: String, _ target: String?) {
        #expect(ClientAnswer(status: 200, fields: ["link": field]).nextLink == target)
    }
}
