import Foundation

/// A folder of a test's own, which is gone with the test. Suites inherit it.
open class TestFolder {
    public let folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-\(UUID().uuidString)")

    public init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: folder) }

    public func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Writes a file and returns its path.
    @discardableResult public func write(_ name: String, _ text: String) throws -> String {
        try write(name, Array(text.utf8))
    }

    @discardableResult public func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = folder.appending(path: name)
        if name.contains("/") {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        }
        try Data(bytes).write(to: file)
        return file.path
    }

    public func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    /// Returns the bytes of a database with its log.
    public func stored(in database: String) -> Data {
        [database, database + "-wal"].compactMap { FileManager.default.contents(atPath: $0) }.reduce(Data(), +)
    }

    /// The names in the folder, sorted.
    public var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }
}
