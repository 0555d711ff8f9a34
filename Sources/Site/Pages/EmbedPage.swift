import Base
import People
import Server
import Template

/// The page that shows how to embed a directory in another site, with this server's URLs: fills the fields of
/// `embed.mustache`.
extension EmbedPageRequest {
    func write(_ page: Page, _ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) {
        let (layout, model) = (renderer.layout(language), renderer.model)
        // What the ways without the element show.
        let fragment = ByteBuffer()
        ListPage(PageRequest.LoadedPage(page: page), example, task, layout, layout.templates.fragment)
            .render(into: fragment)
        let (title, template) = (directory.title, layout.templates.embedPage)
        let document = layout.makeDocument(for: template, about: linked)
        model.set(document, .documentTitle, layout.language.text(.embedTitle, ["title": .text(title)]))
        model.set(document, .description, layout.language.text(.embedDescription, ["title": .text(title)]))
        layout.setCanonical(document) { $0.append(utf8: url("/embed")) }
        layout.setFoot(document, directory, task.directories)
        let frame = model.makeFrame(EmbedPageField.self, for: template)
        layout.setFile(frame, .embedScriptHref, "embed.js")
        layout.setFile(frame, .frameScriptHref, "frames.js")
        layout.setFile(frame, .fragmentStyleHref, "fragment.css")
        model.set(frame, .frameHref, layout.configuration.basePath + url("/", .fittedFrame))
        model.set(frame, .exampleHref, layout.configuration.basePath + url("/fragment"))
        model.set(frame, .embedHref, layout.configuration.basePath + "/embed")
        model.set(frame, .hasSeveralDirectories, flag: task.directories.all.count > 1)
        layout.setOptions(frame, .looks, Self.looks) { look, label in
            (look.rawValue, layout.language.text(label), look == view)
        }
        layout.setOptions(frame, .themes, Self.themes) { theme, label in
            (theme.rawValue, layout.language.text(label), theme == self.theme)
        }
        model.set(frame, .theme, theme.rawValue)
        fragment.withBytes { model.set(frame, .plainExample, $0) }
        let directories = Array(zip(task.directories.all, task.directories.labels))
        layout.setOptions(frame, .directories, directories) { each, label in
            (each.slug.text, label, each.id == directory.id)
        }
        setLimits(frame, model, layout.configuration)
        setLines(frame, model, layout.configuration, base: task.base(layout.configuration))
        template.render(frame, within: document, of: model, into: renderer.body)
    }

    /// Sets the permissions that the publisher withholds from other sites.
    private func setLimits(_ frame: Frame<EmbedPageField>, _ model: Model, _ configuration: Site.Configuration) {
        let ancestors = configuration.frameAncestors
        model.set(frame, .isFramingOff, flag: ancestors == .none)
        if ancestors != .any { model.set(frame, .framers, ancestors.list) }
        guard case .only(let origins) = configuration.allowedOrigins else { return }
        model.set(frame, .isSharingOff, flag: origins.isEmpty)
        model.set(frame, .sharers, origins.joined(separator: ", "))
    }

    private func setLines(
        _ frame: Frame<EmbedPageField>, _ model: Model, _ configuration: Site.Configuration, base: String
    ) {
        model.set(frame, .isGuessed, flag: configuration.publicURL == nil)
        func set(_ field: EmbedPageField, _ address: String) {
            model.write(frame, field) { buffer in address.withUTF8Bytes { buffer.append(escapingHTML: $0) } }
        }
        set(.page, base + plainURL("/"))
        set(.framedPage, base + url("/", .frame))
        set(.fittedPage, base + url("/", .fittedFrame))
        set(.script, base + "/embed.js")
        set(.frameScript, base + "/frames.js")
        set(.style, base + "/fragment.css")
        // Unpoly loads only from its own origin.
        set(.ownStyle, configuration.basePath + "/fragment.css")
        model.set(frame, .viewClass, view == .list ? "" : " " + view.rawValue)
        let filters = directory.filters.filter { $0.values.count > 1 }.map(\.filter.key)
        model.set(frame, .filterKeys, filters.prefix(2).joined(separator: ","))
        set(.fragment, base + url("/fragment"))
        set(.htmxFragment, base + url("/fragment", .htmx))
        set(.turboFragment, base + url("/fragment", .turbo))
        set(.unpolyFragment, configuration.basePath + url("/fragment", .unpoly))
        model.set(frame, .htmlFragment, base + url("/fragment", .html))
        model.set(frame, .wall, base + plainURL("/wall.svg"))
    }
}

/// `embed.mustache`.
enum EmbedPageField: Int, TemplateField {
    /// The script and the fragment of the live example.
    case embedScriptHref, exampleHref
    /// The form to choose a directory and a look: its URL, and its choices.
    case embedHref, hasSeveralDirectories, directories, looks, themes
    /// The chosen colours, and the live frame with its script and style.
    case theme, frameHref, frameScriptHref, fragmentStyleHref
    /// A fragment of a few people.
    case plainExample
    /// The class of the container for the chosen look, with a space before it, and two filters for the element.
    case viewClass, filterKeys
    /// Whether the URLs below come from the request, because `--public-url` is not set.
    case isGuessed
    /// Whether no page may frame the list (`--frame-ancestors`), or no other origin may load from here
    /// (`--allow-origin`). Then the lines that need it are not shown. Else the pages and origins that may; empty for
    /// all.
    case isFramingOff, framers, isSharingOff, sharers
    // Absolute URLs to copy: of the page, framed or not, of the script, and of the fragments. They are shown in HTML
    // source, so each is escaped for HTML already.
    case style, ownStyle, frameScript
    case page, framedPage, fittedPage, script, fragment, htmxFragment, turboFragment, unpolyFragment
    /// The URL of a fragment for scripts and shells: not escaped.
    case htmlFragment
    /// The URL of the wall for Markdown: not escaped.
    case wall

    static let kinds = FieldKinds<Self>(
        flags: [.hasSeveralDirectories, .isGuessed, .isFramingOff, .isSharingOff],
        urls: [.embedScriptHref, .exampleHref, .embedHref, .frameHref, .frameScriptHref, .fragmentStyleHref],
        markup: [.plainExample],
        lists: [.directories: OptionField.self, .looks: OptionField.self, .themes: OptionField.self])
}
