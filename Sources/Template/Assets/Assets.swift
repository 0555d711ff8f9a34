import Base
import Foundation

/// The static files and the templates: those built into the program, and the publisher's files that replace them.
///
/// They are read once and kept in memory: no request accesses the file system.
public struct Assets: Sendable {
    public struct File: Sendable, Equatable {
        public let bytes: [UInt8]
        /// Seconds since 1970.
        public let modified: Int
    }

    /// `Public/` and `Templates/`, as they were when the program was built. The plugin `EmbedFiles` writes
    /// `embeddedFiles`.
    public static let builtIn: Assets = {
        var assets = Assets()
        // The modification time of the program, because the binary does not contain those of the files; no file is
        // newer. Foundation's Bundle ends a program that may not look into the folder which it was started from.
        let modified = SystemFile.status(of: "/proc/self/exe")?.st_mtim.tv_sec ?? 0
        for (path, base64) in embeddedFiles {
            if let data = Data(base64Encoded: base64) { assets.add(path, [UInt8](data), modified: modified) }
        }
        return assets
    }()

    /// The static files by path in the folder: `style.css`, `images/logo.png`.
    public private(set) var publicFiles: [String: File] = [:]
    private var templates: [String: [UInt8]] = [:]
    /// The catalogues of messages by language. A publisher's catalogue follows the built-in one, whose messages it
    /// replaces one by one.
    private var catalogues: [String: [CatalogueFile]] = [:]
    /// Whether some templates or messages are the publisher's.
    public private(set) var hasOwnTemplates = false
    /// Messages for the log about files in the folders that have no use there.
    public private(set) var warnings: [String] = []

    /// Reads the files in `publicFolder` and `templatesFolder`, which take precedence over built-in ones.
    ///
    /// Throws a `RollcallError` if a folder, or a file in it, cannot be read.
    public init(publicFolder: String?, templatesFolder: String?) throws {
        self = .builtIn
        if let publicFolder {
            let folder = try Folder(publicFolder)
            for file in try folder.files() { publicFiles[file.name] = try folder.read(file) }
        }
        if let templatesFolder {
            try addTemplates(of: Folder(templatesFolder))
            hasOwnTemplates = true
        }
    }

    private init() {}

    private mutating func add(_ path: String, _ bytes: [UInt8], modified: Int) {
        if let name = path.removingPrefix("Public/") {
            let served =
                name.hasSuffix(".css") ? condensed(style: bytes) : name.hasSuffix(".js") ? condensed(bytes) : bytes
            publicFiles[name] = File(bytes: served, modified: modified)
        } else if let name = path.removingPrefix("Templates/") {
            if let template = name.removingSuffix(".mustache") { templates[template] = bytes }
            if let language = name.language { catalogues[language] = [(name, bytes)] }
        }
    }

    public var templateNames: [String] { Array(templates.keys) }

    /// Returns the bytes of template or partial `name`: of `page.mustache` for `page`.
    public func template(_ name: String) -> [UInt8]? { templates[name] }

    /// Returns the catalogues of `language`: of `languages/de.json` for `de`.
    public func catalogues(_ language: String) -> [CatalogueFile] { catalogues[language] ?? [] }

    /// A file of messages, with its name for error messages.
    public typealias CatalogueFile = (name: String, bytes: [UInt8])
}

extension Assets {
    private mutating func addTemplates(of folder: Folder) throws {
        for file in try folder.files() {
            if let language = file.name.language {
                try addCatalogue(language, of: folder, file)
                continue
            }
            guard let name = file.name.removingSuffix(".mustache") else { continue }
            // Partials may have any name, because templates of the same folder can include them.
            if templates[name] != nil || name.hasPrefix("_") {
                let bytes = try folder.read(file).bytes
                if let origin = TemplateOrigin(bytes), !origin.isCurrent {
                    warnings.append(
                        "\(file.name) was made from an older template (\(origin.version)); "
                            + "rollcall templates diff \(name) shows what changed")
                }
                templates[name] = bytes
            } else {
                let known = Self.builtIn.templates.keys.filter { !$0.hasPrefix("_") }.sorted().joined(separator: ", ")
                warnings.append(
                    "\(folder.path)/\(file.name) is ignored: templates are called \(known), partials begin with _")
            }
        }
    }

    private mutating func addCatalogue(_ language: String, of folder: Folder, _ file: Folder.Entry) throws {
        if catalogues[language] != nil {
            catalogues[language, default: []].append((file.name, try folder.read(file).bytes))
        } else {
            let known = catalogues.keys.sorted().map { "\($0).json" }.joined(separator: ", ")
            warnings.append("\(folder.path)/\(file.name) is ignored: catalogues of messages are called \(known)")
        }
    }
}

extension String {
    /// The language of the catalogue at this path in the folder of templates; `nil` for any other file.
    fileprivate var language: String? { removingPrefix("languages/")?.removingSuffix(".json") }

    fileprivate func removingPrefix(_ prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }

    fileprivate func removingSuffix(_ suffix: String) -> String? {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : nil
    }
}
