import Bytes
import Directories
import HTTP
import Mustache

/// A request for the page that explains the keys. `keys.js` shows its content in a dialog.
struct KeysRequest: Sendable {
    let directory: Directory
    let isDefaultDirectory: Bool
    let language: LanguageChoice?

    init(_ routed: RoutedRequest) throws {
        let parameters = try Parameters(routed.request.query, scratch: routed.scratch)
        (directory, isDefaultDirectory) = try routed.directories.find(parameters[.directory])
        language = LanguageChoice(try parameters.language(), directory, routed.client)
    }
}

extension KeysRequest: Resource {
    var isSlow: Bool { false }
    var showsDirectories: Bool { true }
    var hasAbsoluteLinks: Bool { false }

    func appendURL(to buffer: ByteBuffer) {
        buffer.append("/keys")
        var query = QueryWriter(buffer)
        if !isDefaultDirectory { query.add("directory", directory.slug.text) }
    }

    func render(_ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) throws -> Directory {
        let (layout, model) = (renderer.layout(language), renderer.model)
        let frame = model.makeFrame(KeysField.self)
        model.set(frame, .documentTitle, "\(layout.language.text(.keys)) · \(directory.title)")
        model.set(frame, .directoryTitle, directory.title)
        layout.setLayout(frame, KeysField.layout, directory: isDefaultDirectory ? nil : directory)
        layout.setFile(frame, .pagesStyleHref, "pages.css")
        layout.setBrand(frame, .brandHref, directory, isDefault: isDefaultDirectory)
        layout.setBar(
            frame, KeysField.bar, directory, isDefault: isDefaultDirectory)
        layout.setFoot(frame, .directoriesHref, .terms, .links, directory, task.directories)
        layout.setOffers(frame, .offers, directory, task.directories)
        layout.templates.keys.render(frame, of: model, into: renderer.body)
        return directory
    }
}

/// `keys.mustache`.
enum KeysField: Int, Field {
    case documentTitle, description, homeHref, styleHref, scriptHref, faviconHref, canonicalHref, directoryTitle
    case apiHref, directoriesHref, terms, links, offers
    /// The directory's style sheet, if it has a colour of its own.
    case brandHref
    /// The bar: see ``BarFields``.
    case action, directorySlug, linkLanguage, q, logoHref, keysHref, keysScriptHref, picturesScriptHref, barScriptHref
    /// The style sheet of all pages except the list.
    case pagesStyleHref

    var kind: FieldKind {
        switch self {
        case .terms: .list(Schema(TermField.self))
        case .offers, .links: .list(Schema(OfferField.self))
        case .brandHref, .homeHref, .styleHref, .pagesStyleHref, .scriptHref, .faviconHref, .canonicalHref, .apiHref,
            .directoriesHref, .action, .keysHref, .keysScriptHref, .picturesScriptHref,
            .logoHref, .barScriptHref:
            .url
        default: .text
        }
    }
}
