import Base
import Foundation
import People
import Publishing

extension StoredPerson {
    /// Everything that is stored of the person in one directory, a line each, for people.
    var text: String {
        let title = directory.title == directory.slug.text ? "" : " (\(directory.title))"
        let lines = facts + record.map { ($0.name, $0.text + ($0.isRestricted ? " (private)" : "")) }
        let rows = aligned(lines.map { name, value in ["  " + name, value] }, gap: 2)
        return (["\(directory.slug)\(title.printable)"] + rows).map { $0 + "\n" }.joined()
    }

    private var facts: [(String, String)] {
        let made = { (name: GeneratedNames) in user?.generated.contains(name) == true ? ", made by Rollcall" : "" }
        let facts: [(String, String?)] = [
            ("page", user.map { directory.slug.address(of: $0.login) }),
            ("handle", user.map { $0.login + made(.login) }),
            ("former handles", formerHandles.isEmpty ? nil : formerHandles.joined(separator: ", ")),
            ("id", "\(id)\(made(.id))"), ("known by", knownBy), ("shown", shown),
            ("first import", user.map { _ in addedAt?.isoTime ?? "unknown" }),
            ("last import", user.map { _ in "\(changedAt?.isoTime ?? "unknown"), the last to change anything" }),
            ("picture", pictureText),
        ]
        return facts.compactMap { name, value in value.map { (name, $0) } }
    }

    private var knownBy: String {
        switch identity {
        case .source: "the id or the login of the source"
        case .key: "a hash of the key"
        case .name: "a hash of the name"
        }
    }

    private var shown: String {
        if user == nil { return "no: has left the directory; the handles are kept for a return" }
        if isHiddenBySource { return "no: the source hides the person" }
        return sites.mark.map { "only by serve --private: the directory is \($0)" } ?? "yes"
    }

    fileprivate var isHiddenBySource: Bool { flags.contains(.hidden) }

    fileprivate var sites: ShownSettings.Sites { directory.settings.shown.looks.sites }

    private var pictureText: String? {
        let saved = { (stored: StoredPerson.Picture.Stored) in
            guard let time = stored.savedAt, let bytes = stored.bytes else { return "lost" }
            return "saved \(time.isoTime), \(grouped(Int(bytes))) bytes"
        }
        switch picture {
        case nil: return nil
        case .objection: return "none: the person objects to one"
        case .own(let stored): return "a photo of your own, \(saved(stored))"
        case .fetched(let stored, let address, let askedAt):
            return "fetched from \(address), \(saved(stored))" + (askedAt.map { ", last asked \($0.isoTime)" } ?? "")
        }
    }

    /// The values of the person's record, under their names in the source.
    fileprivate var record: [(name: String, text: String, json: String, isRestricted: Bool)] {
        guard let user else { return [] }
        let hidden = directory.settings.hidden
        var values: [(name: String, text: String, json: String, isRestricted: Bool)] = []
        for role in [FieldRole.name, .photo] {
            guard let text = user.columns.text(of: role) ?? nil else { continue }
            values.append((role.column, text, JSONLine.string(text), hidden.roles.contains(role)))
        }
        // A damaged record ends where the damage begins.
        let more = user.more ?? "{}"
        more.withUTF8Bytes { more in
            try? JSON.forEachMember(of: more) { key, value in
                let (name, json, text) = (key.text, String(value.raw), value.string?.text)
                values.append((name, text ?? json, text.map(JSONLine.string) ?? json, hidden.has(column: name)))
            }
        }
        return values
    }
}

extension Slug {
    /// The address of a person's page in this directory: complete if the environment has the public URL.
    func address(of handle: String) -> String {
        let buffer = ByteBuffer()
        buffer.append(percentEncoding: handle)
        return "\(Environment.publicURL)/users/\(String(buffer))?directory=\(self)"
    }
}

extension [StoredPerson] {
    /// The same for programs: an array with an object for each directory that has the person.
    var json: String { "[" + map { "\n" + Self.object($0) }.joined(separator: ",") + "\n]\n" }

    private static func object(_ person: StoredPerson) -> String {
        let (directory, user, record) = (person.directory, person.user, person.record)
        var members: [(String, String)] = [
            ("directory", JSONLine.string(directory.slug.text)), ("title", JSONLine.string(directory.title)),
            ("handle", JSONLine.string(user?.login)), ("formerHandles", JSONLine.array(person.formerHandles)),
            ("id", "\(person.id)"),
        ]
        let generated = [(GeneratedNames.id, "id"), (.login, "login")].filter { user?.generated.contains($0.0) == true }
        members += [
            ("generated", JSONLine.array(generated.map(\.1))), ("knownBy", JSONLine.string(person.identity.rawValue)),
            ("isHidden", "\(person.isHiddenBySource)"), ("isPrivate", "\(person.sites == .private)"),
            ("firstImport", JSONLine.string(person.addedAt?.isoTime)),
            ("lastImport", JSONLine.string(person.changedAt?.isoTime)),
            ("picture", person.picture.map(object) ?? "null"),
            ("record", object(record.map { ($0.name, $0.json) })),
            ("private", JSONLine.array(record.filter(\.isRestricted).map(\.name))),
        ]
        return object(members)
    }

    private static func object(_ picture: StoredPerson.Picture) -> String {
        let saved = { (stored: StoredPerson.Picture.Stored) in
            [("savedAt", JSONLine.string(stored.savedAt?.isoTime)), ("bytes", stored.bytes.map { "\($0)" } ?? "null")]
        }
        return switch picture {
        case .objection: object([("origin", JSONLine.string("objection"))])
        case .own(let stored): object([("origin", JSONLine.string("own"))] + saved(stored))
        case .fetched(let stored, let address, let askedAt):
            object(
                [
                    ("origin", JSONLine.string("fetched")), ("address", JSONLine.string(address)),
                    ("askedAt", JSONLine.string(askedAt?.isoTime)),
                ] + saved(stored))
        }
    }

    private static func object(_ members: [(String, String)]) -> String {
        "{" + members.map { "\(JSONLine.string($0)):\($1)" }.joined(separator: ",") + "}"
    }
}

extension Int64 {
    /// This time, in seconds since 1970, as ISO 8601 writes it.
    var isoTime: String { Date(timeIntervalSince1970: TimeInterval(self)).ISO8601Format() }
}
