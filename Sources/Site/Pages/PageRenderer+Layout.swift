import Bytes
import Directories
import Mustache

// What several templates are given, each under fields of its own.

/// The names that every whole page has.
struct LayoutFields<F: Field> {
    let home, style, script, favicon: F
}

extension PageField {
    static let chrome = LayoutFields(
        home: Self.homeHref, style: .styleHref, script: .scriptHref, favicon: .faviconHref)
}

extension UserPageField {
    static let chrome = LayoutFields(
        home: Self.homeHref, style: .styleHref, script: .scriptHref, favicon: .faviconHref)
}

extension ErrorField {
    static let chrome = LayoutFields(
        home: Self.homeHref, style: .styleHref, script: .scriptHref, favicon: .faviconHref)
}

extension DirectoriesField {
    static let chrome = LayoutFields(
        home: Self.homeHref, style: .styleHref, script: .scriptHref, favicon: .faviconHref)
}

/// The names for a person, in a list or alone.
struct UserFields<F: Field> {
    let id, login, displayName, hasName, avatar, initials, hue, type, reputation: F
}

extension ArticleField {
    static let person = UserFields(
        id: Self.id, login: .login, displayName: .displayName, hasName: .hasName, avatar: .avatar, initials: .initials,
        hue: .hue, type: .type, reputation: .reputation)
}

extension UserPageField {
    static let person = UserFields(
        id: Self.id, login: .login, displayName: .displayName, hasName: .hasName, avatar: .avatar, initials: .initials,
        hue: .hue, type: .type, reputation: .reputation)
}

extension PageRenderer {
    /// `directory` is the one shown; `nil` where that is the one that URLs need not name.
    func setLayout<F: Field>(_ frame: Frame<F>, _ fields: LayoutFields<F>, directory: Directory? = nil) {
        model.write(frame, fields.home) { appendHome(of: directory, to: $0) }
        setFile(frame, fields.style, "style.css")
        setFile(frame, fields.script, "sentinel.js")
        setFile(frame, fields.favicon, "favicon.svg")
    }

    func appendHome(of directory: Directory?, to buffer: ByteBuffer) {
        buffer.append(utf8: configuration.basePath)
        buffer.append("/")
        if let directory {
            var query = QueryWriter(buffer)
            query.add("directory", directory.slug.text)
        }
    }

    func setHome<F: Field>(_ frame: Frame<F>, _ field: F) {
        model.write(frame, field) { appendHome(of: nil, to: $0) }
    }

    func setFile<F: Field>(_ frame: Frame<F>, _ field: F, _ name: String) {
        model.write(frame, field) { buffer in
            buffer.append(utf8: configuration.basePath)
            buffer.append("/")
            buffer.append(utf8: site.files.hashedName(of: name))
        }
    }

    /// The absolute URL of a page, where the publisher named the site's; `path` appends what comes below the base path.
    func setCanonical<F: Field>(_ frame: Frame<F>, _ field: F, _ path: (ByteBuffer) -> Void) {
        guard let publicURL = configuration.publicURL else { return }
        model.write(frame, field) { buffer in
            buffer.append(utf8: publicURL)
            path(buffer)
        }
    }

    func setPerson<F: Field>(_ frame: Frame<F>, _ person: UserView, _ fields: UserFields<F>) {
        model.set(frame, fields.id, decimal: person.id)
        model.set(frame, fields.login, bytes: person.login)
        model.set(frame, fields.displayName, bytes: person.displayName)
        model.set(frame, fields.hasName, flag: person.hasName)
        model.set(frame, fields.avatar, bytes: person.avatarURL)
        model.write(frame, fields.initials) { $0.append(initialsOf: person.displayName) }
        model.set(frame, fields.hue, decimal: person.hue)
        model.set(frame, fields.type, bytes: person.type)
        if let reputation = person.reputation {
            model.write(frame, fields.reputation) { $0.append(grouped: reputation) }
        }
    }
}
