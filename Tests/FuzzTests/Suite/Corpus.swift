import Foundation

/// The inputs that are kept: those that once reached something new, and those that once broke something.
enum Corpus {
    /// The files of `target`'s folder by name, in an order that is the same everywhere.
    static func inputs(of target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let folder = URL(filePath: #filePath).appending(path: "../../Corpus/\(target.name)").standardized
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.sorted { $0.lastPathComponent < $1.lastPathComponent }.map {
            ($0.lastPathComponent, Array(try Data(contentsOf: $0)))
        }
    }
}
