import Foundation

/// `Public/` and `Templates/` as they were when the program was built. Package.swift lists the same files.
enum BuiltIn {
    static func publicFiles() -> [String: Assets.File] {
        let modified = dateOfProgram
        return [
            "embed.css": condensed(PackageResources.embed_css),
            "embed.js": condensed(PackageResources.embed_js),
            "favicon.ico": PackageResources.favicon_ico,
            "favicon.svg": PackageResources.favicon_svg,
            "find.js": condensed(PackageResources.find_js),
            "frame.js": condensed(PackageResources.frame_js),
            "list.js": condensed(PackageResources.list_js),
            "openapi.json": PackageResources.openapi_json,
            "pages.css": condensed(PackageResources.pages_css),
            "person.js": condensed(PackageResources.person_js),
            "sentinel.js": condensed(PackageResources.sentinel_js),
            "style.css": condensed(PackageResources.style_css),
        ].mapValues { Assets.File(bytes: $0, modified: modified) }
    }

    static let templates: [String: [UInt8]] = [
        "_article": PackageResources._article_mustache,
        "_foot": PackageResources._foot_mustache,
        "_head": PackageResources._head_mustache,
        "_next": PackageResources._next_mustache,
        "directories": PackageResources.directories_mustache,
        "embed": PackageResources.embed_mustache,
        "error": PackageResources.error_mustache,
        "fragment": PackageResources.fragment_mustache,
        "fragment-error": PackageResources.fragment_error_mustache,
        "fragment-htmx": PackageResources.fragment_htmx_mustache,
        "fragment-turbo": PackageResources.fragment_turbo_mustache,
        "fragment-unpoly": PackageResources.fragment_unpoly_mustache,
        "page": PackageResources.page_mustache,
        "user": PackageResources.user_mustache,
    ]

    /// The modification time of the program, because the binary does not contain those of the files; no file is newer.
    private static var dateOfProgram: Int {
        Bundle.main.executablePath.flatMap(FileStatus.init)?.modified ?? 0
    }
}
