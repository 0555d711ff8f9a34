import Foundation
import PackagePlugin

/// Writes a Swift file that contains every file of `Public/` and `Templates/`, and the keys of the messages, before
/// `Template` is compiled, and one with a file of JSON for each of two other targets. The build fails if the catalogues
/// of messages do not agree.
///
/// SwiftPM runs the plugin again whenever a file is added or removed below the folder of target `Template`, which is
/// the package. The manifest could not list the folders: SwiftPM caches its result by content and would miss a new
/// file.
@main
struct EmbedFiles: BuildToolPlugin {
    private static let folders = ["Public", "Templates", "Templates/languages"]
    /// For each other target, its file and the name of the text with the file in base64.
    private static let single = [
        "Importers": ("Demo/people.json", "embeddedPeople"),
        "Publishing": ("Understanding/lexicon.json", "embeddedLexicon"),
    ]
    private static let backupSuffixes = ["~", ".bak", ".orig", ".rej", ".swp", ".tmp"]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = context.package.directoryURL
        if let (path, name) = Self.single[target.name] {
            let file = root.appending(path: "Sources/\(target.name)/\(path)")
            return [Self.embed(file, as: name, into: context.pluginWorkDirectoryURL)]
        }
        let script = root.appending(path: "Plugins/EmbedFiles/embed")
        let check = root.appending(path: "Plugins/EmbedFiles/check-messages")
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        let paths = try Self.folders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
                .filter { !Self.isBackup($0) }.sorted().map { "\(folder)/\($0)" }
        }.filter { !Self.folders.contains($0) }
        return [
            .buildCommand(
                displayName: "Embedding Public and Templates",
                executable: URL(filePath: "/bin/sh"), arguments: [script.path, output.path, root.path] + paths,
                inputFiles: [script, check] + paths.map { root.appending(path: $0) }, outputFiles: [output])
        ]
    }

    private static func embed(_ file: URL, as name: String, into folder: URL) -> Command {
        let output = folder.appending(path: "EmbeddedFile.swift")
        let script = #"{ printf 'let %s = "' "$2"; base64 <"$1" | tr -d '\n'; echo '"'; } >"$0""#
        return .buildCommand(
            displayName: "Embedding \(file.lastPathComponent)", executable: URL(filePath: "/bin/sh"),
            arguments: ["-c", script, output.path, file.path, name], inputFiles: [file], outputFiles: [output])
    }

    /// Whether `name` is hidden or a backup file of an editor.
    private static func isBackup(_ name: String) -> Bool {
        name.hasPrefix(".") || name.hasPrefix("#") || backupSuffixes.contains { name.hasSuffix($0) }
    }
}
