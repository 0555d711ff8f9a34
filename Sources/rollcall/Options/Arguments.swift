import ArgumentParser
import Base
import Foundation

/// A command that opens files by the bytes of their names, whatever these are.
protocol FileOpening {
    /// The values of its arguments and options that are paths of such files and folders.
    var openedPaths: [String?] { get }
}

/// The words behind the program's name.
enum Arguments {
    static let given = SystemValues.arguments

    /// Returns the arguments with `--sort -name` as `--sort=-name`: the parser takes a word that begins with a dash for
    /// an option.
    static func joiningOrders(_ arguments: [String]) -> [String] {
        var joined: [String] = []
        for argument in arguments {
            if joined.last == "--sort", argument.hasPrefix("-"), !argument.hasPrefix("--") {
                joined[joined.count - 1] = "--sort=\(argument)"
            } else {
                joined.append(argument)
            }
        }
        return joined
    }

    /// Returns the arguments with `--prune=all` and `--adopt HANDLE` as options of their own: the parser knows no flags
    /// whose value may be left out.
    static func spelledOut(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments.indices.map { index in
            switch arguments[index] {
            case "--prune=all" where index < end: "--prune-all"
            case "--adopt" where index + 1 < end && isHandle(arguments[index + 1]): "--adopt-handle"
            case let argument: argument
            }
        }
    }

    /// A path is not a handle.
    private static func isHandle(_ word: String) -> Bool {
        !word.hasPrefix("-") && !word.contains { "./:\\".contains($0) } && !FileManager.default.fileExists(atPath: word)
    }

    /// Throws if one of `arguments` is not UTF-8, and not a path that `command` opens.
    static func refuseOtherBytes(_ arguments: [String], of command: any ParsableCommand) throws {
        let paths = (command as? any FileOpening)?.openedPaths.compactMap(\.self) ?? []
        for argument in arguments where argument.hasNameBytes {
            // The value of an option may stand behind an equals sign.
            let isPath = paths.contains { argument == $0 || argument.hasSuffix("=\($0)") }
            try expect(isPath, "\"\(argument.printable)\": expected UTF-8")
        }
    }
}
