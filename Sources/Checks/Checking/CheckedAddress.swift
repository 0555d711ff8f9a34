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
        _ page: WebAddress, in directory: DescribedDirectory = DescribedDirectory(), stamp: String = ""
    ) throws {
        let parameters = page.parameters(without: ["proof"])
        func value(_ name: String) -> String? {
            parameters.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
        }
        for name in ["since", "before", "at"] {
            try page.expect(
                value(name) == nil, "expected an address without \(name): a check begins with the first user")
        }
        let (sort, direction) = (value("sort") ?? "", value("order"))
        order = directory.order(
            sort: sort.removingPercentEncoding ?? sort, direction: direction?.isEmpty == true ? nil : direction,
            hasWords: Self.hasWords(value("q")), stamp: stamp)
        let others = ["directory", "sort", "order", "per_page", "view", "proof"]
        isSearch = !page.parameters(without: others).isEmpty
        let given = parameters + (value("per_page") == nil ? ["per_page=100"] : [])
        func below(_ path: String, _ parameters: [String] = []) throws -> WebAddress {
            try WebAddress("\(page.below(path).text)?\((given + parameters).joined(separator: "&"))")
        }
        (self.page, fragment) = (try below(""), try below("fragment"))
        // Parameters of the address stay as they are, even if they are invalid.
        let key = sort.isEmpty && order.value != .id ? ["sort=\(order.key)"] : []
        let ordering = key + (sort.isEmpty && direction == nil && order.isDescending ? ["order=desc"] : [])
        let fields = order.fields.isEmpty ? [] : ["fields=\(order.fields.joined(separator: ","))"]
        json = try below("api/v3/users", ordering + fields)
        letters = order.hasLetters ? try below("letters.json", ordering) : nil
        // The proof shows that the export is whole, even where a connection does not.
        export = try below("export.ndjson", ["proof=1"] + ordering)
    }

    /// Whether the encoded value of `q` contains words.
    private static func hasWords(_ text: String?) -> Bool {
        let words = text?.replacing("+", with: " ").removingPercentEncoding ?? ""
        return words.unicodeScalars.contains { !$0.properties.isWhitespace }
    }

    /// Returns the address of the page that begins with a letter.
    func json(from letter: String) throws -> WebAddress {
        let kept = json.parameters(without: ["per_page", "fields"]) + ["per_page=1"]
        let address = try WebAddress("\(json.text.prefix { $0 != "?" })?\(kept.joined(separator: "&"))")
        return try address.appending("letter", letter)
    }

    /// Returns the address of the description of the directory at `page`.
    static func description(of page: WebAddress) throws -> WebAddress {
        let directory = page.parameters().first { $0.hasPrefix("directory=") }
        return try WebAddress(page.below("fields.json").text + (directory.map { "?\($0)" } ?? ""))
    }
}

extension WebAddress {
    /// The parameters as written, such as `sort=name`, but those called `names`.
    fileprivate func parameters(without names: [String] = []) -> [String] {
        text.drop { $0 != "?" }.dropFirst().split(separator: "&").map(String.init).filter { parameter in
            !names.contains { parameter.hasPrefix($0 + "=") }
        }
    }
}
