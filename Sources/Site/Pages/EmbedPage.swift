import Base
import Mustache
import People
import Server

extension EmbedPageRequest {
    func write(_ directory: Directory, _ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) {
        EmbedPage(renderer.layout(language), self, task).render(into: renderer.body)
    }
}

/// The page that shows how to embed a directory in another site, with this server's URLs: fills the fields of
/// `embed.mustache`.
private struct EmbedPage {
    let layout: Layout
    let request: EmbedPageRequest
    let task: RenderTask
    private let document: Frame<DocumentField>
    private let frame: Frame<EmbedPageField>

    private var model: Model { layout.model }

    init(_ layout: Layout, _ request: EmbedPageRequest, _ task: RenderTask) {
        self.layout = layout
        self.request = request
        self.task = task
        document = layout.makeDocument(
            for: layout.templates.embedPage, about: request.directory, isDefault: request.isDefaultDirectory)
        frame = layout.model.makeFrame(EmbedPageField.self, for: layout.templates.embedPage)
    }

    func render(into body: ByteBuffer) {
        let title = request.directory.title
        model.set(document, .documentTitle, layout.language.text(.embedTitle, ["title": .text(title)]))
        model.set(document, .description, layout.language.text(.embedDescription, ["title": .text(title)]))
        layout.setCanonical(document) { $0.append(utf8: request.url("/embed")) }
        layout.setFoot(document, request.directory, task.directories)
        layout.setOffers(document, .offers, request.directory, task.directories)
        layout.setFile(frame, .embedScriptHref, "embed.js")
        model.set(frame, .exampleHref, layout.configuration.basePath + request.url("/fragment"))
        model.set(frame, .embedHref, layout.configuration.basePath + "/embed")
        model.set(frame, .hasSeveralDirectories, flag: task.directories.all.count > 1)
        layout.setOptions(frame, .looks, EmbedPageRequest.looks) { look, label in
            (look.rawValue, layout.language.text(label), look == request.view)
        }
        layout.setDirectories(frame, .directories, task.directories, chosen: request.directory)
        setLimits()
        setLines()
        layout.templates.embedPage.render(frame, within: document, of: model, into: body)
    }

    /// Sets the permissions that the publisher withholds from other sites.
    private func setLimits() {
        let ancestors = layout.configuration.frameAncestors
        model.set(frame, .isFramingOff, flag: ancestors == .none)
        if ancestors != .any { model.set(frame, .framers, ancestors.list) }
        guard case .only(let origins) = layout.configuration.allowedOrigins else { return }
        model.set(frame, .isSharingOff, flag: origins.isEmpty)
        model.set(frame, .sharers, origins.joined(separator: ", "))
    }

    private func setLines() {
        let base = task.absoluteOrigin + layout.configuration.basePath
        model.set(frame, .isGuessed, flag: layout.configuration.publicURL == nil)
        func set(_ field: EmbedPageField, _ address: String) {
            var address = address
            model.write(frame, field) { buffer in address.withUTF8 { buffer.append(escapingHTML: .init($0)) } }
        }
        set(.page, base + request.homeURL)
        set(.framedPage, base + request.url("/", .frame))
        set(.fittedPage, base + request.url("/", .fittedFrame))
        set(.script, base + "/embed.js")
        set(.fragment, base + request.url("/fragment"))
        set(.htmxFragment, base + request.url("/fragment", .htmx))
        set(.turboFragment, base + request.url("/fragment", .turbo))
        // Unpoly loads only from its own origin.
        set(.unpolyFragment, layout.configuration.basePath + request.url("/fragment", .unpoly))
        model.set(frame, .htmlFragment, base + request.url("/fragment", .html))
        model.set(frame, .wall, base + request.wallURL)
    }
}

/// `embed.mustache`.
enum EmbedPageField: Int, TemplateField {
    /// The script and the fragment of the live example.
    case embedScriptHref, exampleHref
    /// The form to choose a directory and a look: its URL, and its choices.
    case embedHref, hasSeveralDirectories, directories, looks
    /// Whether the URLs below come from the request, because `--public-url` is not set.
    case isGuessed
    /// Whether no page may frame the list (`--frame-ancestors`), or no other origin may load from here
    /// (`--allow-origin`). Then the lines that need it are not shown. Else the pages and origins that may; empty for
    /// all.
    case isFramingOff, framers, isSharingOff, sharers
    // Absolute URLs to copy: of the page, framed or not, of the script, and of the fragments. They are shown in HTML
    // source, so each is escaped for HTML already.
    case page, framedPage, fittedPage, script, fragment, htmxFragment, turboFragment, unpolyFragment
    /// The URL of a fragment for scripts and shells: not escaped.
    case htmlFragment
    /// The URL of the wall for Markdown: not escaped.
    case wall

    var kind: FieldKind {
        switch self {
        case .hasSeveralDirectories, .isGuessed, .isFramingOff, .isSharingOff: .flag
        case .directories, .looks: .list(Schema(OptionField.self))
        case .embedScriptHref, .exampleHref, .embedHref: .url
        default: .text
        }
    }
}
