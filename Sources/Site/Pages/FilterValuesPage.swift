import Base
import People
import Server
import Template

extension FilterValuesRequest {
    /// Renders the page of all values of a filter: fills the fields of `values.mustache`.
    private func render(
        _ values: Values, with layout: Layout, among directories: DirectoryList, into body: ByteBuffer
    ) {
        let (model, choices) = (layout.model, values.choices)
        let base = layout.configuration.basePath
        let label = filter.label(in: directory.settings, layout.language)
        let template = layout.templates.values
        let document = layout.makeDocument(for: template, about: list.linked)
        model.set(document, .documentTitle, "\(label) · \(directory.title)")
        layout.setFoot(document, directory, directories)
        let frame = model.makeFrame(FilterValuesField.self, for: template)
        model.set(frame, .label, label)
        model.write(frame, .findAction) { filter.appendPath(below: base, to: $0) }
        model.write(frame, .listHref) { Links(base: base, request: list).append(.first, as: .page, to: $0) }
        model.set(frame, .find, find)
        model.set(frame, .name, filter.parameterName)
        // The values that are chosen and not found stay chosen.
        let others = chosen.texts.filter { text in !choices.contains { $0.text == text } }
        let name = filter.parameterName
        layout.setHidden(frame, .findHidden, list.parameters)
        let unfiltered = list.searching(list.searchText, list.filters.filter { $0.filter != filter })
        layout.setHidden(frame, .hidden, unfiltered.parameters + others.map { (name, $0) })
        layout.setChoices(frame, .options, choices)
        model.set(frame, .hasNone, flag: choices.isEmpty)
        if values.total > choices.count {
            model.set(
                frame, .note,
                layout.language.text(.valuesNote, ["shown": .number(choices.count), "total": .number(values.total)]))
        }
        template.render(frame, within: document, of: model, into: body)
    }
}

/// `values.mustache`: the values of a filter.
enum FilterValuesField: Int, TemplateField {
    /// The name of the filter for people, and its parameter.
    case label, name
    /// The form that finds values: its URL, the text, and its parameters without a control.
    case findAction, find, findHidden
    /// The form that shows the people: its parameters without a control, and the values.
    case hidden, options
    /// Whether no value contains the text.
    case hasNone
    /// A sentence that says how many values are left out; else empty.
    case note
    /// The list of people as it is.
    case listHref

    static let kinds = FieldKinds<Self>(
        flags: [.hasNone], urls: [.findAction, .listHref],
        lists: [.findHidden: HiddenField.self, .hidden: HiddenField.self, .options: ChoiceField.self])
}

extension Layout {
    /// Sets the values of a filter as checkboxes.
    func setChoices<F: TemplateField>(_ frame: Frame<F>, _ field: F, _ choices: [FilterMenu.Choice]) {
        model.setList(frame, field, of: ChoiceField.self, choices) { row, choice in
            model.set(row, .value, choice.text)
            model.set(row, .label, choice.label)
            model.set(row, .isChecked, flag: choice.isChosen)
            if let count = choice.count { model.write(row, .count) { language.numbers.append(Int64(count), to: $0) } }
            model.set(row, .hasNobody, flag: choice.count == 0)
        }
    }
}

/// A request for the values of a filter, with the numbers of people who have them: `/fields/{key}` as a page, and
/// `/fields/{key}.json`. `find` narrows them; the parameters of a list say which people are counted.
struct FilterValuesRequest: Sendable {
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
        var list = try routed.list(.page)
        list.start = .first
        list.embedding = nil
        try expect(list.directory.filters.contains { $0.filter == filter }, .notFound)
        self.filter = filter
        self.list = list
        self.isJSON = isJSON
        find = try Parameters(routed.query, [.find]).searchText(.find) ?? ""
    }

    /// The values that contain the text, those that most people have first, and the number of all such values.
    typealias Values = (choices: [FilterMenu.Choice], total: Int)

    private func findValues(_ language: Language, from reader: SiteReader) throws -> Values {
        let wanted = find.loose
        let values = directory.counts(of: filter).values
        let found = values.filter { value in
            wanted.isEmpty || filter.label(of: value.value, in: directory.settings, language).loose.contains(wanted)
        }
        let limit = list.search == nil ? shownCount : Self.maxCounted
        var choices = FilterMenu.choices(
            found.prefix(limit), of: filter, chosen: chosen.values, directory.settings, language)
        if let search = list.search {
            let counted = [ChosenFilter(filter, choices.map(\.text))]
            choices = choices.counted(try reader.counts(of: counted, among: search, in: directory)[0]).mostFirst
        }
        return (Array(choices.prefix(shownCount)), found.count)
    }

    private var shownCount: Int { isJSON ? Self.maxCount : Self.maxCounted }

    /// The list's own filter of this field.
    private var chosen: ChosenFilter { list.chosen(of: filter) }
}

extension FilterValuesRequest: ListResource {
    func state(of directories: DirectoryList) -> UInt64? { isJSON ? nil : directories.choices }
    var language: LanguageChoice? { isJSON ? nil : list.language }

    func appendURL(to buffer: ByteBuffer) {
        filter.appendPath(below: "", to: buffer)
        if isJSON { buffer.append(".json") }
        var query = QueryWriter(buffer)
        if !find.isEmpty { query.add("find", find) }
        Links(base: "", request: list).addParameters(.first, as: .page, to: &query)
    }

    func read(_ task: RenderTask, from reader: SiteReader) throws -> Stored<Values> {
        let values = try findValues(reader.site.languages[language?.code ?? .en], from: reader)
        return Stored(directory: directory, value: values)
    }

    func write(_ found: Stored<Values>, _ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) {
        let layout = renderer.layout(language)
        if isJSON {
            append(found.value, layout.language, to: renderer.body)
        } else {
            render(found.value, with: layout, among: task.directories, into: renderer.body)
        }
    }

    private func append(_ values: Values, _ language: Language, to body: ByteBuffer) {
        var object = ObjectWriter(body)
        object.add("directory", string: directory.slug.text)
        object.add("key", string: filter.key)
        object.add("label", string: filter.label(in: directory.settings, language))
        object.add("total", number: Int64(values.total))
        object.addObjects("values", of: values.choices) { choice, object in
            object.add("value", string: choice.text)
            object.add("label", string: choice.label)
            object.add("count", number: choice.count.map(Int64.init))
            object.add("chosen", flag: choice.isChosen)
        }
        object.close()
    }
}

extension PageRequest {
    /// The parameters of the list from its beginning on, decoded.
    var parameters: [(name: String, value: String)] {
        let address = ByteBuffer(capacity: 256)
        Links(base: "", request: self).append(.first, as: .page, to: address)
        // What follows `/?`.
        let items = address.withBytes { QueryItems($0.dropFirst(2), scratch: ByteBuffer(capacity: 256)) }
        return items.all.compactMap { name, value in value.map { (name, $0) } }
    }
}
