import Foundation

/// Files of other people's libraries, which `Tests/libraries` puts into the build folder.
public enum Library {
    public static func read(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: ".build/libraries/\(path)")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw Failure("there is no \(file.path): run Tests/libraries, as Tests/run does")
        }
        return text
    }
}
