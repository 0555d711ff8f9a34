import ArgumentParser
import Base
import Foundation
import Importers
import People

/// The program's answers to a first word that is not a command, and to other words for its commands.
enum CommandHints {
    /// Returns the arguments with `open` before a first one that is a file, a folder, a URL or standard input. Throws a
    /// hint if the first one is neither that nor a command.
    static func spelledOut(_ arguments: [String]) throws -> [String] {
        guard let first = arguments.first, !first.hasPrefix("-") || first == "-" else { return arguments }
        let commands = Rollcall.configuration.subcommands.map { $0._commandName }
        if commands.contains(first) || first == "help" {
            if first == "serve", let path = arguments.dropFirst().first, isFile(path) { throw servesFile(path) }
            return arguments
        }
        if first == "-" || ImportFile.isAddress(first) || first.fileType != nil {
            return ["open"] + arguments
        }
        throw ValidationError(hint(for: first, Array(arguments.dropFirst())) ?? unknown(first))
    }

    private static func isFile(_ path: String) -> Bool {
        !path.hasPrefix("-") && path.fileType != nil
    }

    private static func servesFile(_ path: String) -> ValidationError {
        let path = path.shellWord
        return ValidationError(
            "did you mean: rollcall \(path) to look, rollcall import file \(path) to publish")
    }

    /// Returns the message about a word that is neither a command nor a file.
    static func unknown(_ word: String) -> String {
        let commands = Rollcall.configuration.subcommands.map { $0._commandName }
        let nearest = Suggestion.nearest(to: word, in: commands)
        let advice = nearest.map { "; did you mean: rollcall \($0)" } ?? ""
        return "\"\(word.printable)\" is neither a command nor a file\(advice)"
    }

    private static func hint(for word: String, _ rest: [String]) -> String? {
        let words = rest.map(\.shellWord).joined(separator: " ")
        let tail = words.isEmpty ? "" : " \(words)"
        let meant: String
        switch word {
        case "ls", "dirs": meant = "rollcall directories"
        case "settings", "describe", "rename": meant = "rollcall directories \(word)\(tail)"
        case "remove", "delete":
            meant = "rollcall forget\(tail) (a person), rollcall directories remove\(tail)"
        case "search", "find":
            let query = rest.joined(separator: " ").addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            meant = "rollcall serve, then http://127.0.0.1:8080/?q=\(query)"
        case "restore": meant = "rollcall serve --database\(tail)"
        case "version": meant = "rollcall --version"
        default: return nil
        }
        return "\"\(word)\" is not a command; did you mean: \(meant)"
    }
}
