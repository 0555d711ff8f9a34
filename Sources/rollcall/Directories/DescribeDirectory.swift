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

    @Option(help: "The title, for people.")
    var title: String?

    @Option(help: "A description of one or two sentences.")
    var description: String?

    @Option(help: "The licence of the data, such as CC BY-SA 4.0.")
    var licence: String?

    @Option(help: ArgumentHelp("The URL of the licence.", valueName: "url"))
    var licenceUrl: String?

    @Option(help: "The source to credit, such as Stack Overflow.")
    var attribution: String?

    @Option(help: ArgumentHelp("The URL of the source to credit.", valueName: "url"))
    var attributionUrl: String?

    @OptionGroup(title: "Looks") var looks: LookOptions
    @OptionGroup var options: DatabaseOptions

    private var changes: DirectoryDescription {
        var changes = DirectoryDescription()
        (changes.title, changes.description) = (title, description)
        (changes.licence, changes.licenceURL) = (licence, licenceUrl)
        (changes.attribution, changes.attributionURL) = (attribution, attributionUrl)
        return changes
    }

    func validate() throws {
        for (name, text) in [("--licence-url", licenceUrl), ("--attribution-url", attributionUrl)] {
            guard let text, !text.isEmpty, !(text.isWebURL && URL(string: text)?.host() != nil) else { continue }
            throw ValidationError("\(name): expected an http or https URL, found \"\(text)\"")
        }
        for (name, text) in [
            ("--title", title), ("--description", description), ("--licence", licence), ("--attribution", attribution),
        ] {
            try expectLine(text, of: name)
        }
    }

    func run() throws {
        let store = try options.open()
        let changes = changes
        if changes.isEmpty, looks.isEmpty {
            return try StandardStreams.print(
                json: DirectoryJSON.text(store, only: store.directory(named: slug.text)))
        }
        if !looks.isEmpty {
            var change = SettingsChange(try store.directory(named: slug.text), in: store)
            try looks.apply(to: &change)
            // Looks erase nothing that people have stored.
            try change.save(with: ErasureConsent(isGivenAlready: false))
        }
        if !changes.isEmpty { try store.describe(slug, as: changes) }
        print("\(slug) is described")
    }
}

/// The options for the appearance of a directory's pages, and for who may see them.
struct LookOptions: ParsableArguments {
    @Option(help: "A text at the top of the list: a blank line begins a paragraph, and URLs become links.")
    var intro: String?

    @Option(help: ArgumentHelp("An SVG without scripts, PNG or JPEG of at most 256 KiB.", valueName: "file"))
    var logo: String?

    @Option(help: ArgumentHelp("The colour of links and buttons, such as #0a7d5a.", valueName: "colour"))
    var accent: String?

    @Option(help: ArgumentHelp("The background of light pages, such as #fffdf8.", valueName: "colour"))
    var paper: String?

    @Option(help: ArgumentHelp("The radius of corners, such as .75rem, 4px or 0.", valueName: "length"))
    var radius: String?

    @Option(help: ArgumentHelp("Fonts that readers have, such as Georgia, serif.", valueName: "names"))
    var font: String?

    @Option(
        help: ArgumentHelp(
            "A link at the bottom, such as Imprint=https://example.org/imprint; repeatable; replaces earlier links.",
            valueName: "label=url"))
    var link: [String] = []

    @Flag(
        inversion: .prefixedNo,
        help: "Show the directory only on servers that were started with --private; with --no-private, on all.")
    var `private`: Bool?

    @Option(help: ArgumentHelp("The language of names and headings, such as de.", valueName: "tag"))
    var language: String?

    @Option(
        help: ArgumentHelp(
            """
            Where pictures come from: cache, link or off, as for serve. With link or off, none are fetched and those \
            that were are removed by the next `rollcall pictures`.
            """, valueName: "mode"))
    var pictures: String?

    var isEmpty: Bool {
        [intro, logo, accent, paper, radius, font, language].allSatisfy { $0 == nil } && link.isEmpty
            && `private` == nil && pictures == nil
    }

    func validate() throws {
        if let intro, !SettingsRules.isIntro.holds(intro) {
            throw ValidationError("--intro: expected \(SettingsRules.isIntro.expected)")
        }
        try expect(SettingsRules.isColour, accent, of: "--accent")
        try expect(SettingsRules.isColour, paper, of: "--paper")
        try expect(SettingsRules.isRadius, radius, of: "--radius")
        try expect(SettingsRules.isFont, font, of: "--font")
        try expect(SettingsRules.isLanguage, language, of: "--language")
        if let pictures, !pictures.isEmpty, PictureMode(rawValue: pictures) == nil {
            throw ValidationError("--pictures: expected cache, link or off, found \"\(pictures)\"")
        }
        _ = try links
    }

    private func expect(_ rule: SettingsRule, _ text: String?, of option: String) throws {
        guard let text, !text.isEmpty, !rule.holds(text) else { return }
        throw ValidationError("\(option): expected \(rule.expected), found \"\(text)\"")
    }

    /// The links; empty if the only text is empty.
    private var links: [SettingsLink] {
        get throws {
            let texts = link == [""] ? [] : link
            guard texts.count <= SettingsLimits.links else {
                throw ValidationError("--link: expected at most \(SettingsLimits.links), found \(texts.count)")
            }
            return try texts.map { text in
                let parts = text.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
                guard parts.count == 2, (1...SettingsLimits.labelCharacters).contains(parts[0].count) else {
                    throw ValidationError("--link: expected LABEL=URL, found \"\(text)\"")
                }
                try expectLine(parts[0], of: "--link")
                try expect(SettingsRules.isLink, parts[1], of: "--link")
                return SettingsLink(label: parts[0], url: parts[1])
            }
        }
    }

    fileprivate func apply(to change: inout SettingsChange) throws {
        var edits = SettingsEdits()
        /// Sets a member, or removes it if an option has an empty text.
        func set<Value>(_ member: String, _ path: WritableKeyPath<Settings, Value?>, _ value: Value?, if isGiven: Bool)
        {
            edits.set[keyPath: path] = value
            if isGiven, value == nil { edits.unset.insert(member) }
        }
        let texts: [(String, WritableKeyPath<Settings, String?>, String?)] = [
            ("intro", \.intro, intro), ("accent", \.accent, accent), ("paper", \.paper, paper),
            ("radius", \.radius, radius), ("font", \.font, font), ("language", \.language, language),
        ]
        for (member, path, text) in texts { set(member, path, text == "" ? nil : text, if: text != nil) }
        set("links", \.links, try links.isEmpty ? nil : links, if: !link.isEmpty)
        set("private", \.isPrivate, `private` == true ? true : nil, if: `private` != nil)
        set("pictures", \.pictures, pictures.flatMap { PictureMode(rawValue: $0) }, if: pictures != nil)
        try change.apply(edits)
        if let logo { change.set(logo.isEmpty ? nil : try LogoFile.logo(at: logo)) }
    }
}
