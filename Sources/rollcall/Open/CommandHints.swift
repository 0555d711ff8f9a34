import ArgumentParser
import Base
import Foundation
import Publishing

/// The program's answers to a first word that is not a command, and to other words for its commands.
enum CommandHints {
    /// Returns the arguments with `open` before a first one that is a file, a folder, a URL or standard input. Throws a
    /// hint if the first one is neither that nor a command.
    static func spelledOut(_ arguments: [String]) throws -> [String] {
        guard let first = arguments.first, !first.hasPrefix("-") || first == "-" else { return arguments }
        let rest = Array(arguments.dropFirst())
        if Rollcall.subcommandNames.contains(first) || first == "help" {
            guard let second = rest.first, !second.hasPrefix("-") else { return arguments }
            let path = second.shellWord
            try expect(
                first != "serve" || second.fileType == nil,
                "did you mean: rollcall \(path) to look, rollcall import file \(path) to publish")
            try checkCommand(of: first, second, rest.dropFirst())
            return arguments
        }
        if first == "-" || ImportFile.isAddress(first) || first.fileType != nil {
            return ["open"] + arguments
        }
        throw ValidationError(hint(for: first, rest) ?? unknown(first))
    }

    /// Throws a hint if the command `name` has a default subcommand, which takes no words, and `word` is not one of its
    /// subcommands.
    private static func checkCommand(of name: String, _ word: String, _ rest: ArraySlice<String>) throws {
        let parent = Rollcall.configuration.subcommands.first { $0._commandName == name }
        guard let parent, parent.configuration.defaultSubcommand != nil else { return }
        let commands = parent.subcommandNames
        if commands.contains(word) { return }
        let meant =
            [
                "directories show": "describe", "directories delete": "remove", "directories set": "settings",
                "templates show": "copy",
            ]["\(name) \(word)"]
            ?? Suggestion.nearest(to: word, in: commands)
        let line = meant.map { (["rollcall", name, $0] + rest).map(\.shellWord).joined(separator: " ") }
        let advice = line.map { "did you mean: \($0)" } ?? "expected one of \(commands.joined(separator: ", "))"
        throw ValidationError("\(name): \"\(word.printable)\" is not a command; \(advice)")
    }

    /// Returns the message about a word that is neither a command nor a file.
    static func unknown(_ word: String) -> String {
        if word.contains(where: "./".contains) { return "there is no file \(word.printable)" }
        let nearest = Suggestion.nearest(to: word, in: Rollcall.subcommandNames)
        let advice = nearest.map { "; did you mean: rollcall \($0)" } ?? ""
        return "\"\(word.printable)\" is neither a command nor a file\(advice)"
    }

    /// The commands that people mean by other words. `…` stands for the words that follow, `'…'` for these
    /// with those before the first option as one.
    private static let meanings = [
        "ls": "directories", "dirs": "directories", "settings": "directories settings …",
        "describe": "directories describe …", "rename": "directories rename …", "start": "serve", "run": "serve",
        "publish": "import file …", "add": "import file …", "update": "import file …", "load": "import file …",
        "photos": "pictures …", "images": "pictures …",
        "remove": "forget '…' (a person), rollcall directories remove …",
        "delete": "forget '…' (a person), rollcall directories remove …", "restore": "serve --database …",
        "version": "--version", "embed": "serve, then http://127.0.0.1:8080/embed",
    ]

    private static func hint(for word: String, _ rest: [String]) -> String? {
        if ["search", "find"].contains(word) {
            let query = rest.joined(separator: " ").addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return notCommand(word, "serve, then http://127.0.0.1:8080/?q=\(query)")
        }
        return meanings[word].map { meant in
            let name = rest.prefix { !$0.hasPrefix("-") }
            let oneWord = (name.isEmpty ? [] : [name.joined(separator: " ")]) + rest.dropFirst(name.count)
            let words = meant.replacing("'…'", with: oneWord.map(\.shellWord).joined(separator: " "))
                .replacing("…", with: rest.map(\.shellWord).joined(separator: " "))
            return notCommand(word, words.trimmed)
        }
    }

    private static func notCommand(_ word: String, _ meant: String) -> String {
        "\"\(word)\" is not a command; did you mean: rollcall \(meant)"
    }
}

extension ParsableCommand {
    fileprivate static var subcommandNames: [String] { configuration.subcommands.map { $0._commandName } }
}
