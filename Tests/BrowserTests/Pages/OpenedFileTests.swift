import Foundation
import TestSupport
import Testing

extension BrowserTests {
    /// Pages of `rollcall FILE`, which load again when the file is saved.
    @Suite("Pages of an opened file")
    final class OpenedFileTests: TestFolder {
        @Test(arguments: ["/", "/users/ann-lee"])
        func whoIsTypingGoesOnAfterASave(_ path: String) throws {
            let file = try write("list.csv", "Name,Room\nAnn Lee,1\nBo Ek,2\n")
            let program = try Program(RollcallProcess.executable(), [file, "--port", "0", "--no-browser"])
            let site = try program.line(with: "Rollcall is at ").dropFirst("Rollcall is at ".count)
            _ = try program.line(with: "watching ")
            let browser = try Browser.open()
            try browser.open(site + path)
            try browser.run("window.isOld = true; $('[name=q]').select()")
            try browser.type("bo")
            try write("list.csv", "Name,Room\nAnn Lee,1\nBo Ek,3\n")
            try browser.wait(until: "!window.isOld && document.readyState == 'complete'")
            try browser.type(" e", until: "$('[name=q]').value == 'bo e'")
            program.stop(SIGINT)
        }
    }
}
