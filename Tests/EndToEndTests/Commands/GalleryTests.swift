import Foundation
import TestSupport
import Testing

@Suite("The gallery", .onThreadsForPrograms)
struct GalleryTests {
    private let documentation = RollcallProcess.packageFolder.appending(path: "Documentation")

    @Test func thePageHasThePicturesThatTheScriptTakes() throws {
        let output = try run(RollcallProcess.packageFolder.appending(path: "Tests/gallery").path, ["--page"]).expect()
        let page = try String(contentsOf: documentation.appending(path: "Embedding.md"), encoding: .utf8)
        #expect(page.hasSuffix(output.output), "run Tests/gallery, look at the pictures and commit them")
        let names = page.matches(of: /src="pictures\/([a-z-]+\.webp)"/).map { String($0.1) }
        let files = try FileManager.default.contentsOfDirectory(atPath: documentation.appending(path: "pictures").path)
        #expect(!names.isEmpty && Set(files) == Set(names))
    }

    /// The repository stays small.
    @Test func thePicturesAreSmall() throws {
        let folder = documentation.appending(path: "pictures")
        let sizes = try FileManager.default.contentsOfDirectory(atPath: folder.path).map { name in
            try Data(contentsOf: folder.appending(path: name)).count
        }
        #expect(sizes.reduce(0, +) < 1_500_000)
    }
}
