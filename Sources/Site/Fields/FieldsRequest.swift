import Base
import People
import Server

/// A request for the fields of a directory (`/fields.json`): their names, types and uses, and the directory's own
/// order. Private fields are absent.
struct FieldsRequest: Resource {
    let linked: LinkedDirectory

    init(_ routed: RoutedRequest) throws { linked = try routed.linked() }

    func appendURL(to buffer: ByteBuffer) { buffer.append("/fields.json", of: linked) }

    func write(_ directory: Directory, _ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) {
        let settings = directory.settings
        var object = ObjectWriter(renderer.body)
        object.add("directory", string: directory.slug.text)
        object.add("order", string: directory.defaultSort.parameter)
        if settings.wholeNameSurname != nil { object.add("surnames", flag: true) }
        object.addObjects("fields", of: settings.describedFields) { index, object in
            let field = settings.fields[index]
            object.add("key", string: field.key)
            object.add("label", string: settings.label(of: field))
            object.add("type", string: field.type.rawValue)
            object.add("role", string: field.role?.rawValue)
            object.add("filter", flag: settings.filters.contains(index))
            object.add("sort", flag: settings.sorts.contains(field.key))
        }
        object.close()
    }
}

extension ShownSettings {
    /// The fields that appear on any page.
    var describedFields: [Int] {
        fields.indices.filter { ![.hidden, .noindex].contains(fields[$0].role) }
    }
}
