import Base
import People
import Server

/// An OpenSearch 1.1 description, with which browsers offer a directory as a search engine.
struct OpenSearch {
    /// The absolute URL of the home page, without its last slash.
    let root: String
    let linked: LinkedDirectory

    func append(to buffer: ByteBuffer) {
        buffer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        buffer.append("<OpenSearchDescription xmlns=\"http://a9.com/-/spec/opensearch/1.1/\">\n<ShortName>")
        // The specification allows 16 characters for the name and 1,024 for the description.
        append(linked.directory.title.prefix(16), to: buffer)
        buffer.append("</ShortName>\n<Description>Find people in ")
        append(linked.directory.title.prefix(1000), to: buffer)
        buffer.append("</Description>\n<InputEncoding>UTF-8</InputEncoding>\n")
        buffer.append("<Image width=\"16\" height=\"16\" type=\"image/x-icon\">")
        append("\(root)/favicon.ico", to: buffer)
        buffer.append("</Image>\n")
        let parameter = linked.parameter.map { "directory=\($0)" }
        let further = parameter.map { "&\($0)" } ?? ""
        append("text/html", "results", "/?q={searchTerms}\(further)", to: buffer)
        append("application/json", "results", "/api/v3/users?q={searchTerms}\(further)", to: buffer)
        append(
            "application/opensearchdescription+xml", "self",
            "/opensearch.xml" + (parameter.map { "?\($0)" } ?? ""), to: buffer)
        buffer.append("</OpenSearchDescription>\n")
    }

    private func append(_ type: StaticString, _ relation: StaticString, _ template: String, to buffer: ByteBuffer) {
        buffer.append("<Url type=\"")
        buffer.append(type)
        buffer.append("\" rel=\"")
        buffer.append(relation)
        buffer.append("\" template=\"")
        append(root + template, to: buffer)
        buffer.append("\"/>\n")
    }

    /// Appends escaped text without the characters that XML documents must not contain (XML 1.0 §2.2).
    private func append(_ text: some StringProtocol, to buffer: ByteBuffer) {
        let scalars = text.unicodeScalars.filter {
            ($0.value >= 0x20 || $0 == "\t" || $0 == "\n") && $0.value != 0xFFFE && $0.value != 0xFFFF
        }
        let allowed = String(String.UnicodeScalarView(scalars))
        allowed.withUTF8Bytes { buffer.append(escapingHTML: $0) }
    }
}

extension RoutedRequest {
    func openSearch() throws -> Reply {
        let linked = try self.linked()
        let description = OpenSearch(root: try homeURL(), linked: linked)
        let type: StaticString = "application/opensearchdescription+xml; charset=utf-8"
        return .now(renderer.document(type, route, client, namesHost: true) { description.append(to: $0) })
    }
}
