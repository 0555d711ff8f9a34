import ArgumentParser
import Base
import Foundation
import People
import Publishing

struct DescribeDirectory: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "describe", abstract: "Set the title, appearance and terms of a directory, or show them.",
        discussion: """
            Pages show the title, the logo and the introduction at the top, and links, licence and attribution at the \
            bottom. Empty text removes a value. \
            Imports from services set the licence and attribution of their service, unless any of the last four values \
            was set here.
            """)

    @Argument(help: "The directory's slug.", transform: Slug.read)
    var slug: Slug

    @OptionGroup var named: TitleOption

    @Option(help: "A description of one or two sentences.")
    var description: String?

    @Option(help: "The licence of the data, such as CC BY-SA 4.0.")
    var licence: String?

    @Option(value: "url", help: "The URL of the licence.")
    var licenceUrl: String?

    @Option(help: "The source to credit, such as Stack Overflow.")
    var attribution: String?

    @Option(value: "url", help: "The URL of the source to credit.")
    var attributionUrl: String?

    @OptionGroup(title: "Looks") var looks: LookOptions
    @OptionGroup var options: DatabaseOptions

    private var changes: DirectoryDescription {
        var changes = DirectoryDescription()
        (changes.title, changes.description) = (named.title, description)
        (changes.licence, changes.licenceURL) = (licence, licenceUrl)
        (changes.attribution, changes.attributionURL) = (attribution, attributionUrl)
        return changes
    }

    func validate() throws {
        for (name, text) in [("--licence-url", licenceUrl ?? ""), ("--attribution-url", attributionUrl ?? "")] {
            try expect(
                text.isEmpty || text.isWebURL && URL(string: text)?.host() != nil,
                "\(name): expected an http or https URL, found \"\(text)\"")
        }
        for (name, text) in [("--description", description), ("--licence", licence), ("--attribution", attribution)] {
            try expectLine(text, of: name)
        }
    }

    func run() throws {
        let store = try options.open()
        let changes = changes
        if try changes.isEmpty && looks.isEmpty {
            return try StandardStreams.print(json: store.json(of: [store.directory(named: slug)]))
        }
        if try !looks.isEmpty {
            var change = SettingsChange(try store.directory(named: slug), in: store)
            try looks.apply(to: &change)
            // Looks erase nothing that people have stored.
            try change.save(with: Consent(isGivenAlready: false))
        }
        if !changes.isEmpty { try store.describe(slug, as: changes) }
        print("\(slug) is described")
    }
}

/// The options for the appearance of a directory's pages, and for who may see them.
struct LookOptions: ParsableArguments {
    @Option(help: "A text at the top of the list: a blank line begins a paragraph, and URLs become links.")
    var intro: String?

    @Option(value: "file", help: "An SVG without scripts, PNG or JPEG of at most 256 KiB.")
    var logo: String?

    @Option(value: "colour", help: "The colour of links and buttons, such as #0a7d5a.")
    var accent: String?

    @Option(value: "colour", help: "The background of light pages, such as #fffdf8.")
    var paper: String?

    @Option(value: "length", help: "The radius of corners, such as .75rem, 4px or 0.")
    var radius: String?

    @Option(value: "names", help: "Fonts that readers have, such as Georgia, serif.")
    var font: String?

    @Option(
        value: "label=url",
        help: "A link at the bottom, such as Imprint=https://example.org/imprint; repeatable; replaces earlier links.")
    var link: [String] = []

    @Flag(
        inversion: .prefixedNo,
        help: "Show the directory only on servers that were started with --private; with --no-private, on all.")
    var `private`: Bool?

    @OptionGroup var spoken: LanguageOption

    @Option(
        value: "mode",
        help: """
            Where pictures come from: cache, link or off, as for serve. With link or off, none are fetched and those \
            that were are removed by the next `rollcall pictures`.
            """)
    var pictures: String?

    var isEmpty: Bool { get throws { try members.isEmpty && logo == nil } }

    func validate() throws { _ = try changes }

    /// The members of settings that the options change, in JSON. An empty text removes one.
    private var members: [String: String] {
        get throws {
            let texts = [
                "intro": intro, "accent": accent, "paper": paper, "radius": radius, "font": font,
                "language": spoken.language, "pictures": pictures,
            ]
            var members = texts.compactMapValues { $0.map { $0.isEmpty ? "null" : JSONLine.string($0) } }
            members["private"] = `private`.map { $0 ? "true" : "null" }
            if link == [""] {
                members["links"] = "null"
            } else if !link.isEmpty {
                members["links"] = "[\(try link.map(Self.link).joined(separator: ","))]"
            }
            return members
        }
    }

    private static func link(_ text: String) throws -> String {
        let (label, url) = try nameAndText(text, of: "--link", as: "LABEL=URL")
        return "{\"label\":\(JSONLine.string(label.trimmed)),\"url\":\(JSONLine.string(url.trimmed))}"
    }

    private var changes: SettingsFile {
        get throws {
            do { return try SettingsFile(members: members) } catch let error as RollcallError {
                let message = "\(error)".replacing(/^links[^:]*/, with: "link")
                throw ValidationError("--\(message)")
            }
        }
    }

    fileprivate func apply(to change: inout SettingsChange) throws {
        try change.apply(changes, replaces: false)
        if let logo { change.set(logo.isEmpty ? nil : try Logo.read(at: logo)) }
    }
}
