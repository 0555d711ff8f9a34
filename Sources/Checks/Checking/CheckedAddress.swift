import Directories
import HTTPClient

/// The addresses of a directory's lists, which are next to its page and have the same parameters.
struct CheckedAddress {
    let page, fragment, json, export: WebAddress
    let sort: Sort
    /// Whether the address selects only some users of a directory. A search may not know how many users it finds.
    let isSearch: Bool

    /// Derives the addresses from `page`, the address of a directory's page, with any parameters but `since` and
    /// `before`.
    init(_ page: WebAddress) throws {
        let text = page.text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var parameters = (text.count > 1 ? text[1] : "").split(separator: "&").map(String.init)
        func value(_ name: String) -> Substring? {
            parameters.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1)
        }
        parameters.removeAll { $0.hasPrefix("proof=") }
        for name in ["since", "before"] where value(name) != nil {
            throw CheckFault(at: page, "expected an address without \(name): a check begins with the first user")
        }
        sort = Sort(
            value("sort").flatMap { Sort.Key($0, of: .empty) } ?? .id,
            value("order").flatMap { Sort.Direction(rawValue: String($0)) } ?? .ascending)
        isSearch = parameters.contains { parameter in
            !["directory", "sort", "order", "per_page", "view"].contains { parameter.hasPrefix($0 + "=") }
        }
        if value("per_page") == nil { parameters.append("per_page=100") }
        let query = "?" + parameters.joined(separator: "&")
        func below(_ path: String) throws -> WebAddress { try WebAddress(page.below(path).text + query) }
        (self.page, fragment) = (try below(""), try below("fragment"))
        json = try below("api/v3/users")
        // The proof shows that the export is whole, even where a connection does not.
        export = try below("export.ndjson").appending("proof", "1")
    }
}
