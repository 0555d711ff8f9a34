import People
import Template

/// The fields of people that a template names by their keys: `{{#field.track}}`.
struct NamedFields {
    /// For each key that the template names, the index of a public field; `nil` if the directory has none.
    private let indexes: [Int?]
    private let settings: ShownSettings
    private let pictures: PictureMode
    private let layout: Layout

    /// Returns `nil` for a template that names none, as the built-in ones: then no field is read for it.
    init?(_ template: Template, of directory: Directory, _ layout: Layout) {
        if template.namedFields.isEmpty { return nil }
        let settings = directory.settings
        self.settings = settings
        indexes = template.namedFields.map { named in
            settings.fields.firstIndex { $0.key == named.key }
        }
        pictures = layout.configuration.pictureMode(of: directory)
        self.layout = layout
    }

    func set<F: TemplateField>(_ frame: Frame<F>, _ list: F, of person: Profile) {
        let model = layout.model
        let elements = model.makeList(frame, list, of: NamedFieldField.self, count: indexes.count)
        for (element, index) in zip(elements, indexes) {
            guard let index, case let field = settings.fields[index], person.hasOwn(field.role, pictures),
                let value = person.fields.value(of: index)
            else { continue }
            let whole = ProfileValue(value, field, layout.language)
            if whole.text.isEmpty { continue }
            model.set(element, .key, field.key)
            model.set(element, .label, settings.label(of: field, layout.language))
            model.set(element, .value, whole.text)
            model.set(element, .href, ifAny: whole.href)
            model.set(element, .dateTime, ifAny: whole.dateTime)
            let values = if case .list(let parts) = value { parts.map { ProfileValue($0) } } else { [whole] }
            layout.set(element, .values, values)
        }
    }
}

/// A field of a person that a template names by its key: `{{#field.track}}`. Absent if the person does not have it.
enum NamedFieldField: Int, TemplateField {
    case key, label
    /// The value in one line.
    case value
    /// An http, https, mailto or tel URL, or empty.
    case href
    /// For `<time datetime>`, if the value is a day; else empty.
    case dateTime
    /// The elements of a list, or the only value: a list.
    case values

    static let kinds = FieldKinds<Self>(urls: [.href], lists: [.values: ProfileValueField.self])
}
