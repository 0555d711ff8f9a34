import Foundation
import PackagePlugin

/// Writes a Swift file that contains every file of `Public/` and `Templates/`, the people of the demo, and the keys
/// of the messages, before `Assets` is compiled. The build fails if the catalogues of messages do not agree.
///
/// SwiftPM runs the plugin again whenever a file is added or removed below the folder of target `Assets`, which is the
/// package. The manifest could not list the folders: SwiftPM caches its result by content and would miss a new file.
@main
struct EmbedFiles: BuildToolPlugin {
    private static let folders = ["Public", "Templates", "Templates/languages"]
    private static let demoPeople = "Sources/Importers/Demo/people.json"
    private static let backupSuffixes = ["~", ".bak", ".orig", ".rej", ".swp", ".tmp"]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = context.package.directoryURL
        if target.name == "Publishing" { return [lexicon(root, context.pluginWorkDirectoryURL)] }
        let script = root.appending(path: "Plugins/EmbedFiles/embed")
        let check = root.appending(path: "Plugins/EmbedFiles/check-messages")
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        let assets = try Self.folders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
                .filter { !Self.isBackup($0) }.sorted().map { "\(folder)/\($0)" }
        }.filter { !Self.folders.contains($0) }
        let paths = assets + [Self.demoPeople]
        return [
            .buildCommand(
                displayName: "Embedding Public, Templates and the people of the demo",
                executable: URL(filePath: "/bin/sh"), arguments: [script.path, output.path, root.path] + paths,
                inputFiles: [script, check] + paths.map { root.appending(path: $0) }, outputFiles: [output])
        ]
    }

    private func lexicon(_ root: URL, _ folder: URL) -> Command {
        let lexicon = root.appending(path: "Sources/Publishing/Understanding/lexicon.json")
        let output = folder.appending(path: "EmbeddedLexicon.swift")
        let script = #"{ printf 'let embeddedLexicon = "'; base64 <"$1" | tr -d '\n'; echo '"'; } >"$0""#
        return .buildCommand(
            displayName: "Embedding the lexicon of headings", executable: URL(filePath: "/bin/sh"),
            arguments: ["-c", script, output.path, lexicon.path], inputFiles: [lexicon], outputFiles: [output])
    }

    /// Whether `name` is hidden or a backup file of an editor.
    private static func isBackup(_ name: String) -> Bool {
        name.hasPrefix(".") || name.hasPrefix("#") || backupSuffixes.contains { name.hasSuffix($0) }
    }
}
