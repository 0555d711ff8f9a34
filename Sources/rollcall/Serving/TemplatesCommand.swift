import ArgumentParser
import Base
import Foundation
import Publishing
import Template

struct TemplatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "templates",
        abstract: "List, copy and compare the templates of pages.",
        discussion: """
            rollcall templates                          list their names
            rollcall templates copy page user --to DIR  write built-in templates to a folder, to change them there
            rollcall templates diff page                compare one in the folder with the built-in one

            serve --templates DIR uses what is in the folder instead of the built-in templates.
            """,
        subcommands: [ListTemplates.self, CopyTemplates.self, CompareTemplates.self],
        defaultSubcommand: ListTemplates.self)

    /// The names of all built-in templates, pages before partials.
    static var names: [String] {
        let names = Assets.builtIn.templateNames.sorted()
        return names.filter { !$0.hasPrefix("_") } + names.filter { $0.hasPrefix("_") }
    }

    /// Returns the name of a built-in template that an argument means: `page`, or `page.mustache`.
    static func name(_ argument: String) throws -> String {
        let name = argument.hasSuffix(".mustache") ? String(argument.dropLast(".mustache".count)) : argument
        try expect(
            names.contains(name),
            "there is no template \(argument.printable)\(Suggestion.question(name, in: names)); "
                + "rollcall templates lists all")
        return name
    }
}

struct ListTemplates: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Print the names of all templates.")

    func run() {
        StandardStreams.write(TemplatesCommand.names.map { $0 + "\n" }.joined(), to: STDOUT_FILENO)
    }
}

struct CopyTemplates: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Write built-in templates to a folder.",
        discussion: """
            The first line of each file says which original it was made from, so that a server can say when the \
            original has changed. Nothing is written if one of the files exists.
            """)

    @Argument(help: ArgumentHelp("The templates, such as page or _article.", valueName: "name"))
    var names: [String]

    @Option(value: "dir", help: "The folder, which is made if it does not exist.", completion: .directory)
    var to: String

    @Flag(help: "Replace files that exist.")
    var force = false

    func validate() throws {
        _ = try names.map(TemplatesCommand.name)
    }

    func run() throws {
        let files = try names.map(TemplatesCommand.name).map { (name: $0, path: "\(to)/\($0).mustache") }
        if !force, let taken = files.first(where: { FileManager.default.fileExists(atPath: $0.path) }) {
            throw ValidationError("\(taken.path.printable) exists; --force replaces it")
        }
        do {
            try FileManager.default.createDirectory(atPath: to, withIntermediateDirectories: true)
        } catch { throw ValidationError("--to: cannot make the folder \(to.printable)") }
        for (name, path) in files {
            guard let bytes = Assets.builtIn.template(name),
                let origin = TemplateOrigin(copying: name, version: Rollcall.version)
            else { continue }
            try ExportFile.replace(path, by: Array((origin.line + "\n").utf8) + bytes)
        }
    }
}

struct CompareTemplates: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare templates in a folder with the built-in ones.",
        discussion: """
            Prints lines of the built-in template that the file lacks after a minus, and lines that only the file has \
            after a plus, each with three lines around it.
            """)

    @Argument(help: ArgumentHelp("The templates; by default all that the folder has.", valueName: "name"))
    var names: [String] = []

    @Option(value: "dir", help: "The folder with templates.", completion: .directory)
    var templates: String

    func validate() throws {
        _ = try names.map(TemplatesCommand.name)
    }

    func run() throws {
        let chosen = try names.map(TemplatesCommand.name)
        let all = chosen.isEmpty ? TemplatesCommand.names.filter { file($0) != nil } : chosen
        var text = ""
        for name in all {
            let path = "\(templates.printable)/\(name).mustache", wrong = "\(path): there is no such file"
            let (bytes, original) = try (required(file(name), wrong), required(Assets.builtIn.template(name), wrong))
            let origin = TemplateOrigin(bytes)
            var lines = Self.lines(bytes)
            if origin != nil { lines.removeFirst() }
            let difference = lines.difference(fromLines: Self.lines(original))
            if difference.isEmpty { continue }
            text += "--- \(name).mustache (\(Rollcall.version))\n"
            text += "+++ \(path)\(origin.map { " (from \($0.version))" } ?? "")\n"
            text += difference
        }
        StandardStreams.writeExactly(text, to: STDOUT_FILENO)
    }

    private func file(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(templates)/\(name).mustache").map(Array.init)
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        var lines = String(decoding: bytes, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).map { String($0).printable }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
