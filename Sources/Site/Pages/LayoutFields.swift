import Mustache

/// The fields that every whole page has.
struct LayoutFields<F: Field> {
    let home, style, script, favicon: F
}

/// The fields of a template of a whole page. Its cases are these fields.
protocol DocumentField: Field {
    static var homeHref: Self { get }
    static var styleHref: Self { get }
    static var scriptHref: Self { get }
    static var faviconHref: Self { get }
}

extension DocumentField {
    static var layout: LayoutFields<Self> {
        LayoutFields(home: homeHref, style: styleHref, script: scriptHref, favicon: faviconHref)
    }
}

extension PageField: DocumentField {}

/// The fields of `_bar.mustache`, the bar of every page except the list: a form that searches the list, a menu, and the
/// script of the keys.
struct BarFields<F: Field> {
    /// The list; its directory, empty for the default one; the text in the search field; the directory's logo, empty
    /// without one; the page that explains the keys; the script that shows it; and the script of the bar.
    let action, directorySlug, language, q, logo, keys, keysScript, picturesScript, script: F
}

/// The fields of a template that includes `_bar.mustache`. Its cases are these fields.
protocol BarField: DocumentField {
    static var action: Self { get }
    static var directorySlug: Self { get }
    static var linkLanguage: Self { get }
    static var q: Self { get }
    static var logoHref: Self { get }
    static var keysHref: Self { get }
    static var keysScriptHref: Self { get }
    static var picturesScriptHref: Self { get }
    static var barScriptHref: Self { get }
}

extension BarField {
    static var bar: BarFields<Self> {
        BarFields(
            action: action, directorySlug: directorySlug, language: linkLanguage, q: q, logo: logoHref, keys: keysHref,
            keysScript: keysScriptHref, picturesScript: picturesScriptHref, script: barScriptHref)
    }
}

extension UserPageField: BarField {}
extension FilterValuesField: BarField {}
extension EmbedPageField: BarField {}
extension ErrorField: BarField {}
extension DirectoriesField: BarField {}
extension KeysField: BarField {}

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
