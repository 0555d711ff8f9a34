import Base
import JSON
import People
import Server

/// A request for the values of a filter, with the numbers of people who have them: `/fields/{key}` as a page, and
/// `/fields/{key}.json`. `find` narrows them; the parameters of a list say which people are counted.
struct FilterValuesRequest: Sendable {
    private enum Name: String, CaseIterable, Sendable {
        case find
    }

    let isJSON: Bool
    /// The list of people that the values filter.
    let list: PageRequest
    let filter: Filter
    /// The text that the values contain; empty for all.
    let find: String

    /// The greatest number of values in a response of JSON. A page has as many as are counted.
    static let maxCount = 20
    /// The greatest number of values that are counted among the people of a list, to find the most frequent ones.
    private static let maxCounted = 500

    init(_ routed: RoutedRequest, isJSON: Bool = false) throws {
        let filter = Filter(try routed.wildcardText())
        var list = try PageRequest(
            .page, query: routed.query, directories: routed.directories, client: routed.client)
        list.start = .first
        list.embedding = nil
        guard list.directory.filters.contains(where: { $0.filter == filter }) else { throw HTTPError.notFound }
        self.filter = filter
        self.list = list
        self.isJSON = isJSON
        find = try NamedValues<Name>(routed.query).searchText(.find) ?? ""
    }

    /// Returns the values that contain the text, those that most people have first, and the number of all such values.
    private func findValues(
        _ language: Language, count: (_ filters: [ChosenFilter], _ search: Search) throws -> [[Int]?]
    ) rethrows -> (choices: [FilterMenu.Choice], total: Int) {
        let wanted = find.valueForm
        let values = directory.filters.first { $0.filter == filter }?.values ?? []
        let found = values.filter { value in
            wanted.isEmpty || filter.label(of: value.value, in: directory.settings, language).valueForm.contains(wanted)
        }
        let limit = list.search == nil ? shownCount : Self.maxCounted
        var choices = FilterMenu.choices(
            found.prefix(limit), of: filter, chosen: chosen?.values ?? [], directory.settings, language)
        if let search = list.search {
            let counts = try count([ChosenFilter(filter, choices.map(\.text))], search)[0]
            for index in choices.indices { choices[index].count = counts?[index] }
            // The sort is stable: equal values stay in the order of the whole directory.
            choices.sort { $0.count ?? 0 > $1.count ?? 0 }
        }
        return (Array(choices.prefix(shownCount)), found.count)
    }

    private var shownCount: Int { isJSON ? Self.maxCount : Self.maxCounted }

    /// The list's own filter of this field.
    var chosen: ChosenFilter? { list.filters.first { $0.filter == filter } }
}

extension FilterValuesRequest: Resource {
    var directory: Directory { list.directory }
    var isSlow: Bool { list.search != nil }
    var showsDirectories: Bool { !isJSON }
    var hasAbsoluteLinks: Bool { false }
    var language: LanguageChoice? { isJSON ? nil : list.language }

    func appendURL(to buffer: ByteBuffer) {
        buffer.append("/fields/")
        buffer.append(percentEncoding: filter.key)
        if isJSON { buffer.append(".json") }
        var query = QueryWriter(buffer)
        if !find.isEmpty { query.add("find", find) }
        Links(base: "", request: list).addParameters(.first, as: .page, to: &query)
    }

    struct Values: StoredContent {
        let directory: Directory
        let choices: [FilterMenu.Choice]
        /// The number of all values that contain the text.
        let total: Int
    }

    func read(_ task: RenderTask, from reader: SiteReader) throws -> Values {
        let (choices, total) = try findValues(reader.site.languages[language?.code ?? .en]) {
            try reader.counts(of: $0, among: $1, in: directory)
        }
        return Values(directory: directory, choices: choices, total: total)
    }

    func write(_ values: Values, _ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) {
        let layout = renderer.layout(language)
        if isJSON {
            append(values.choices, values.total, layout.language, to: renderer.body)
        } else {
            FilterValuesPage(layout: layout, request: self, task: task)
                .render(values.choices, values.total, into: renderer.body)
        }
    }

    private func append(
        _ choices: [FilterMenu.Choice], _ total: Int, _ language: Language, to body: ByteBuffer
    ) {
        body.append("{\"directory\":")
        body.append(jsonString: directory.slug.text)
        body.append(",\"key\":")
        body.append(jsonString: filter.key)
        body.append(",\"label\":")
        body.append(jsonString: filter.label(in: directory.settings, language))
        body.append(",\"total\":")
        body.append(decimal: total)
        body.append(",\"values\":[")
        for (number, choice) in choices.enumerated() {
            if number > 0 { body.append(",") }
            body.append("{\"value\":")
            body.append(jsonString: choice.text)
            body.append(",\"label\":")
            body.append(jsonString: choice.label)
            body.append(",\"count\":")
            if let count = choice.count { body.append(decimal: count) } else { body.append("null") }
            body.append(",\"chosen\":")
            body.append(choice.isChosen ? "true" : "false")
            body.append("}")
        }
        body.append("]}")
    }
}

extension PageRequest {
    /// The parameters of the list from its beginning on, decoded.
    var parameters: [(name: String, value: String)] {
        var query = QueryList()
        Links(base: "", request: self).addParameters(.first, as: .page, to: &query)
        return query.parameters
    }

    /// The same request without the filter of a field.
    func without(_ filter: Filter) -> PageRequest {
        var request = self
        request.search = search?.filtered { $0.filter != filter }
        return request
    }
}
