import ArgumentParser
import Foundation
import Publishing
import Synchronization

/// Options from the environment: `ROLLCALL_DRY_RUN=true` is `--dry-run`, `ROLLCALL_PORT=80` is `--port=80`.
///
/// They are put before the arguments of the command line, and then parsed and checked as those are. An option that the
/// command line has, too, counts from there alone; an empty variable counts as absent.
enum Environment {
    /// Read once: Foundation makes a new dictionary each time.
    private static let variables = ProcessInfo.processInfo.environment

    /// The names of the options that ``completed(_:)`` has added.
    private static let added = Mutex<Set<String>>([])

    /// Returns the value of the variable `ROLLCALL_` and `name`; `nil` if it is empty.
    static func string(_ name: String) -> String? {
        let value = variables["ROLLCALL_\(name)"]
        return value?.isEmpty == true ? nil : value
    }

    /// The public URL, without a slash at its end; empty if the environment has none.
    static var publicURL: String {
        string("PUBLIC_URL").map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } ?? ""
    }

    /// Returns the arguments of the program with what the environment says. Throws an error for a flag that is neither
    /// on nor off.
    static func completed(_ arguments: [String]) throws -> [String] {
        // Without variables, no command describes its options, which takes a millisecond.
        guard variables.keys.contains(where: { $0.hasPrefix("ROLLCALL_") && $0 != "ROLLCALL_DATABASE" }) else {
            return arguments
        }
        let (command, depth) = command(of: arguments)
        let known = try CommandOutline.options(of: command)
        noteMisspelled(except: known.map { variable(of: $0.name) })
        let options = known.filter { hasVariable($0.name, in: command._commandName) && !$0.isSet(by: arguments) }
        var words: [String] = []
        for option in options {
            guard let text = string(variable(of: option.name)) else { continue }
            let more = try option.arguments(text)
            if !more.isEmpty { added.withLock { _ = $0.insert(option.name) } }
            words += more
        }
        return arguments.prefix(depth) + words + arguments.dropFirst(depth)
    }

    /// Names each variable that differs in a few letters from one that a command reads. Describing all commands takes
    /// as long as a start of the program, so `known`, the variables of this command, are looked through first.
    private static func noteMisspelled(except known: [String]) {
        let prefix = "ROLLCALL_"
        let names = variables.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        let unknown = Set(names).subtracting(known + ["DATABASE", "OPEN_HOSTNAME"])
        if unknown.isEmpty { return }
        let all = Set(optionNames(of: Rollcall.self).map(variable))
        for name in unknown.subtracting(all).sorted() {
            guard let meant = Suggestion.nearest(to: name, in: all.sorted()) else { continue }
            StandardStreams.note(
                "\(prefix)\(name) is no variable of rollcall and is ignored; did you mean \(prefix)\(meant)?\n")
        }
    }

    /// Returns the names of the options of `command` and of all commands below it.
    private static func optionNames(of command: any ParsableCommand.Type) -> [String] {
        let own = (try? CommandOutline.options(of: command).map(\.name)) ?? []
        return own + command.configuration.subcommands.flatMap(optionNames)
    }

    /// Returns the command that `arguments` name, and how many of them name it.
    private static func command(of arguments: [String]) -> (any ParsableCommand.Type, Int) {
        var (command, depth): (any ParsableCommand.Type, Int) = (Rollcall.self, 0)
        while depth < arguments.count,
            let next = command.configuration.subcommands.first(where: { $0._commandName == arguments[depth] })
        {
            (command, depth) = (next, depth + 1)
        }
        while let next = command.configuration.defaultSubcommand { command = next }
        return (command, depth)
    }

    /// Returns the only option of a command that begins as `option` does, or else `option`.
    static func fullName(of option: String, for arguments: [String]) -> String {
        let command = command(of: arguments).0
        let names = (try? CommandOutline.options(of: command).map { "--" + $0.name }) ?? []
        let meant = names.filter { $0.hasPrefix(option) }
        return meant.count == 1 ? meant[0] : option
    }

    /// Returns `message` with the option of the command that begins like an unknown one, if one alone does: the parser
    /// suggests one of as many letters.
    static func suggesting(_ message: String, for arguments: [String]) -> String {
        guard let match = message.firstMatch(of: /Unknown option '(--[a-z-]+)'(\. Did you mean '[^']*'\?)?/) else {
            return message
        }
        let name = fullName(of: String(match.1), for: arguments)
        if name == match.1 { return message }
        return message.replacingCharacters(
            in: match.range, with: "Unknown option '\(match.1)'. Did you mean '\(name)'?")
    }

    /// Returns `message` with the variables of the options in it that the environment sets.
    static func explaining(_ message: String) -> String {
        let names = message.matches(of: /--([a-z-]+)/).map { String($0.1) }
        let variables = Set(names.filter(sets).map { "ROLLCALL_" + variable(of: $0) }).sorted()
        return variables.isEmpty ? message : "\(message) (in the environment: \(variables.joined(separator: ", ")))"
    }

    /// Whether the environment, and not the command line, sets an option.
    static func sets(_ option: String) -> Bool { added.withLock { $0.contains(option) } }

    /// Whether the environment or the command line sets an option.
    static func has(_ option: String) -> Bool {
        sets(option) || Arguments.given.contains { $0 == "--\(option)" || $0.hasPrefix("--\(option)=") }
    }

    static func variable(of option: String) -> String {
        option.uppercased().replacingOccurrences(of: "-", with: "_")
    }

    /// Options that say what to do rather than how, or that agree to a loss, are given each time. `--database` has a
    /// rule of its own (``DatabaseLocation/byDefault``).
    private static let withoutVariable: Set = [
        "adopt-handle", "all", "database", "force", "handle", "help", "id", "json", "missing", "no-browser",
        "prune-all", "replace", "version", "yes",
    ]

    private static func hasVariable(_ option: String, in command: String) -> Bool {
        if withoutVariable.contains(option) { return false }
        return switch command {
        case "describe", "settings": option == "lock-timeout"
        case "backup": option != "keep"
        case "file", "git", "github", "stackexchange", "rickandmorty": option != "private"
        default: true
        }
    }
}

private struct CommandOutline: Decodable {
    struct Option: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }

        var kind: String
        var names: [Name]?
        var preferredName: Name?
        var shouldDisplay: Bool
        var isRepeating: Bool
        var valueName: String?

        var name: String { preferredName?.name ?? "" }

        func isSet(by arguments: [String]) -> Bool {
            let spellings = (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
            return arguments.prefix { $0 != "--" }.contains { argument in
                spellings.contains { argument == $0 || argument.hasPrefix($0 + "=") }
            }
        }

        /// Returns the arguments that set the option to the value of a variable. Commas separate several assignments;
        /// names of columns may have commas, and are separated later.
        func arguments(_ text: String) throws -> [String] {
            guard kind == "flag" else {
                let isList = isRepeating && valueName?.hasPrefix("column") != true
                return text.split { isList && $0 == "," }.map { "--\(name)=\($0)" }
            }
            switch text.lowercased() {
            case "1", "true", "yes", "on": return ["--\(name)"]
            case "0", "false", "no", "off": return []
            default:
                let variable = Environment.variable(of: name)
                throw ValidationError("expected true or false in ROLLCALL_\(variable), found \"\(text)\"")
            }
        }
    }

    private struct Command: Decodable { var arguments: [Option]? }
    private var command: Command

    static func options(of command: any ParsableCommand.Type) throws -> [Option] {
        let outline = try JSONDecoder().decode(Self.self, from: Data(command._dumpHelp().utf8))
        return outline.command.arguments?.filter { $0.shouldDisplay && $0.kind != "positional" } ?? []
    }
}
