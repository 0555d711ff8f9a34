import Base
import Mustache
import People
import Server

/// The page of all values of a filter: fills the fields of `values.mustache`.
struct FilterValuesPage {
    let layout: Layout
    let request: FilterValuesRequest
    let task: RenderTask

    private var model: Model { layout.model }
    private var list: PageRequest { request.list }

    /// Renders the page with `choices`, the first of `total` values.
    func render(_ choices: [FilterMenu.Choice], _ total: Int, into body: ByteBuffer) {
        let directory = request.directory
        let base = layout.configuration.basePath
        let label = request.filter.label(in: directory.settings, layout.language)
        let template = layout.templates.values
        let document = layout.makeDocument(for: template, about: directory, isDefault: list.isDefaultDirectory)
        model.set(document, .documentTitle, "\(label) · \(directory.title)")
        layout.setFoot(document, directory, task.directories)
        layout.setOffers(document, .offers, directory, task.directories)
        let frame = model.makeFrame(FilterValuesField.self, for: template)
        model.set(frame, .label, label)
        model.write(frame, .findAction) { buffer in
            buffer.append(utf8: base)
            buffer.append("/fields/")
            buffer.append(percentEncoding: request.filter.key)
        }
        model.write(frame, .listHref) { Links(base: base, request: list).append(.first, as: .page, to: $0) }
        model.set(frame, .find, request.find)
        model.set(frame, .name, request.filter.parameterName)
        // The values that are chosen and not found stay chosen.
        let others = request.chosen?.texts.filter { text in !choices.contains { $0.text == text } } ?? []
        let name = request.filter.parameterName
        layout.setHidden(frame, .findHidden, list.parameters)
        layout.setHidden(frame, .hidden, list.without(request.filter).parameters + others.map { (name, $0) })
        layout.setChoices(frame, .options, choices)
        model.set(frame, .hasNone, flag: choices.isEmpty)
        if total > choices.count {
            model.set(
                frame, .note,
                layout.language.text(.valuesNote, ["shown": .number(choices.count), "total": .number(total)]))
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

    var kind: FieldKind {
        switch self {
        case .hasNone: .flag
        case .options: .list(Schema(ChoiceField.self))
        case .hidden, .findHidden: .list(Schema(HiddenField.self))
        case .findAction, .listHref: .url
        case .label, .name, .find, .note: .text
        }
    }
}

extension Layout {
    /// Sets the values of a filter as checkboxes.
    func setChoices<F: TemplateField>(_ frame: Frame<F>, _ field: F, _ choices: [FilterMenu.Choice]) {
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
