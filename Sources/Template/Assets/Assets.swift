/// The static files and the templates: those built into the program, and the publisher's files that replace them.
///
/// They are read once and kept in memory: no request accesses the file system.
public struct Assets: Sendable {
    public struct File: Sendable, Equatable {
        public let bytes: [UInt8]
        /// Seconds since 1970.
        public let modified: Int

        public init(bytes: [UInt8], modified: Int) {
            self.bytes = bytes
            self.modified = modified
        }
    }

    /// The built-in files.
    public static let builtIn = Assets(
        publicFiles: BuiltIn.publicFiles(), templates: BuiltIn.templates, catalogues: BuiltIn.catalogues)

    /// The static files by path in the folder: `style.css`, `images/logo.png`.
    public private(set) var publicFiles: [String: File]
    private var templates: [String: [UInt8]]
    /// The catalogues of messages by language. A publisher's catalogue follows the built-in one, whose messages it
    /// replaces one by one.
    private var catalogues: [String: [CatalogueFile]]
    /// Whether some templates or messages are the publisher's.
    public private(set) var hasOwnTemplates = false
    /// Messages for the log about files in the folders that have no use there.
    public private(set) var warnings: [String] = []

    /// Reads the files in `publicFolder` and `templatesFolder`, which take precedence over built-in ones.
    ///
    /// Throws a `RollcallError` if a folder, or a file in it, cannot be read.
    public init(publicFolder: String?, templatesFolder: String?) throws {
        self = .builtIn
        if let publicFolder { try addPublicFiles(of: Folder(publicFolder)) }
        if let templatesFolder {
            try addTemplates(of: Folder(templatesFolder))
            hasOwnTemplates = true
        }
    }

    private init(
        publicFiles: [String: File], templates: [String: [UInt8]], catalogues: [String: [CatalogueFile]]
    ) {
        self.publicFiles = publicFiles
        self.templates = templates
        self.catalogues = catalogues
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
    private mutating func addPublicFiles(of folder: Folder) throws {
        for file in try folder.files() { publicFiles[file.name] = try folder.read(file) }
    }

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
                let known = BuiltIn.templates.keys.filter { !$0.hasPrefix("_") }.sorted().joined(separator: ", ")
                warnings.append(
                    "\(folder.path)/\(file.name) is ignored: templates are called \(known), partials begin with _")
            }
        }
    }
}

extension Assets {
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
    var language: String? { hasPrefix("languages/") ? String(dropFirst(10)).removingSuffix(".json") : nil }

    func removingSuffix(_ suffix: String) -> String? {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : nil
    }
}
