import Mustache
import People

/// The fields of people that a template names by their keys: `{{#field.track}}`.
struct NamedFields {
    /// For each key that the template names, the index of a public field; `nil` if the directory has none.
    private let indexes: [Int?]
    private let reader: FieldReader
    private let pictures: PictureMode
    private let layout: Layout

    /// Returns `nil` for a template that names none, as the built-in ones: then no field is read for it.
    init?(_ template: Template, of directory: Directory, _ layout: Layout) {
        if template.namedFields.isEmpty { return nil }
        let settings = directory.settings
        indexes = template.namedFields.map { named in
            settings.fields.firstIndex { $0.key == named.key && $0.visibility == .public }
        }
        reader = settings.makeReader()
        pictures = layout.configuration.pictureMode(of: directory)
        self.layout = layout
    }

    /// Sets the fields of a user.
    func set<F: TemplateField>(_ frame: Frame<F>, _ list: F, of user: UserView) {
        reader.read(user.record)
        let model = layout.model
        let elements = model.makeList(frame, list, of: NamedFieldField.self, count: indexes.count)
        for (element, index) in zip(elements, indexes) {
            guard let index, let value = value(of: index, user) else { continue }
            let field = reader.settings.fields[index]
            let whole = ProfileValue.all(of: value, field, layout.language)
            guard let first = whole.first, !first.text.isEmpty else { continue }
            model.set(element, .key, field.key)
            model.set(element, .label, reader.settings.label(of: field, layout.language))
            model.set(element, .value, first.text)
            if let href = first.href { model.set(element, .href, href) }
            if let dateTime = first.dateTime { model.set(element, .dateTime, dateTime) }
            let values = if case .list(let parts) = value { parts.map { ProfileValue($0) } } else { whole }
            layout.set(element, .values, values)
        }
    }

    /// Returns the value of a field that the source gave.
    private func value(of index: Int, _ user: UserView) -> FieldValue? {
        user.hasOwn(reader.settings.fields[index].role, pictures) ? reader.value(of: index) : nil
    }
}

extension Layout {
    /// Sets the values of a field, each with its link or its day.
    func set<F: TemplateField>(_ frame: Frame<F>, _ list: F, _ values: [ProfileValue]) {
        let frames = model.makeList(frame, list, of: ProfileValueField.self, count: values.count)
        for (frame, value) in zip(frames, values) {
            model.set(frame, .value, value.text)
            if let href = value.href { model.set(frame, .href, href) }
            if let dateTime = value.dateTime { model.set(frame, .dateTime, dateTime) }
        }
    }
}
