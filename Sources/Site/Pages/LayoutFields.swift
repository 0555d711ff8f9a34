import Mustache

/// The fields that every whole page has.
struct LayoutFields<F: Field> {
    let home, style, script, favicon: F
}

extension PageField {
    static let layout = LayoutFields(
        home: Self.homeHref, style: .styleHref, script: .scriptHref, favicon: .faviconHref)
}

extension UserPageField {
    static let layout = LayoutFields(
        home: Self.homeHref, style: .styleHref, script: .scriptHref, favicon: .faviconHref)
}

extension ErrorField {
    static let layout = LayoutFields(
        home: Self.homeHref, style: .styleHref, script: .scriptHref, favicon: .faviconHref)
}

extension DirectoriesField {
    static let layout = LayoutFields(
        home: Self.homeHref, style: .styleHref, script: .scriptHref, favicon: .faviconHref)
}

/// The fields of `_bar.mustache`, the bar of every page except the list: a form that searches the list, a menu, and the
/// script of the keys.
struct BarFields<F: Field> {
    /// The list; its directory, empty for the default one; the text in the search field; the directory's logo, empty
    /// without one; the page that explains the keys; the script that shows it; and the script of the bar.
    let action, directorySlug, language, q, logo, keys, keysScript, picturesScript, script: F
}

extension UserPageField {
    static let bar = BarFields(
        action: Self.action, directorySlug: .directorySlug, language: .linkLanguage, q: .q, logo: .logoHref,
        keys: .keysHref,
        keysScript: .keysScriptHref, picturesScript: .picturesScriptHref, script: .barScriptHref)
}

extension FilterValuesField {
    static let bar = BarFields(
        action: Self.action, directorySlug: .directorySlug, language: .linkLanguage, q: .q, logo: .logoHref,
        keys: .keysHref,
        keysScript: .keysScriptHref, picturesScript: .picturesScriptHref, script: .barScriptHref)
}

extension EmbedPageField {
    static let bar = BarFields(
        action: Self.action, directorySlug: .directorySlug, language: .linkLanguage, q: .q, logo: .logoHref,
        keys: .keysHref,
        keysScript: .keysScriptHref, picturesScript: .picturesScriptHref, script: .barScriptHref)
}

extension ErrorField {
    static let bar = BarFields(
        action: Self.action, directorySlug: .directorySlug, language: .linkLanguage, q: .q, logo: .logoHref,
        keys: .keysHref,
        keysScript: .keysScriptHref, picturesScript: .picturesScriptHref, script: .barScriptHref)
}

extension DirectoriesField {
    static let bar = BarFields(
        action: Self.action, directorySlug: .directorySlug, language: .linkLanguage, q: .q, logo: .logoHref,
        keys: .keysHref,
        keysScript: .keysScriptHref, picturesScript: .picturesScriptHref, script: .barScriptHref)
}

/// The fields of a user, in a list or on a page of their own.
struct UserFields<F: Field> {
    let id, login, displayName, hasName, avatar, initials, hue, type, reputation, reputationLabel: F
}

extension ArticleField {
    static let user = UserFields(
        id: Self.id, login: .login, displayName: .displayName, hasName: .hasName, avatar: .avatar,
        initials: .initials, hue: .hue, type: .type, reputation: .reputation, reputationLabel: .reputationLabel)
}

extension UserPageField {
    static let user = UserFields(
        id: Self.id, login: .login, displayName: .displayName, hasName: .hasName, avatar: .avatar,
        initials: .initials, hue: .hue, type: .type, reputation: .reputation, reputationLabel: .reputationLabel)
}
