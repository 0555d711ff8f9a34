import Base
import TestSupport
import Testing

@testable import Checks

@Suite("HTMLPage")
struct HTMLPageTests {
    private func read(_ html: String, isFragment: Bool = true) throws -> ListedPage {
        let bytes = Array(html.utf8)
        return try ListedPage(html: bytes.span, isFragment: isFragment)
    }

    private func problem(_ html: String, isFragment: Bool = true) -> String {
        message { _ = try read(html, isFragment: isFragment) }
    }

    private func article(_ id: Int, size: Int = 2, _ content: String? = nil) -> String {
        let link =
            #"<h2><a id="n\#(id)" href="/people/users/some%20one?directory=x">Some &amp; &#39;One&#x27;</a></h2>"#
        return
            #"<article class="user big" id="user-\#(id)" data-id="\#(id)" aria-posinset="\#(id)" aria-setsize="\#(size)" "#
            + #"aria-labelledby="n\#(id)">\#(content ?? link)</article>"#
    }

    @Test func aFragmentConsistsOfArticlesAndAnEnd() throws {
        let next =
            #"<a class="next" rel="next" href="/?since=2&amp;q=a" data-fragment="/fragment?since=2">More <b>users</b></a>"#
        let page = try read("\n" + article(1) + "<!-- <p> -->" + article(2) + next)
        #expect(page.users.map(\.id) == [1, 2] && page.users.map(\.position) == [1, 2] && page.total == 2)
        #expect(page.users[0].login == Array("some one".utf8) && page.users[0].name == Array("Some & 'One'".utf8))
        #expect(page.next?.page == "/?since=2&q=a" && page.next?.fragment == "/fragment?since=2")
        #expect(try read("<p class=end>That’s everyone.</p>").next == nil)
    }

    @Test func markupAddedByTemplatesIsIgnored() throws {
        let content = """
            <span class='avatar'><img alt="a > b" src='https://a.example/1?a=1&amp;b=2'></span><h2><A></A>
            <a id="n1" href="/users/x">N<bdi>a</bdi>me</a></h2><p class="reputation"><span>Reputation </span>-24,507</p>
            """
        let page = try read(
            """
            <!DOCTYPE html><html><head><title>1 &lt; 2</title><script>if (a<b) "</p>"</script><style>a>b{}</style></head>
            <div hidden id=users data-total=1>\(article(1, size: 1, content))</div><p class="end"></p><footer>&nbsp;</footer></html>
            """, isFragment: false)
        #expect(page.users[0].reputation == -24_507 && page.users[0].name == Array("Name".utf8))
        #expect(page.users[0].avatar == Array("https://a.example/1?a=1&b=2".utf8))
    }

    /// JSON has absolute addresses of drawn pictures, and those of initials for users without a picture.
    @Test(arguments: [
        ("/p/pictures/faces/7.svg", "/pictures/faces/7.svg"), ("https://a.example/1.png", "https://a.example/1.png"),
        ("https://people.example/p/pictures/faces/7.svg", "/pictures/faces/7.svg"),
        ("https://people.example/p/pictures/initials/7/AB.svg", ""), ("", ""),
    ])
    func picturesAreComparedByWhatTheyShow(_ address: String, _ expected: String) {
        #expect(Array(address.utf8).picture == Array(expected.utf8))
    }

    @Test func errorsNameTheProblem() {
        let end = #"<p class="end"></p>"#
        #expect(problem(article(1) + "<div>" + end).contains("found <div>"))
        #expect(problem(article(1) + "text" + end).contains("found text"))
        #expect(problem(article(1)).contains("expected <a class=\"next\"> or <p class=\"end\">"))
        #expect(problem(end + article(1)).contains("no article after"))
        #expect(problem(end + end).contains("found another"))
        #expect(problem(#"<a class="next" href="/">x</a>"#).contains("expected rel=\"next\", href and data-fragment"))
        #expect(problem(#"<article data-id="1">"#).contains(#"expected class="user""#))
        #expect(problem(#"<article class="user" data-id="x">"#).contains("expected data-id, a number"))
        #expect(problem(#"<article class="user" id="user-2" data-id="1">"#).contains(#"expected id="user-1""#))
        #expect(problem(article(1, "<p>") + end).contains("user 1: expected a link to their page"))
        #expect(problem(String(article(1).dropLast(4)) + end).contains("user 1: expected the end of their article"))
        #expect(problem(article(1) + article(2, size: 3) + end).contains("user 2: expected the aria-setsize"))
        #expect(problem(article(1, "<a id=n1 href=/users/x>&what;</a>") + end).contains("found &what;"))
        #expect(problem(article(1) + end, isFragment: false).contains("expected an element with id=\"users\""))
        #expect(
            problem("<div id=users data-total=9>" + article(1) + end, isFragment: false).contains("the same number"))
        #expect(problem("<p class=\"end").contains("expected the end of a tag"))
        #expect(problem("<!-- ").contains("expected the end of a comment"))
    }
}
