import Foundation
import Importers
import People

/// A file to read people from, as it was named on the command line: by its path, by its URL, or `-` for standard input.
struct NamedSource {
    let path: String
    let remote: RemoteFile?
    var options: FileSource.Options
    /// The directory that is named after it.
    var slug: Slug

    init(_ path: String, _ layout: FileOptions) throws {
        self.path = path
        remote = ImportFile.isAddress(path) ? try layout.remoteFile(path) : nil
        options = layout.fileOptions
        slug = Slug(literal: "people")
        if let named = Slug(importName: directoryName) { slug = named }
    }

    private var fileName: String? {
        path == "-" ? nil : remote.map(ImportFile.name) ?? URL(fileURLWithPath: path).lastPathComponent
    }

    var name: String { fileName ?? "standard input" }

    /// The name that its directory gets its slug from.
    var directoryName: String { fileName ?? "people" }

    /// The title of its directory; `nil` for its slug.
    var title: String? { fileName.flatMap(Slug.title) }

    /// - Parameter kept: That of earlier attempts to read the same.
    func file(_ request: ImportRequest, _ kept: KeptInput) -> FileSource {
        FileSource(path: path, remote: remote, options: options, request: request, kept: kept)
    }
}
