import ArgumentParser
import Base
import Foundation

extension CommandHints {
    /// Throws a suggestion if `arguments` are an `import` of a file, a folder or a URL without the name of a source, as
    /// in `rollcall import people.csv`.
    static func checkImport(_ arguments: some Collection<String>) throws {
        guard arguments.first == "import" else { return }
        var words = Array(arguments.dropFirst())
        let sources = Import.configuration.subcommands.map { $0._commandName }
        guard let first = words.first, !sources.contains(first), let path = words.first(where: isSource) else { return }
        if ImportFile.isAddress(path) {
            // The URL may hold a password.
            let source = path.hasSuffix(".git") ? "git" : "file"
            throw ValidationError("a URL is not a source; did you mean: rollcall import \(source) URL?")
        }
        var source = path.fileType == S_IFDIR ? "git" : "file"
        var wrong = path
        if let index = words.indices.first(where: { isNamed(words[$0], at: $0, of: words, among: sources) }) {
            // Options before the source: `import --database people.sqlite file people.csv`.
            (wrong, source) = (first, words.remove(at: index))
        } else if first != path, !first.hasPrefix("-") {
            // A format, or a name of a source that does not exist: `import csv people.csv`.
            wrong = first
            words.removeFirst()
        }
        words = words.map { Environment.fullName(of: $0, for: ["import", source]) }
        let command = (["rollcall", "import", source] + words.map { DatabaseLocation(argument: $0).description }).map(
            \.shellWord
        ).joined(separator: " ")
        throw ValidationError("\"\(wrong.printable)\" is not a source; did you mean: \(command)?")
    }

    /// Whether `word`, which is the one of `words` at `index`, is the source that the import names: without it, the
    /// others are an import from this source.
    private static func isNamed(_ word: String, at index: Int, of words: [String], among sources: [String]) -> Bool {
        guard sources.contains(word) else { return false }
        var others = words
        others.remove(at: index)
        return (try? Rollcall.parseAsRoot(Arguments.spelledOut(["import", word] + others))) != nil
    }

    /// Whether `word` is an existing file, standard input or a URL, or looks like the name of a file.
    private static func isSource(_ word: String) -> Bool {
        if word == "-" || word.fileType != nil { return true }
        if word.hasPrefix("-") { return false }
        return word.contains("/") || word.contains(/\.[A-Za-z0-9]+$/)
    }
}
