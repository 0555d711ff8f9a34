import ArgumentParser
import Base
import Foundation

/// Suggests the right command if the kind of source is missing: `rollcall import people.csv`.
enum ImportAdvice {
    /// Throws a suggestion if `arguments` are an `import` of a file, a folder or a URL without the name of a source.
    static func check(_ arguments: some Collection<String>) throws {
        guard arguments.first == "import" else { return }
        var words = Array(arguments.dropFirst())
        let sources = Import.configuration.subcommands.compactMap { $0.configuration.commandName }
        guard let first = words.first, !sources.contains(first), let path = words.first(where: isSource) else { return }
        if ImportFile.isAddress(path) {
            // The URL may hold a password.
            let source = path.hasSuffix(".git") ? "git" : "file"
            throw ValidationError("a URL is not a source; did you mean: rollcall import \(source) URL?")
        }
        let source = isFolder(path) ? "git" : "file"
        var wrong = path
        if first != path, !first.hasPrefix("-") {
            // A format, or a name of a source that does not exist: `import csv people.csv`.
            wrong = first
            words.removeFirst()
        }
        let command = (["rollcall", "import", source] + words.map { DatabaseLocation(argument: $0).description }).map(
            \.shellWord
        ).joined(separator: " ")
        throw ValidationError("\"\(wrong.printable)\" is not a source; did you mean: \(command)?")
    }

    /// Whether `word` is an existing file, standard input or a URL, or looks like the name of a file.
    private static func isSource(_ word: String) -> Bool {
        if word == "-" || FileManager.default.fileExists(atPath: word) { return true }
        if word.hasPrefix("-") { return false }
        return word.contains("/") || word.contains(/\.[A-Za-z0-9]+$/)
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}

extension String {
    /// The text, quoted if necessary so that a shell reads it as one word.
    var shellWord: String {
        let isPlain =
            !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case 65...90, 97...122, 48...57, 0x25, 0x2B, 0x2C, 0x2D, 0x2E, 0x2F, 0x3A, 0x3D, 0x40, 0x5F: true
                case 0x80...: true
                default: false
                }
            }
        return isPlain ? printable : "'\(printable.replacing("'", with: "'\\\\''"))'"
    }
}
