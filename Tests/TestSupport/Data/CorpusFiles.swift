import Foundation

/// A folder with the files that `Tests/Corpus/representations.txt` requests, removed with the object.
public final class CorpusFiles {
    public let path: String

    public init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rollcall-corpus-\(UUID().uuidString)")
        path = folder.path
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in [("digits.txt", "0123456789"), ("probe.txt", "probe"), ("index.html", "home")] {
            let file = folder.appending(path: name)
            try Data(text.utf8).write(to: file)
            let date = Date(timeIntervalSince1970: 784_111_777)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
