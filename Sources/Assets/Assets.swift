/// The static files and the templates: those built into the program, and the publisher's files that replace them.
///
/// They are read once and kept in memory: no request accesses the file system.
public struct Assets: Sendable {
    public struct File: Sendable, Equatable {
        public let bytes: [UInt8]
        /// Seconds since 1970.
        public let modified: Int
    }

    /// The built-in files.
    public static let builtIn = Assets(publicFiles: BuiltIn.publicFiles(), templates: BuiltIn.templates)

    /// The static files by path in the folder: `style.css`, `images/logo.png`.
    public private(set) var publicFiles: [String: File]
    private var templates: [String: [UInt8]]
    /// Messages for the log about files in the folders that have no use there.
    public private(set) var warnings: [String] = []

    /// Reads the files in `publicFolder` and `templatesFolder`, which take precedence over built-in ones.
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

    /// Returns the bytes of template or partial `name`: of `page.mustache` for `page`.
    public func template(_ name: String) -> [UInt8]? { templates[name] }
}

extension Assets {
    private mutating func addPublicFiles(of folder: Folder) throws {
        for file in try folder.files() { publicFiles[file.name] = try folder.read(file) }
    }

    private mutating func addTemplates(of folder: Folder) throws {
        for file in try folder.files() {
            guard let name = file.name.removingSuffix(".mustache") else { continue }
            // Partials may have any name, because templates of the same folder can include them.
            if templates[name] != nil || name.hasPrefix("_") {
                templates[name] = try folder.read(file).bytes
            } else {
                let known = BuiltIn.templates.keys.filter { !$0.hasPrefix("_") }.sorted().joined(separator: ", ")
                warnings.append(
                    "\(folder.path)/\(file.name) is ignored: templates are called \(known), partials begin with _")
            }
        }
    }
}

extension String {
    func removingSuffix(_ suffix: String) -> String? {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : nil
    }
}
