import Base
import Foundation
import People
import Server
import Template

extension RoutedRequest {
    /// `/directories`. Rendered for every request: few clients request it, and it says how long ago imports were.
    func directoriesPage() throws -> Reply {
        let language = LanguageChoice(try Parameters(query).choice(.lang), directories.shown, client)
        let request = RequestCopy(request)
        return later { [directories, route, client] renderer in
            let (layout, body) = (renderer.layout(language), renderer.body)
            body.removeAll()
            layout.model.removeAll()
            layout.renderDirectories(directories, now: Int64(time(nil)), into: body) { directory in
                try? renderer.reader.faces(of: directory, count: Layout.facesOfDirectory)
            }
            return request.withRequest { request in
                renderer.response(to: request, route, client, language) { fields in
                    renderer.appendSecurityFields(route.format, [], of: directories.all, to: &fields)
                }
            }
        }
    }
}

/// The page of all directories: fills the fields of `directories.mustache`.
extension Layout {
    fileprivate static let facesOfDirectory = 5
    /// Each directory with faces costs a read.
    private static let maxDirectoriesWithFaces = 60

    /// - Parameters:
    ///   - now: in seconds since 1970.
    ///   - readFaces: returns the first people of a directory, or `nil` if they cannot be read.
    fileprivate func renderDirectories(
        _ directories: DirectoryList, now: Int64, into body: ByteBuffer, readFaces: (Directory) -> UserRows?
    ) {
        let template = templates.directories
        let document = makeDocument(for: template, about: directories.linked(directories.shown))
        model.set(document, .pageDirectory, "")
        setCanonical(document) { $0.append("/directories") }
        model.set(document, .documentTitle, language.text(.directories))
        model.set(document, .description, language.text(.allDirectoriesDescription))
        setOffers(document, .offers, directories.shown, directories)
        let frame = model.makeFrame(DirectoriesField.self, for: template)
        model.set(frame, .hasOffers, flag: configuration.isEmbeddable || configuration.allowsExports)
        if directories.all.count > 1 {
            let total = directories.all.reduce(0) { $0 + $1.total }
            let text = language.text(
                .peopleInDirectories, ["total": .number(total), "count": .number(directories.all.count)])
            model.set(frame, .lead, text)
        }
        let rows = model.makeList(frame, .directories, of: DirectoryField.self, count: directories.all.count)
        for (index, (row, directory)) in zip(rows, directories.all).enumerated() {
            model.set(row, .title, directories.labels[index])
            set(row, directory, directories, now: now)
            if index < Self.maxDirectoriesWithFaces, let users = readFaces(directory) {
                setFaces(row, .faces, users, of: directory, directory.settings.makeReader())
            }
        }
        template.render(frame, within: document, of: model, into: body)
    }

    private func set(_ row: Frame<DirectoryField>, _ directory: Directory, _ directories: DirectoryList, now: Int64) {
        model.write(row, .href) { appendHome(of: directories.linked(directory), to: $0) }
        model.set(row, .about, directory.description)
        model.set(row, .total, number: directory.total, language)
        // An attribution names the source already.
        if directory.terms.attribution.isEmpty { model.set(row, .source, directory.sourceLabel(language)) }
        if let time = directory.importedAt.map({ CivilTime(secondsSince1970: Int($0)) }) {
            model.write(row, .updatedAt) { time.append(to: $0, between: "T", zone: "Z") }
            model.write(row, .updated) { time.append(to: $0, between: " ", zone: " UTC") }
            model.set(row, .age, time.age(at: now, language))
        }
        setTerms(row, .terms, directory.terms)
        setOffers(row, .offers, directory, directories, isCard: true)
    }
}

/// `directories.mustache`.
enum DirectoriesField: Int, TemplateField {
    case directories
    /// The number of people and of directories, for people; empty for less than two directories.
    case lead
    /// Whether directories have links to embed and to export them.
    case hasOffers

    static let kinds = FieldKinds<Self>(flags: [.hasOffers], lists: [.directories: DirectoryField.self])
}

/// A directory in the list of all.
enum DirectoryField: Int, TemplateField {
    case href, title, about
    /// The first people: a list; empty if they cannot be read.
    case faces
    /// The number of users for people.
    case total
    /// The source of its users: `From a file`, …; empty if the terms name it.
    case source
    /// The time of the last import, for programs and, exact and in words, for people; empty if it is not known.
    case updatedAt, updated, age
    case terms, offers

    static let kinds = FieldKinds<Self>(
        numbers: [.total], urls: [.href],
        lists: [.faces: FaceField.self, .terms: TermField.self, .offers: LinkField.self])
}

extension Directory {
    /// The source of its users, in words.
    fileprivate func sourceLabel(_ language: Language) -> String {
        Self.sourceLabels[source].map { language.text($0) } ?? source
    }

    private static let sourceLabels: [String: MessageKey] = [
        "github": .fromGitHub, "stackexchange": .fromStackExchange, "rickandmorty": .fromRickAndMorty,
        "git": .fromGit, "file": .fromFile, "demo": .madeUp,
    ]
}

extension CivilTime {
    /// The time in words, as people say it: `3 minutes ago`, and a date after a week.
    func age(at now: Int64, _ language: Language) -> String {
        let seconds = Int(now) - secondsSince1970
        func text(_ key: MessageKey, _ count: Int) -> String { language.text(key, ["count": .number(count)]) }
        switch seconds {
        case ..<120: return language.text(.justNow)
        case ..<3600: return text(.minutesAgo, seconds / 60)
        case ..<86_400: return text(.hoursAgo, seconds / 3600)
        case ..<172_800: return language.text(.yesterday)
        case ..<604_800: return text(.daysAgo, seconds / 86_400)
        default: return language.days.text(self)
        }
    }

    /// Appends the minute: `2026-11-21`, `separator`, `13:05`, `zone`.
    fileprivate func append(to buffer: ByteBuffer, between separator: StaticString, zone: StaticString) {
        appendDay(to: buffer)
        buffer.append(separator)
        buffer.append(twoDigits: hour)
        buffer.append(":")
        buffer.append(twoDigits: minute)
        buffer.append(zone)
    }
}
