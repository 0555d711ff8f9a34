/// The files that are served as they are, and the templates: those built into the program, and what a publisher puts in their place.
///
/// All of it is read once and kept in memory: no request reaches the file system.
public struct Assets: Sendable {
    public struct File: Sendable, Equatable {
        public let bytes: [UInt8]
        /// Seconds since 1970.
        public let modified: Int
    }

    /// What the program has with it.
    public static let builtIn = Assets(publicFiles: BuiltIn.publicFiles(), templates: BuiltIn.templates)

    /// By path in the folder: `style.css`, `images/logo.png`.
    public private(set) var publicFiles: [String: File]
    private var templates: [String: [UInt8]]
    /// What was found in the folders and is of no use there; for the log.
    public private(set) var warnings: [String] = []

    /// Files in `publicFolder` and `templatesFolder` win; what they do not have is built in.
    ///
    /// Throws an ``AssetsError`` if a folder, or a file in it, cannot be read.
    public init(publicFolder: String?, templatesFolder: String?) throws {
        self = .builtIn
        if let publicFolder { try addPublicFiles(of: Folder(publicFolder)) }
        if let templatesFolder { try addTemplates(of: Folder(templatesFolder)) }
    }

    private init(publicFiles: [String: File], templates: [String: [UInt8]]) {
        self.publicFiles = publicFiles
        self.templates = templates
    }

    public var templateNames: [String] { Array(templates.keys) }

    /// The bytes of template or partial `name`: of `page.mustache` for `page`.
    public func template(_ name: String) -> [UInt8]? { templates[name] }
}

extension Assets {
    private mutating func addPublicFiles(of folder: Folder) throws {
        for path in try folder.files() { publicFiles[path] = try folder.read(path) }
    }

    private mutating func addTemplates(of folder: Folder) throws {
        for path in try folder.files() {
            guard let name = path.removingSuffix(".mustache") else { continue }
            // Partials may have any name: templates of the same folder can place them.
            if templates[name] != nil || name.hasPrefix("_") {
                templates[name] = try folder.read(path).bytes
            } else {
                let known = BuiltIn.templates.keys.filter { !$0.hasPrefix("_") }.sorted().joined(separator: ", ")
                warnings.append(
                    "\(folder.path)/\(path) is ignored: templates are called \(known), partials begin with _")
            }
        }
    }
}

extension String {
    fileprivate func removingSuffix(_ suffix: String) -> String? {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : nil
    }
}
