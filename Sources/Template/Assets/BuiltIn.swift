import Base
import Foundation

/// `Public/` and `Templates/`, as they were when the program was built. The plugin `EmbedFiles` writes `embeddedFiles`.
enum BuiltIn {
    static func publicFiles() -> [String: Assets.File] {
        let modified = dateOfProgram
        var files: [String: Assets.File] = [:]
        for (name, bytes) in contents(of: "Public/") {
            let served =
                name.hasSuffix(".css") ? condensed(style: bytes) : name.hasSuffix(".js") ? condensed(bytes) : bytes
            files[name] = Assets.File(bytes: served, modified: modified)
        }
        return files
    }

    static let templates: [String: [UInt8]] = {
        var templates: [String: [UInt8]] = [:]
        for (name, bytes) in contents(of: "Templates/") {
            if let name = name.removingSuffix(".mustache") { templates[name] = bytes }
        }
        return templates
    }()

    static let catalogues: [String: [Assets.CatalogueFile]] = {
        var catalogues: [String: [Assets.CatalogueFile]] = [:]
        for (name, bytes) in contents(of: "Templates/") {
            if let language = name.language { catalogues[language] = [(name, bytes)] }
        }
        return catalogues
    }()

    /// Returns the names of the embedded files of a folder with their bytes.
    private static func contents(of folder: String) -> [(name: String, bytes: [UInt8])] {
        embeddedFiles.compactMap { path, base64 in
            guard path.hasPrefix(folder), let data = Data(base64Encoded: base64) else { return nil }
            return (String(path.dropFirst(folder.count)), [UInt8](data))
        }
    }

    /// The modification time of the program, because the binary does not contain those of the files; no file is newer.
    private static var dateOfProgram: Int {
        // Foundation's Bundle ends a program that may not look into the folder which it was started from.
        SystemFile.status(of: "/proc/self/exe")?.st_mtim.tv_sec ?? 0
    }
}
