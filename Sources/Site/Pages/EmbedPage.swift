import Bytes
import Directories
import HTTP
import Mustache

extension EmbedPageRequest {
    func render(_ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) throws -> Directory {
        EmbedPage(renderer.layout(language), self, task).render(into: renderer.body)
        return directory
    }
}

/// The page that shows how to embed a directory in another site, with this server's URLs: fills the fields of
/// `embed.mustache`.
private struct EmbedPage {
    let layout: Layout
    let request: EmbedPageRequest
    let task: RenderTask
    let frame: Frame<EmbedPageField>

    private var model: Model { layout.model }

    init(_ layout: Layout, _ request: EmbedPageRequest, _ task: RenderTask) {
        self.layout = layout
        self.request = request
        self.task = task
        frame = layout.model.makeFrame(EmbedPageField.self)
    }

    func render(into body: ByteBuffer) {
        let title = request.directory.title
        model.set(frame, .documentTitle, layout.language.text(.embedTitle, ["title": .text(title)]))
        model.set(frame, .description, layout.language.text(.embedDescription, ["title": .text(title)]))
        model.set(frame, .directoryTitle, title)
        layout.setLayout(frame, EmbedPageField.layout, directory: request.isDefaultDirectory ? nil : request.directory)
        layout.setFile(frame, .pagesStyleHref, "pages.css")
        layout.setBrand(frame, .brandHref, request.directory, isDefault: request.isDefaultDirectory)
        layout.setCanonical(frame, .canonicalHref) { $0.append(utf8: request.url("/embed")) }
        layout.setFile(frame, .embedScriptHref, "embed.js")
        model.set(frame, .exampleHref, layout.configuration.basePath + request.url("/fragment"))
        layout.setBar(
            frame, EmbedPageField.bar, request.directory, isDefault: request.isDefaultDirectory)
        model.set(frame, .embedHref, layout.configuration.basePath + "/embed")
        model.set(frame, .hasSeveralDirectories, flag: task.directories.all.count > 1)
        layout.setOptions(frame, .looks, EmbedPageRequest.looks) { look, label in
            (look.rawValue, layout.language.text(label), look == request.view)
        }
        layout.setDirectories(frame, .directories, task.directories, chosen: request.directory)
        layout.setFoot(frame, .directoriesHref, .terms, .links, request.directory, task.directories)
        layout.setOffers(frame, .offers, request.directory, task.directories)
        setLimits()
        setLines()
        layout.templates.embedPage.render(frame, of: model, into: body)
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
