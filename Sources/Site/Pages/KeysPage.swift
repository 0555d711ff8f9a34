import Base
import People
import Server
import Template

/// A request for the page that explains the keys. `find.js` shows its content in a dialog.
struct KeysRequest: Resource {
    let linked: LinkedDirectory
    let language: LanguageChoice?

    init(_ routed: RoutedRequest) throws {
        let parameters = try Parameters(routed.query)
        linked = try routed.directories.find(parameters[.directory])
        language = LanguageChoice(try parameters.choice(.lang), linked.directory, routed.client)
    }

    func state(of directories: DirectoryList) -> UInt64? { directories.choices }

    func appendURL(to buffer: ByteBuffer) { buffer.append("/keys", of: linked) }

    func write(_ directory: Directory, _ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) {
        let (layout, model) = (renderer.layout(language), renderer.model)
        let document = layout.makeDocument(for: layout.templates.keys, about: linked)
        model.set(document, .documentTitle, "\(layout.language.text(.keys)) · \(directory.title)")
        layout.setFoot(document, directory, task.directories)
        layout.templates.keys.render(document, of: model, into: renderer.body)
    }
}
