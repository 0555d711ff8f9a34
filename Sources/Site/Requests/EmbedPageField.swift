import Mustache

/// `embed.mustache`.
enum EmbedPageField: Int, Field {
    case documentTitle, description, homeHref, styleHref, scriptHref, faviconHref, canonicalHref, directoryTitle
    case apiHref, directoriesHref, terms, links, offers
    /// The directory's style sheet, if it has a colour of its own.
    case brandHref
    /// The style sheet of all pages except the list.
    case pagesStyleHref
    /// The script and the fragment of the live example.
    case embedScriptHref, exampleHref
    /// The bar: see ``BarFields``.
    case action, directorySlug, linkLanguage, q, logoHref, keysHref, keysScriptHref, picturesScriptHref, barScriptHref
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
        case .terms: .list(Schema(TermField.self))
        case .offers, .links: .list(Schema(OfferField.self))
        case .directories, .looks: .list(Schema(OptionField.self))
        case .brandHref, .homeHref, .styleHref, .pagesStyleHref, .scriptHref, .faviconHref, .canonicalHref, .apiHref,
            .directoriesHref,
            .embedScriptHref, .exampleHref, .action, .embedHref, .keysHref, .keysScriptHref, .picturesScriptHref,
            .logoHref, .barScriptHref:
            .url
        default: .text
        }
    }
}
