import Base
import Foundation
import Server
import TestSupport
import Testing

@testable import Template

@Suite("Assets")
final class AssetsTests: TestFolder {
    @Test func publicFilesAndTemplatesAreBuiltIn() throws {
        let assets = Assets.builtIn
        #expect(assets.publicFiles["style.css"] != nil && assets.publicFiles["favicon.ico"] != nil)
        #expect(assets.publicFiles.values.allSatisfy { $0.modified > 1_700_000_000 })
        #expect(assets.template("page") != nil && assets.template("_head") != nil)
        #expect(assets.template("nope") == nil)
    }

    /// A new file needs no other edit: the plugin `EmbedFiles` finds it.
    @Test func exactlyTheFilesOfTheSourceAreBuiltIn() throws {
        #expect(try Assets.builtIn.publicFiles.keys.sorted() == Self.source("Public").keys.sorted())
        let templates = Assets.builtIn.templateNames.map { "\($0).mustache" }.sorted()
        #expect(try templates == Self.source("Templates").keys.sorted())
        for (name, bytes) in try Self.source("Public") {
            let expected =
                name.hasSuffix(".js") ? Self.script(bytes) : name.hasSuffix(".css") ? Self.style(bytes) : bytes
            #expect(Assets.builtIn.publicFiles[name]?.bytes == expected, "\(name)")
        }
        for (name, bytes) in try Self.source("Templates") {
            #expect(Assets.builtIn.template(String(name.dropLast(".mustache".count))) == bytes, "\(name)")
        }
    }

    /// Returns the files of a folder of the source by name, without hidden files and the backup files of editors.
    private static func source(_ folder: String) throws -> [String: [UInt8]] {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../\(folder)").path
        let isBackup = { (name: String) in
            name.hasPrefix(".") || name.hasPrefix("#")
                || ["~", ".bak", ".orig", ".rej", ".swp", ".tmp"].contains { name.hasSuffix($0) }
        }
        return try FileManager.default.contentsOfDirectory(atPath: path).filter { !isBackup($0) }
            .reduce(into: [:]) { $0[$1] = FileManager.default.contents(atPath: "\(path)/\($1)").map([UInt8].init) }
    }

    /// Scripts and styles are served without the lines that are comments, without indentation and most ends of lines.
    private static func script(_ bytes: [UInt8]) -> [UInt8] {
        let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("//") && !($0.hasPrefix("/*") && $0.hasSuffix("*/")) }
        return Array(lines.map { ";{},".contains($0.suffix(1)) ? $0 : $0 + "\n" }.joined().utf8)
    }

    /// Styles also without the spaces and semicolons that CSS does not need, except in strings.
    private static func style(_ bytes: [UInt8]) -> [UInt8] {
        let text = String(decoding: script(bytes), as: UTF8.self)
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        let shortened = parts.enumerated().map { index, part in
            if index % 2 == 1 { return String(part) }
            let text = String(part).replacing(#/([:,;{}>]) /#) { "\($0.1)" }
            return text.replacing(#/ ([{}>])/#) { "\($0.1)" }.replacing(";}", with: "}")
        }
        return Array(shortened.joined(separator: "\"").utf8)
    }

    @Test func stringsInStylesStayAsTheyAre() {
        let style = "a > b, c :is(d, e) {\n  content: \"; } \"; --x: 'a, b';\n}\n@media (width: 1px) { a { b: c; } }\n"
        #expect(
            String(decoding: condensed(style: Array(style.utf8)), as: UTF8.self)
                == "a>b,c :is(d,e){content:\"; } \";--x:'a, b'}@media (width:1px){a{b:c}}")
    }

    /// The scripts and sheets, and their limits in bytes after compression.
    @Test(arguments: [
        ("embed.js", 4_608), ("embed-more.js", 4_608), ("embed.css", 3_072), ("fragment.css", 2_560),
        ("frames.js", 512), ("sentinel.js", 2_048),
    ])
    func filesAreSmall(_ name: String, _ limit: Int) throws {
        let file = try #require(Assets.builtIn.publicFiles[name])
        #expect(Gzip.compressed(file.bytes, level: 9).count <= limit)
    }

    /// Else the sheet would change other parts of the page that links it.
    @Test func everySelectorOfTheSheetForOtherSitesBeginsWithItsClass() throws {
        let file = try #require(Assets.builtIn.publicFiles["fragment.css"])
        let style = String(decoding: file.bytes, as: UTF8.self).replacing(/@media[^{]*\{(.*?)\}\}/) { "\($0.1)}" }
        for rule in style.split(separator: "}") {
            let selectors = rule.prefix { $0 != "{" }.trimmingCharacters(in: .whitespacesAndNewlines)
            for selector in selectors.replacing(/\([^)]*\)/, with: "").split(separator: ",") {
                #expect(selector.hasPrefix(".rollcall"), "\(selector)")
            }
        }
    }

    /// The assumption behind removing lines and indentation.
    @Test func noStringOfAScriptSpansLines() throws {
        for (name, file) in Assets.builtIn.publicFiles where name.hasSuffix(".js") {
            for line in file.bytes.split(separator: UInt8(ascii: "\n")) {
                #expect(
                    line.count { $0 == UInt8(ascii: "`") } % 2 == 0, "\(name): \(String(decoding: line, as: UTF8.self))"
                )
            }
        }
    }

    @Test func filesInTheFolderOverrideBuiltInFiles() throws {
        try write("style.css", "mine")
        try write("images/deep/logo.png", "logo")
        let assets = try Assets(publicFolder: folder.path, templatesFolder: nil)
        #expect(assets.publicFiles["style.css"]?.bytes == Array("mine".utf8))
        #expect(assets.publicFiles["images/deep/logo.png"]?.bytes == Array("logo".utf8))
        #expect(assets.publicFiles["sentinel.js"] == Assets.builtIn.publicFiles["sentinel.js"])
        #expect(assets.publicFiles.count == Assets.builtIn.publicFiles.count + 1)
    }

    @Test func aFileHasItsModificationDate() throws {
        try write("style.css", "mine")
        let date = Date(timeIntervalSince1970: 1_600_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(folder.path)/style.css")
        let assets = try Assets(publicFolder: folder.path, templatesFolder: nil)
        #expect(assets.publicFiles["style.css"]?.modified == 1_600_000_000)
    }

    @Test func hiddenFilesAreNotServed() throws {
        try write(".htpasswd", "secret")
        try write(".git/config", "secret")
        try write("a/.env", "secret")
        #expect(try added() == [])
    }

    @Test func linksOutOfTheFolderAreNotFollowed() throws {
        let outside = try TestFolder()
        try write("real/a.txt", "a")
        try link("out.txt", to: outside.write("secret.txt", "secret"))
        try link("out", to: outside.folder.path)
        try link("dangling", to: outside.path("nothing"))
        try link("inside.txt", to: "real/a.txt")
        try link("real/loop", to: "..")
        #expect(try added() == ["inside.txt", "real/a.txt"])
    }

    /// Whatever takes the place of a file, or of a folder above it, after the folder was listed.
    @Test(arguments: ["real/a.txt", "real"], ["link", "pipe", "nothing"])
    func aFileThatIsReplacedIsNotRead(_ path: String, by intruder: String) throws {
        let outside = try TestFolder()
        try write("real/a.txt", "a")
        try outside.write("a.txt", "secret")
        let listed = try Folder(folder.path)
        let files = try listed.files()
        #expect(files.map(\.name) == ["real/a.txt"])
        let file = try #require(files.first)
        #expect(try listed.read(file).bytes == Array("a".utf8))
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(path)")
        switch intruder {
        case "link": try link(path, to: path == "real" ? outside.folder.path : outside.path("a.txt"))
        case "pipe": #expect(mkfifo("\(folder.path)/\(path)", 0o600) == 0)
        default: break
        }
        let error = #expect(throws: RollcallError.self) { try listed.read(file) }
        #expect(error?.description.hasPrefix("cannot read file \(folder.path)/real/a.txt: ") == true)
        if intruder != "nothing" { #expect(error?.description.hasSuffix("it was replaced while it was read") == true) }
    }

    @Test func aLinkToTheFolderItselfIsFollowed() throws {
        try write("real/a.txt", "a")
        try link("current", to: "real")
        let assets = try Assets(publicFolder: folder.path + "/current/", templatesFolder: nil)
        #expect(assets.publicFiles["a.txt"] != nil)
    }

    @Test func onlyRegularFilesAreRead() throws {
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        #expect(try added() == [])
    }

    @Test func aTemplateIsReplacedByItsName() throws {
        try write("page.mustache", "mine")
        try write("_banner.mustache", "a partial of my own")
        let assets = try Assets(publicFolder: nil, templatesFolder: folder.path)
        #expect(assets.template("page") == Array("mine".utf8))
        #expect(assets.template("_banner") == Array("a partial of my own".utf8))
        #expect(assets.template("_head") == Assets.builtIn.template("_head"))
        #expect(assets.warnings.isEmpty)
    }

    @Test func anUnusedTemplateIsIgnoredWithAWarning() throws {
        try write("pgae.mustache", "a slip")
        try write("README.md", "not a template at all")
        let assets = try Assets(publicFolder: nil, templatesFolder: folder.path)
        #expect(assets.template("pgae") == nil)
        #expect(assets.warnings.count == 1)
        let said = "\(folder.path)/pgae.mustache is ignored: templates are called directories, embed, error, "
        #expect(assets.warnings[0].hasPrefix(said) && assets.warnings[0].hasSuffix(", partials begin with _"))
    }

    @Test func aMissingFolderIsAnError() {
        #expect(throws: RollcallError.self) { try Assets(publicFolder: folder.path + "/none", templatesFolder: nil) }
        let said = message { _ = try Assets(publicFolder: nil, templatesFolder: folder.path + "/none") }
        #expect(said == "cannot read folder \(folder.path)/none: No such file or directory")
    }

    @Test func aFileInsteadOfAFolderIsAnError() throws {
        try write("file", "")
        let said = message { _ = try Assets(publicFolder: folder.path + "/file", templatesFolder: nil) }
        #expect(said == "cannot read folder \(folder.path)/file: it is a file")
    }

    @Test func aFutureModificationDateIsNotSent() throws {
        try write("a.txt", "x")
        let future = Date(timeIntervalSinceNow: 86_400)
        try FileManager.default.setAttributes([.modificationDate: future], ofItemAtPath: "\(folder.path)/a.txt")
        let client = try SiteClient(assets: Assets(publicFolder: folder.path, templatesFolder: nil))
        let text = try #require(client.get("/a.txt").fields["Last-Modified"])
        let date = try #require(Array(text.utf8).withUnsafeBytes { HTTPDate($0) })
        #expect(date.secondsSince1970 <= Int(Date().timeIntervalSince1970))
    }

    /// A file with a hash in its name is requested once: fields that help a second request are not sent.
    @Test func aNameWithAHashNeedsNoFieldsForRevalidation() throws {
        let client = try SiteClient()
        let page = client.get("/").text
        let path = try #require(page.firstMatch(of: /href="(\/style\.[0-9a-f]+\.css)"/)).1
        let fields = client.get(String(path), "Accept-Encoding: gzip").fields
        #expect(fields["Cache-Control"] == "public, max-age=31536000, immutable")
        let plain = client.get("/style.css").fields
        #expect(plain["Cache-Control"] == "no-cache")
        for name in ["ETag", "Last-Modified", "Access-Control-Allow-Origin", "Accept-Ranges"] {
            #expect(fields[name] == nil && plain[name] != nil, "\(name)")
        }
        #expect(client.get("/style.0000000000000000.css").status == .notFound)
    }

    /// Returns what `folder` adds to the built-in files.
    private func added() throws -> [String] {
        let names = try Assets(publicFolder: folder.path, templatesFolder: nil).publicFiles.keys
        return names.filter { Assets.builtIn.publicFiles[$0] == nil }.sorted()
    }

    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/\(path)", withDestinationPath: target)
    }
}
