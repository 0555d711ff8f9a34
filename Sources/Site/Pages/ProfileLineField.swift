import Template

/// A line of a user's page.
enum ProfileLineField: Int, TemplateField {
    case label
    /// The field's key, or the member of the record.
    case key
    /// One or more.
    case values

    static let kinds = FieldKinds<Self>(lists: [.values: ProfileValueField.self])
}

/// A value in that line.
enum ProfileValueField: Int, TemplateField {
    case value
    /// An http, https, mailto or tel URL, or empty.
    case href
    /// For `<time datetime>`, if the value is a day or a time; else empty.
    case dateTime
    /// The same as texts and links: a list.
    case parts

    static let kinds = FieldKinds<Self>(urls: [.href], lists: [.parts: ParagraphPartField.self])
}

extension Layout {
    /// Sets the values of a field, each with its link or its day.
    func set<F: TemplateField>(_ frame: Frame<F>, _ list: F, _ values: [ProfileValue]) {
        model.setList(frame, list, of: ProfileValueField.self, values) { frame, value in
            model.set(frame, .value, value.text)
            model.set(frame, .href, ifAny: value.href)
            model.set(frame, .dateTime, ifAny: value.dateTime)
            set(frame, .parts, LinkedText.parts(value.text))
        }
    }

    func set<F: TemplateField>(_ frame: Frame<F>, _ list: F, _ paragraphs: [[LinkedText]]) {
        model.setList(frame, list, of: ParagraphField.self, paragraphs) { set($0, .parts, $1) }
    }

    private func set<F: TemplateField>(_ frame: Frame<F>, _ list: F, _ parts: [LinkedText]) {
        model.setList(frame, list, of: ParagraphPartField.self, parts) { frame, part in
            model.set(frame, .text, part.text)
            model.set(frame, .href, ifAny: part.href)
        }
    }
}
