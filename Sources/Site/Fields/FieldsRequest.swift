import Base
import JSON
import People
import Server

/// A request for the fields of a directory (`/fields.json`): their names, types and uses, and the directory's own
/// order. Private fields are absent.
struct FieldsRequest: Sendable {
    let directory: Directory
    let isDefaultDirectory: Bool

    init(_ routed: RoutedRequest) throws {
        let parameters = try Parameters(routed.query)
        (directory, isDefaultDirectory) = try routed.directories.find(parameters[.directory])
    }
}

extension FieldsRequest: Resource {
    var isSlow: Bool { false }
    var showsDirectories: Bool { false }
    var hasAbsoluteLinks: Bool { false }

    func appendURL(to buffer: ByteBuffer) {
        buffer.append("/fields.json")
        var query = QueryWriter(buffer)
        if !isDefaultDirectory { query.add("directory", directory.slug.text) }
    }

    func write(_ directory: Directory, _ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) {
        let body = renderer.body
        body.append("{\"directory\":")
        body.append(jsonString: directory.slug.text)
        body.append(",\"order\":")
        body.append(jsonString: directory.defaultSort.parameter)
        let settings = directory.settings
        if settings.wholeNameSurname != nil { body.append(",\"surnames\":true") }
        body.append(",\"fields\":[")
        for (number, index) in settings.describedFields.enumerated() {
            if number > 0 { body.append(",") }
            append(index, of: settings, to: body)
        }
        body.append("]}")
    }

    private func append(_ index: Int, of settings: ShownSettings, to body: ByteBuffer) {
        let field = settings.fields[index]
        body.append("{\"key\":")
        body.append(jsonString: field.key)
        body.append(",\"label\":")
        body.append(jsonString: settings.label(of: field))
        body.append(",\"type\":")
        body.append(jsonString: field.type.rawValue)
        body.append(",\"role\":")
        if let role = field.role { body.append(jsonString: role.rawValue) } else { body.append("null") }
        body.append(",\"filter\":")
        body.append(settings.filters.contains(index) ? "true" : "false")
        body.append(",\"sort\":")
        body.append(settings.sorts.contains(field.key) ? "true" : "false")
        body.append("}")
    }
}

extension ShownSettings {
    /// The fields that appear on any page.
    var describedFields: [Int] {
        fields.indices.filter { ![.hidden, .noindex].contains(fields[$0].role) }
    }
}
