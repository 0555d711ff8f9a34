import Bytes
import Directories
import Fields
import HTTP

/// The filters in a query: `department=Sales`, or `f.page=3` for a field whose key is the name of another parameter.
struct FilterParameters {
    /// In the order in which the directory shows its filters.
    let choices: [FacetChoice]

    /// Names of parameters of this site and of the compatible APIs.
    static let reserved: Set<String> = [
        "since", "before", "at", "letter", "per_page", "q", "sort", "order", "directory", "view", "fields", "lang",
        "theme", "layout", "proof", "embed", "facets_of", "columns", "max", "size", "page", "pagesize", "id", "ids",
        "site", "filter", "name",
    ]

    /// Empty values are ignored, as forms send them. Throws an ``HTTPError`` for a field that is not a filter, with the
    /// same message for private and missing fields.
    init(_ query: UnsafeRawBufferPointer?, _ directory: Directory, scratch: ByteBuffer) throws {
        var found: [(index: Int, choice: FacetChoice)] = []
        /// Filters of services are valid parameters everywhere, even where they filter nothing.
        var seen: Set<String> = []
        var failure: HTTPError?
        if let query {
            forEachQueryItem(in: query) { name, value in
                guard failure == nil, let name = scratch.decodedText(name, plusIsSpace: true) else { return }
                do {
                    if Facet.ofShapes.contains(Facet(name)), !seen.insert(name).inserted {
                        throw HTTPError.badRequest("\(name): given more than once; it takes one value")
                    }
                    guard let index = try Self.index(of: name, in: directory),
                        let choice = try Self.choice(directory.facets[index], name, value, scratch)
                    else { return }
                    guard !found.contains(where: { $0.index == index }) else {
                        throw HTTPError.badRequest("\(name): given more than once; it takes one value")
                    }
                    found.append((index, choice))
                } catch { failure = error as? HTTPError }
            }
        }
        if let failure { throw failure }
        choices = found.sorted { $0.index < $1.index }.map(\.choice)
    }

    /// Returns the filter that a parameter names, or `nil` if the parameter is not a filter.
    private static func index(of name: String, in directory: Directory) throws -> Int? {
        let isPrefixed = name.hasPrefix("f.")
        let key = isPrefixed ? String(name.dropFirst(2)) : name
        if !isPrefixed, reserved.contains(key) { return nil }
        if let index = directory.facets.firstIndex(where: { $0.facet.key == key }) { return index }
        let isField = directory.plan.fields.contains { $0.key == key && $0.visibility == .public }
        guard isPrefixed || isField else { return nil }
        let names = directory.facets.map(\.facet.parameterName)
        let expected = names.isEmpty ? "this directory has none" : "one of " + names.joined(separator: ", ")
        throw HTTPError.badRequest("\(name.excerpt): expected a filter, \(expected)")
    }

    private static func choice(
        _ counts: FacetCounts, _ name: String, _ value: UnsafeRawBufferPointer, _ scratch: ByteBuffer
    ) throws -> FacetChoice? {
        guard let text = scratch.decodedText(value, plusIsSpace: true) else {
            throw HTTPError.badRequest("\(name): expected UTF-8 text without zero bytes, percent-encoded")
        }
        guard text.utf8.count <= 256 else {
            throw HTTPError.badRequest("\(name): expected at most 256 bytes of text, found \(text.utf8.count)")
        }
        return text.isEmpty ? nil : counts.choice(text)
    }
}

extension FacetCounts {
    /// Returns the value that equals `text`, ignoring case, or else one that no user has.
    func choice(_ text: String) -> FacetChoice {
        let index = FacetChoice.index(of: text, in: values.map(\.value))
        return FacetChoice(facet, index.map { values[$0].value } ?? text)
    }
}

extension Facet {
    /// The name of the parameter in links and forms.
    var parameterName: String { FilterParameters.reserved.contains(key) ? "f." + key : key }

    /// The name for people.
    func label(in plan: FieldPlan) -> String {
        if let field = plan.fields.first(where: { $0.key == key }) { return plan.label(of: field) }
        return switch self {
        case .type, .userType: "Type"
        case .status: "Status"
        case .species: "Species"
        case .gender: "Gender"
        default: key
        }
    }

    /// A value for people: `Yes` for a boolean's `true`.
    func label(of value: String, in plan: FieldPlan) -> String {
        guard plan.fields.first(where: { $0.key == key })?.type == .boolean else { return value }
        return value == "true" ? "Yes" : value == "false" ? "No" : value
    }
}
