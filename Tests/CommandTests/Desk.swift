import ArgumentParser
import Base
import Foundation
import Importers
import People
import Publishing
import StoreSQLite
import Synchronization
import TestSupport
import Testing

@testable import rollcall

/// A folder of a test's own with a database, and what commands do with it, in this process. Suites inherit it.
class Desk: TestFolder {
    private(set) lazy var store: any Store = try! SQLiteStore(path: database, for: .importing)
    var database: String { path("people.sqlite") }

    /// The bytes of the database with its log.
    var stored: String { String(decoding: stored(in: database), as: UTF8.self) }

    func directory(_ slug: String = "team") throws -> StoredDirectory {
        store.refresh()
        return try store.directory(named: Slug(slug))
    }

    /// What readers see of the people in a directory.
    func rows(_ slug: String = "team") throws -> UserRows {
        let page = try store.makeReader().page(UserQuery(directory: directory(slug).id, limit: 100))
        return try #require(page).users
    }

    /// Runs a command on the database as the program does, in this process.
    @discardableResult func rollcall(_ words: String...) -> Output { rollcall(words) }

    /// The same for the words of a line.
    func rollcall(line: String) -> Output { rollcall(line.split(separator: " ").map(String.init)) }

    private func rollcall(_ words: [String]) -> Output {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        return said { Rollcall.status(of: words[..<end] + ["--database", database] + words[end...]) }
    }

    // MARK: - Imports

    /// Imports a text as a file of no particular name.
    @discardableResult func importing(_ text: String, into slug: String = "team", _ options: String...) throws -> Report
    {
        try importFile(write("list", text), into: slug, options: options)
    }

    /// Imports a file as `rollcall import file` does with these options.
    @discardableResult
    func importFile(_ path: String, into slug: String = "team", options: [String]) throws -> Report {
        let words = ["import", "file", path, "--directory", slug, "--database", database] + options
        let parsed = try Rollcall.parseAsRoot(Arguments.spelledOut(words))
        let command = try #require(parsed as? ImportFile), options = command.options
        store.refresh()
        let directory = store.storedDirectories.first { $0.slug.text == slug }
        let file = try options.file.source?.file
        let request = try options.request(of: directory, in: store, file)
        let run = ImportRun(configuration: options.configuration) { [store] in
            guard !options.isDryRun, let slug = Slug(slug) else { return nil }
            return try store.openDirectory(slug, title: options.title(of: slug, file), source: "file") {
                options.hide(&$0, file)
            }
        }
        var lines: [String] = []
        let source = try NamedSource(path, command.layout).file(request, KeptInput())
        let summary = run.run(source) { event in
            switch event {
            case .note(let note): lines.append(note)
            case .rejected(let rejection): lines.append("rejected \(rejection)")
            case .schema, .progress: break
            }
        }
        lines += summary.sentences + (summary.schema?.columnLines ?? []) + summary.notes
        return Report(summary: summary, lines: lines + summary.namesakeAdvice)
    }

    /// What an import did, and what it says.
    struct Report: CustomStringConvertible {
        let summary: ImportSummary
        let lines: [String]

        var counts: WriteCounts { summary.counts }
        /// Why the import failed; empty if it did not.
        var error: String { if case .failed(let error) = summary.end { "\(error)" } else { "" } }
        var said: String { lines.joined(separator: "\n") }
        /// The table of a dry run.
        var preview: [String] { summary.previewLines }
        var description: String { "\(counts)\n\(said)\n\(error)" }
    }

    // MARK: - Exports

    /// Returns what `rollcall export` writes with these options.
    func export(of slug: String = "team", _ options: String...) throws -> String {
        try String(contentsOfFile: export(to: "export", of: slug, options), encoding: .utf8)
    }

    /// Writes a file as `rollcall export` does, in the format of its name, and returns its path.
    func export(to name: String, of slug: String = "team", _ options: String...) throws -> String {
        try export(to: name, of: slug, options)
    }

    private func export(to name: String, of slug: String, _ options: [String]) throws -> String {
        let output = rollcall(["export", path(name), "--directory", slug] + options)
        if output.status != 0 { throw RollcallError(output.error) }
        return path(name)
    }

    // MARK: - Settings

    /// Changes settings as `rollcall directories settings` does with a file of this JSON, and with these options.
    @discardableResult
    func change(json: String? = nil, of slug: String = "team", _ options: String...) throws -> SettingsChange {
        let file = try json.map { [try write("settings.json", $0)] } ?? []
        return try SettingsCommand.parse([slug] + file + options).change(directory(slug), in: store)
    }

    /// The settings of a directory, as they are printed.
    func settings(_ slug: String = "team") throws -> String {
        let directory = try directory(slug)
        return SettingsFile(settings: directory.settings.stored, title: directory.title).json
    }
}

/// Returns what the program says while `body` runs, and its exit status.
func said(_ body: () -> ExitCode) -> Output {
    let said = Mutex(Output(status: 0, output: "", error: ""))
    let outlet = StandardStreams.Outlet { text, descriptor in
        said.withLock { said in
            if descriptor == STDOUT_FILENO { said.output += text } else { said.error += text }
        }
    }
    let status = StandardStreams.$outlet.withValue(outlet, operation: body)
    return said.withLock { Output(status: status.rawValue, output: $0.output, error: $0.error) }
}
