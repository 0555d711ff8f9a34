import Foundation
import People
import Testing

@testable import Site

@Suite("OpenAPI description")
struct DescriptionTests {
    private struct Description: Decodable {
        struct Operation: Decodable { var parameters: [Parameter]? }
        struct Components: Decodable { var parameters: [String: Parameter] }
        struct Parameter: Decodable {
            var name: String?
            var reference: String?

            enum CodingKeys: String, CodingKey {
                case name
                case reference = "$ref"
            }
        }
        var paths: [String: [String: Operation]]
        var components: Components

        /// Returns the query parameters of the operation at `path`.
        func parameters(of path: String) throws -> Set<String> {
            let all = try #require(paths[path]?["get"]?.parameters)
            let names = all.map { parameter in
                let key = parameter.reference?.split(separator: "/").last.map(String.init)
                return key.map { components.parameters[$0]?.name } ?? parameter.name
            }
            return Set(try names.map { try #require($0) })
        }
    }

    @Test func everyParameterOfPagesIsDescribed() throws {
        let text = try SiteClient().get("/openapi.json").text
        let description = try JSONDecoder().decode(Description.self, from: Data(text.utf8))
        let filters: [Filter] = [.type, .userType, .status, .species, .gender]
        let all = Set(Parameter.ofLists.map(\.rawValue) + filters.map(\.key))
        #expect(
            try description.parameters(of: "/api/v3/users")
                == all.subtracting(["view", "theme", "embed", "filters", "lang"]))
        let own = ["/export.ndjson": ["proof"], "/export.csv": ["proof", "spreadsheet"], "/export.xlsx": []]
        for (path, more) in own {
            #expect(
                try description.parameters(of: path)
                    == all.subtracting([
                        "view", "theme", "embed", "filters", "lang", "fields", "before", "per_page",
                    ]).union(more))
        }
    }
}
