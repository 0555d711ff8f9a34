import Base
import People
import Server

extension RoutedRequest {
    /// An OpenSearch 1.1 description, with which browsers offer a directory as a search engine.
    func openSearch() throws -> Reply {
        let (linked, root) = (try linked(), try homeURL())
        let type: StaticString = "application/opensearchdescription+xml; charset=utf-8"
        return .now(
            renderer.document(type, route, client, namesHost: true) { $0.append(openSearchOf: linked, root: root) })
    }
}

extension ByteBuffer {
    /// - Parameter root: the absolute URL of the home page, without its last slash.
    fileprivate func append(openSearchOf linked: LinkedDirectory, root: String) {
        append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        append("<OpenSearchDescription xmlns=\"http://a9.com/-/spec/opensearch/1.1/\">\n<ShortName>")
        // The specification allows 16 characters for the name and 1,024 for the description.
        append(xml: linked.directory.title.prefix(16))
        append("</ShortName>\n<Description>Find people in ")
        append(xml: linked.directory.title.prefix(1000))
        append("</Description>\n<InputEncoding>UTF-8</InputEncoding>\n")
        append("<Image width=\"16\" height=\"16\" type=\"image/x-icon\">")
        append(xml: "\(root)/favicon.ico")
        append("</Image>\n")
        let parameter = linked.parameter.map { "directory=\($0)" }
        let further = parameter.map { "&\($0)" } ?? ""
        append(url: "\(root)/?q={searchTerms}\(further)", "text/html", "results")
        append(url: "\(root)/api/v3/users?q={searchTerms}\(further)", "application/json", "results")
        append(
            url: "\(root)/opensearch.xml" + (parameter.map { "?\($0)" } ?? ""),
            "application/opensearchdescription+xml", "self")
        append("</OpenSearchDescription>\n")
    }

    private func append(url template: String, _ type: StaticString, _ relation: StaticString) {
        append("<Url type=\"")
        append(type)
        append("\" rel=\"")
        append(relation)
        append("\" template=\"")
        append(xml: template)
        append("\"/>\n")
    }

    /// Appends escaped text without the characters that XML documents must not contain (XML 1.0 §2.2).
    private func append(xml text: some StringProtocol) {
        let scalars = text.unicodeScalars.filter {
            ($0.value >= 0x20 || $0 == "\t" || $0 == "\n") && $0.value != 0xFFFE && $0.value != 0xFFFF
        }
        let allowed = String(String.UnicodeScalarView(scalars))
        allowed.withUTF8Bytes { append(escapingHTML: $0) }
    }
}
