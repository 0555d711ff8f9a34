import Assets
import Mustache

/// The templates, compiled with the messages of one language.
final class Templates: Sendable {
    let page: PageTemplate
    let fragment: PageTemplate
    /// Fragments with the markup that a library needs.
    let htmx, turbo, unpoly: PageTemplate
    let user: Template
    let directories: Template
    let embedPage: Template
    let values: Template
    let keys: Template
    let error: Template
    let fragmentError: Template

    init(_ assets: Assets, _ messages: Catalogue) throws {
        func template(_ name: String, _ schema: Schema) throws -> Template {
            try Template(name, schema: schema, messages: messages, in: assets.template)
        }
        page = PageTemplate(try template("page", Schema(PageField.self)))
        fragment = PageTemplate(try template("fragment", Schema(PageField.self)))
        htmx = PageTemplate(try template("fragment-htmx", Schema(PageField.self)))
        turbo = PageTemplate(try template("fragment-turbo", Schema(PageField.self)))
        unpoly = PageTemplate(try template("fragment-unpoly", Schema(PageField.self)))
        embedPage = try template("embed", Schema(EmbedPageField.self))
        values = try template("values", Schema(FilterValuesField.self))
        keys = try template("keys", Schema(KeysField.self))
        user = try template("user", Schema(UserPageField.self))
        directories = try template("directories", Schema(DirectoriesField.self))
        error = try template("error", Schema(ErrorField.self))
        fragmentError = try template("fragment-error", Schema(ErrorField.self))
    }
}

/// A template for a page of users, and which parts around the list it shows. Parts that it does not show are not filled
/// in, which saves a tenth of the time of a fragment.
struct PageTemplate: Sendable {
    let template: Template
    let showsDocument: Bool
    let showsForm: Bool

    init(_ template: Template) {
        self.template = template
        showsDocument = PageField.document.contains(where: template.mentions)
        showsForm = PageField.form.contains(where: template.mentions)
    }
}
