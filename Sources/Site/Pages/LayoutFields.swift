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
