import Bytes
import Directories
import HTTP
import Mustache

/// The page of all values of a filter: fills the fields of `values.mustache`.
struct FilterValuesPage {
    let layout: Layout
    let request: FilterValuesRequest
    let task: RenderTask
    let frame: Frame<FilterValuesField>

    private var model: Model { layout.model }
    private var list: PageRequest { request.list }

    init(_ layout: Layout, _ request: FilterValuesRequest, _ task: RenderTask) {
        self.layout = layout
        self.request = request
        self.task = task
        frame = layout.model.makeFrame(FilterValuesField.self)
    }

    /// Renders the page with `choices`, the first of `total` values.
    func render(_ choices: [FilterMenu.Choice], _ total: Int, into body: ByteBuffer) {
        let directory = request.directory
        let base = layout.configuration.basePath
        let label = request.facet.label(in: directory.plan, layout.language)
        model.set(frame, .documentTitle, "\(label) · \(directory.title)")
        model.set(frame, .directoryTitle, directory.title)
        model.set(frame, .label, label)
        layout.setLayout(frame, FilterValuesField.layout, directory: list.isDefaultDirectory ? nil : directory)
        layout.setFile(frame, .pagesStyleHref, "pages.css")
        layout.setBrand(frame, .brandHref, directory, isDefault: list.isDefaultDirectory)
        layout.setFoot(frame, .directoriesHref, .terms, .links, directory, task.directories)
        layout.setOffers(frame, .offers, directory, task.directories)
        layout.setBar(
            frame, FilterValuesField.bar, directory, isDefault: list.isDefaultDirectory)
        model.write(frame, .findAction) { buffer in
            buffer.append(utf8: base)
            buffer.append("/fields/")
            buffer.append(percentEncoding: request.facet.key)
        }
        model.write(frame, .listHref) { Links(base: base, request: list).append(.first, as: .page, to: $0) }
        model.set(frame, .find, request.find)
        model.set(frame, .name, request.facet.parameterName)
        // The values that are chosen and not found stay chosen.
        let others = request.chosen?.texts.filter { text in !choices.contains { $0.text == text } } ?? []
        let name = request.facet.parameterName
        set(.findHidden, list.parameters)
        set(.hidden, list.without(request.facet).parameters + others.map { (name, $0) })
        layout.setChoices(frame, .options, choices)
        model.set(frame, .hasNone, flag: choices.isEmpty)
        if total > choices.count {
            model.set(
                frame, .note,
                layout.language.text(.valuesNote, ["shown": .number(choices.count), "total": .number(total)]))
        }
        layout.templates.values.render(frame, of: model, into: body)
    }

    private func set(_ field: FilterValuesField, _ parameters: [(name: String, value: String)]) {
        let rows = model.makeList(frame, field, of: HiddenField.self, count: parameters.count)
        for (row, parameter) in zip(rows, parameters) {
            model.set(row, .name, parameter.name)
            model.set(row, .value, parameter.value)
        }
    }
}

extension Layout {
    /// Sets the values of a filter as checkboxes.
    func setChoices<F: Field>(_ frame: Frame<F>, _ field: F, _ choices: [FilterMenu.Choice]) {
        let rows = model.makeList(frame, field, of: ChoiceField.self, count: choices.count)
        for (row, choice) in zip(rows, choices) {
            model.set(row, .value, choice.text)
            model.set(row, .label, choice.label)
            model.set(row, .isChecked, flag: choice.isChosen)
            if let count = choice.count { model.write(row, .count) { language.numbers.append(Int64(count), to: $0) } }
            model.set(row, .hasNobody, flag: choice.count == 0)
        }
    }
}
