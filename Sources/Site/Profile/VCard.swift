import Base
import Foundation
import People

/// A person as a vCard 4.0 (RFC 6350) with all public fields, for address books.
struct VCard: ~Escapable {
    private let person: Profile
    private let details: Details
    private let buffer: ByteBuffer

    @_lifetime(copy person)
    init(_ person: Profile, _ details: Details, into buffer: ByteBuffer) {
        self.person = person
        self.details = details
        self.buffer = buffer
    }

    func append(_ addresses: PersonAddresses) {
        add("BEGIN", "VCARD")
        add("VERSION", "4.0")
        add("KIND", "\(person.kind.names.vCard)")
        add("FN", Self.escaped(String(person.displayName)))
        addName()
        if person.showsLogin { add("NICKNAME", Self.escaped(String(person.login))) }
        add("TITLE", text(.title))
        add("ORG", [text(.organization)] + (text(.department).map { [$0] } ?? []))
        let (place, country) = (text(.location), text(.country))
        add("ADR;TYPE=\(details.worksAtPlace ? "work" : "home")", [nil, nil, nil, place, nil, nil, country])
        let skills = details.list(.skills)
        if !skills.isEmpty { add("CATEGORIES", skills.map(Self.escaped).joined(separator: ",")) }
        addLinks()
        add("NOTE", details.biography.map(Self.escaped))
        let photo = String(writing: { addresses.append(photoOf: person, to: $0) })
        if !photo.isEmpty { add("PHOTO", photo) }
        if !addresses.home.isEmpty {
            let page = String(writing: { addresses.append(pageOf: person, to: $0) })
            add("UID", page)
            add("SOURCE", page)
        }
        add("END", "VCARD")
    }

    /// The last and the first name. If the directory does not have them as fields, they are parts of the whole name:
    /// many address books sort by them and do not show a card without.
    private func addName() {
        var (last, first) = (text(.lastName), text(.firstName))
        if last == nil, first == nil, person.kind == .person {
            (last, first) = Self.parts(of: String(person.displayName), person.fields.settings.language)
        }
        add("N", [last, first, nil, nil, nil])
    }

    /// Returns the last and the first name that a whole name consists of: what stands before a comma, or else the last
    /// word is the last name, and in Chinese, Hungarian, Japanese and Korean the first word. One word is a first name.
    private static func parts(of name: String, _ language: String) -> (last: String?, first: String?) {
        let halves = name.split(separator: ",", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        if halves.count == 2 { return (escaped(halves[0]), escaped(halves[1])) }
        var words = name.split(whereSeparator: \.isWhitespace).map(String.init)
        if words.count < 2 { return (nil, escaped(name)) }
        let isLastFirst = ["zh", "hu", "ja", "ko"].contains(String(language.prefix { $0 != "-" }))
        let last = isLastFirst ? words.removeFirst() : words.removeLast()
        return (escaped(last), escaped(words.joined(separator: " ")))
    }

    /// The addresses of all public links: web pages, e-mail, telephone.
    private func addLinks() {
        for url in details.addresses {
            switch url.prefix(while: { $0 != ":" }).lowercased() {
            case "mailto": add("EMAIL", Self.escaped(Self.address(url)))
            case "tel": add("TEL;VALUE=uri", url)
            default: add("URL", url)
            }
        }
    }

    /// The address in a mailto URL (RFC 6068).
    private static func address(_ url: String) -> String {
        let address = url.dropFirst("mailto:".count).prefix { $0 != "?" }
        return address.removingPercentEncoding ?? String(address)
    }

    private func text(_ role: FieldRole) -> String? {
        details.text(role).map(Self.escaped)
    }

    /// Returns `text` with the characters escaped that separate values (RFC 6350 §3.4).
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ",", ";": escaped += "\\\(scalar)"
            case "\n": escaped += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f: break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Appends a line whose value has these parts, if any is known.
    private func add(_ name: String, _ parts: [String?]) {
        if parts.contains(where: { $0 != nil }) { add(name, parts.map { $0 ?? "" }.joined(separator: ";")) }
    }

    /// Appends a line, if it has a value, folded so that none has more than 75 octets (RFC 6350 §3.2).
    private func add(_ name: String, _ value: String?) {
        guard let value else { return }
        let line = Array("\(name):\(value)".utf8)
        var start = 0
        while true {
            // The space at the beginning of a continued line counts.
            var end = min(start + (start == 0 ? 75 : 74), line.count)
            // The octets of a character stay on one line.
            while end < line.count, end > start, line[end] & 0xC0 == 0x80 { end -= 1 }
            if start > 0 { buffer.append(" ") }
            buffer.append(line[start..<end])
            buffer.append("\r\n")
            start = end
            if start == line.count { return }
        }
    }
}

extension VCard {
    /// The parameters of a file name: the login, without characters that are special in header fields or file systems.
    /// A login beyond ASCII is in `filename*` (RFC 6266 §4.3), and `filename` is for programs that do not read that.
    static func fileName(of person: Profile) -> String {
        let login = String(person.login)
        let isPlain = { (scalar: Unicode.Scalar) in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
            default: false
            }
        }
        let plain = String(String.UnicodeScalarView(login.unicodeScalars.filter(isPlain)))
        let short = "filename=\"\(plain.isEmpty ? "contact" : plain).vcf\""
        let whole = login.unicodeScalars.filter { isPlain($0) || !$0.isASCII && $0.properties.isAlphabetic }
        if whole.allSatisfy(\.isASCII) { return short }
        let encoded = String(String.UnicodeScalarView(whole)).utf8.map { byte in
            byte < 0x80 ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
        }
        return "\(short); filename*=UTF-8''\(encoded.joined()).vcf"
    }
}
