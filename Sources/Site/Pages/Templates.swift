import Template

/// The templates, compiled with the messages of one language.
final class Templates: Sendable {
    let page, fragment: Template
    /// Fragments with the markup that a library needs.
    let htmx, turbo, unpoly: Template
    let user: Template
    /// One person, and the controls of a list, for pages of other sites.
    let person, find: Template
    let directories, embedPage, values, keys, error, fragmentError: Template

    init(_ assets: Assets, _ messages: Catalogue) throws {
        let document = Schema(DocumentField.self)
        func template(_ name: String, _ schema: Schema) throws -> Template {
            try Template(name, schema: schema, within: document, messages: messages, in: assets.template)
        }
        // One for five templates: at the start of a server, a schema takes as long as a template.
        let fields = Schema(PageField.self)
        page = try template("page", fields)
        fragment = try template("fragment", fields)
        htmx = try template("fragment-htmx", fields)
        turbo = try template("fragment-turbo", fields)
        unpoly = try template("fragment-unpoly", fields)
        embedPage = try template("embed", Schema(EmbedPageField.self))
        values = try template("values", Schema(FilterValuesField.self))
        // The page has no fields of its own.
        keys = try Template("keys", schema: document, messages: messages, in: assets.template)
        let personFields = Schema(UserPageField.self)
        user = try template("user", personFields)
        person = try template("person", personFields)
        find = try template("find", Schema(ControlsField.self))
        directories = try template("directories", Schema(DirectoriesField.self))
        error = try template("error", Schema(ErrorField.self))
        fragmentError = try template("fragment-error", Schema(ErrorField.self))
    }

    /// The fields of people that templates name by their keys, each with its first place.
    var namedFields: [NamedField] {
        var seen: Set<NamedField> = []
        let all = [page, fragment, htmx, turbo, unpoly, user, person]
        return all.flatMap(\.namedFields).filter { seen.insert($0).inserted }
    }
}
