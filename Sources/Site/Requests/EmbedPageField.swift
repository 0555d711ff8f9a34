import Mustache

/// `embed.mustache`.
enum EmbedPageField: Int, Field {
    case documentTitle, description, homeHref, styleHref, scriptHref, faviconHref, canonicalHref, directoryTitle
    case apiHref, directoriesHref, terms, offers
    /// What the pages beside the list look like.
    case pagesStyleHref
    /// The script and the fragment of the live example.
    case embedScriptHref, exampleHref
    /// The form that chooses a directory.
    case action, hasSeveralDirectories, directories
    /// Whether the addresses below are those of this very request, for want of `--public-url`.
    case isGuessed
    /// Whether no page at all may frame the list (`--frame-ancestors`), or no other origin's load from here
    /// (`--allow-origin`): then no lines are shown that would need it. Else the pages and origins that may; empty for all.
    case isFramingOff, framers, isSharingOff, sharers

    // Absolute addresses to copy: of the page, framed or not, of the script, and of the fragments. They stand in HTML that is
    // shown as text, so that each is escaped for HTML already.
    case page, framedPage, fittedPage, script, fragment, htmxFragment, turboFragment, unpolyFragment
    /// The same for scripts and shells: not escaped.
    case htmlFragment

    static let chrome = LayoutFields(home: homeHref, style: styleHref, script: scriptHref, favicon: faviconHref)

    var kind: FieldKind {
        switch self {
        case .hasSeveralDirectories, .isGuessed, .isFramingOff, .isSharingOff: .flag
        case .terms: .list(Schema(TermField.self))
        case .offers: .list(Schema(OfferField.self))
        case .directories: .list(Schema(OptionField.self))
        case .homeHref, .styleHref, .pagesStyleHref, .scriptHref, .faviconHref, .canonicalHref, .apiHref,
            .directoriesHref,
            .embedScriptHref, .exampleHref, .action:
            .url
        default: .text
        }
    }
}
