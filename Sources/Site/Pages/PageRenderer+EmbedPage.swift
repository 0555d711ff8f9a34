import Bytes
import Directories
import Mustache

/// How to put people into another site: a live example, and the lines to copy, with the addresses of this very server.
extension PageRenderer {
    func renderEmbedPage(_ request: EmbedPageRequest, _ task: RenderTask) {
        let frame = model.makeFrame(EmbedPageField.self)
        let title = request.directory.title
        model.set(frame, .documentTitle, "Embed · \(title)")
        model.set(frame, .description, "How to put \(title) into another site, with the lines to copy")
        model.set(frame, .directoryTitle, title)
        setLayout(frame, EmbedPageField.chrome, directory: request.isDefaultDirectory ? nil : request.directory)
        setFile(frame, .pagesStyleHref, "pages.css")
        setCanonical(frame, .canonicalHref) { $0.append(utf8: request.url("/embed")) }
        setFile(frame, .embedScriptHref, "embed.js")
        model.set(frame, .exampleHref, configuration.basePath + request.url("/fragment"))
        model.set(frame, .action, configuration.basePath + "/embed")
        model.set(frame, .hasSeveralDirectories, flag: task.directories.all.count > 1)
        setDirectories(frame, .directories, task.directories, chosen: request.directory)
        setFoot(frame, .directoriesHref, .terms, request.directory, task.directories)
        setOffers(frame, .offers, request.directory, task.directories)
        setLimits(frame)
        setLines(frame, request, task)
        site.templates.embedPage.render(frame, of: model, into: body)
    }

    /// What the publisher does not let other sites do.
    private func setLimits(_ frame: Frame<EmbedPageField>) {
        let ancestors = configuration.frameAncestors
        model.set(frame, .isFramingOff, flag: ancestors == .none)
        if ancestors != .any { model.set(frame, .framers, ancestors.list) }
        guard case .only(let origins) = configuration.allowedOrigins else { return }
        model.set(frame, .isSharingOff, flag: origins.isEmpty)
        model.set(frame, .sharers, origins.joined(separator: ", "))
    }

    private func setLines(_ frame: Frame<EmbedPageField>, _ request: EmbedPageRequest, _ task: RenderTask) {
        let base = absoluteBase(task)
        model.set(frame, .isGuessed, flag: configuration.publicURL == nil)
        func set(_ field: EmbedPageField, _ address: String) {
            var address = address
            model.write(frame, field) { buffer in address.withUTF8 { buffer.append(escapingHTML: .init($0)) } }
        }
        set(.page, base + request.url("/"))
        set(.framedPage, base + request.url("/", .frame))
        set(.fittedPage, base + request.url("/", .fittedFrame))
        set(.script, base + "/embed.js")
        set(.fragment, base + request.url("/fragment"))
        set(.htmxFragment, base + request.url("/fragment", .htmx))
        set(.turboFragment, base + request.url("/fragment", .turbo))
        // Unpoly loads from its own origin alone.
        set(.unpolyFragment, configuration.basePath + request.url("/fragment", .unpoly))
        model.set(frame, .htmlFragment, base + request.url("/fragment", .html))
    }
}
