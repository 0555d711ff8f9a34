import Base
import Foundation
import HTTPClient

/// The addresses of a directory's lists, which are next to its page and have the same parameters.
struct CheckedAddress {
    let page, fragment, json, export: WebAddress
    /// The letters of an order by names; `nil` in other orders.
    let letters: WebAddress?
    let order: CheckedOrder
    /// Whether the address selects only some users of a directory. A search may not know how many users it finds.
    let isSearch: Bool

    /// Derives the addresses from `page`, the address of a directory's page, with any parameters but `since`,
    /// `before` and `at`.
    ///
    /// Without `sort`, pages and exports have the directory's own order, but pages of a search the order by relevance.
    /// The JSON has the order by id then. So the addresses of JSON and export name the order of the page. `stamp` is
    /// the page's `data-collation`.
    init(
        _ page: WebAddress, in directory: DescribedDirectory = DescribedDirectory(), stamp: String? = nil
    ) throws {
        let text = page.text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var parameters = (text.count > 1 ? text[1] : "").split(separator: "&").map(String.init)
        func value(_ name: String) -> Substring? {
            parameters.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1)
        }
        parameters.removeAll { $0.hasPrefix("proof=") }
        for name in ["since", "before", "at"] where value(name) != nil {
            throw RollcallError(at: page, "expected an address without \(name): a check begins with the first user")
        }
        let (sort, direction) = (value("sort").map(String.init), value("order").map(String.init))
        order = directory.order(
            sort: sort?.removingPercentEncoding ?? sort, direction: direction?.isEmpty == true ? nil : direction,
            hasWords: Self.hasWords(value("q")), stamp: stamp)
        isSearch = parameters.contains { parameter in
            !["directory", "sort", "order", "per_page", "view"].contains { parameter.hasPrefix($0 + "=") }
        }
        if value("per_page") == nil { parameters.append("per_page=100") }
        let query = "?" + parameters.joined(separator: "&")
        func below(_ path: String) throws -> WebAddress { try WebAddress(page.below(path).text + query) }
        (self.page, fragment) = (try below(""), try below("fragment"))
        var json = try below("api/v3/users")
        if sort?.isEmpty ?? true, order.value != .id {
            json = try json.appending("sort", order.key)
            if direction == nil, order.isDescending { json = try json.appending("order", "desc") }
        } else if sort?.isEmpty ?? true, direction == nil, order.isDescending {
            json = try json.appending("order", "desc")
        }
        if !order.fields.isEmpty { json = try json.appending("fields", order.fields.joined(separator: ",")) }
        self.json = json
        switch order.value {
        case .name, .surname, .reading:
            let isNamed = sort?.isEmpty == false
            let letters = try below("letters.json")
            let named = isNamed ? letters : try letters.appending("sort", order.key)
            self.letters =
                !isNamed && direction == nil && order.isDescending ? try named.appending("order", "desc") : named
        default: letters = nil
        }
        // The proof shows that the export is whole, even where a connection does not.
        var export = try below("export.ndjson").appending("proof", "1")
        if sort?.isEmpty ?? true, case .unknown(DescribedDirectory.relevance) = order.value {
            export = try export.appending("sort", order.key)
        }
        self.export = export
    }

    /// Whether the encoded value of `q` contains words.
    private static func hasWords(_ text: Substring?) -> Bool {
        let words = text?.replacing("+", with: " ").removingPercentEncoding ?? ""
        return words.unicodeScalars.contains { !$0.properties.isWhitespace }
    }

    /// Returns the address of the page that begins with a letter.
    func json(from letter: String) throws -> WebAddress {
        let names = ["per_page=", "fields="]
        let parts = json.text.split(separator: "?", maxSplits: 1)
        let kept = (parts.count > 1 ? parts[1] : "").split(separator: "&").filter { parameter in
            !names.contains { parameter.hasPrefix($0) }
        }
        let address = try WebAddress("\(parts[0])?\((kept + ["per_page=1"]).joined(separator: "&"))")
        return try address.appending("letter", letter)
    }

    /// Returns the address of the description of the directory at `page`.
    static func description(of page: WebAddress) throws -> WebAddress {
        let parts = page.text.split(separator: "?", maxSplits: 1)
        let directory = (parts.count > 1 ? parts[1] : "").split(separator: "&").first { $0.hasPrefix("directory=") }
        return try WebAddress(page.below("fields.json").text + (directory.map { "?\($0)" } ?? ""))
    }
}
