import Foundation

/// A folder with the files that `Tests/Corpus/representations.txt` requests.
public final class CorpusFiles: TestFolder {
    public override init() throws {
        try super.init()
        for (name, text) in [("digits.txt", "0123456789"), ("probe.txt", "probe"), ("index.html", "home")] {
            let date = Date(timeIntervalSince1970: 784_111_777)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: write(name, text))
        }
    }
}
