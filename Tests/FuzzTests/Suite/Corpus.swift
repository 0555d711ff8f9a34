import Foundation

/// The stored inputs: those that once reached new code, and those that once broke a rule.
enum Corpus {
    /// Returns the files of `target`'s folder, sorted by name so that the order is the same everywhere.
    static func inputs(of target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let folder = URL(filePath: #filePath).appending(path: "../../Corpus/\(target.name)").standardized
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.sorted { $0.lastPathComponent < $1.lastPathComponent }.map {
            ($0.lastPathComponent, Array(try Data(contentsOf: $0)))
        }
    }
}
