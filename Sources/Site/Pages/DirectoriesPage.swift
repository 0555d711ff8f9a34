import Bytes
import Directories
import HTTP
import Mustache

extension RoutedRequest {
    /// `/directories`. Rendered for every request: few clients request it, and it needs no database.
    func directoriesPage() -> Reply {
        let conditions = ConditionalFields(request)
        guard directories.isLong else {
            return .now(renderer.directoriesPage(directories, conditions, route, client))
        }
        return later { [directories, route, client] in
            $0.directoriesPage(directories, conditions, route, client)
        }
    }
}

extension PageRenderer {
    fileprivate func directoriesPage(
        _ directories: DirectoryList, _ conditions: ConditionalFields, _ route: Route, _ client: ClientContext
    ) -> Response {
        body.removeAll()
        model.removeAll()
        DirectoriesPage(layout: layout, directories: directories).render(into: body)
        let coding = client.coding(bytes: body.count)
        let tag = entityTag(ofBody: coding)
        var fields = Fields()
        tag.withUnsafeBytes { fields.append("ETag", bytes: $0) }
        fields.append("Cache-Control", configuration.cacheControl(route.handler.cacheControl))
        client.appendVary(to: &fields, isShared: false)
        if let response = conditions.precondition(tag: tag).response(fields) { return response }
        fields.append("Content-Type", route.format.contentType)
        if coding == .gzip { fields.append("Content-Encoding", "gzip") }
        appendSecurityFields(route.format, isIndexed: !route.crawlers.isNoIndex, isFramed: false, to: &fields)
        return response(fields, coding, route.format)
    }

    /// A tag of the bytes themselves.
    private func entityTag(ofBody coding: ContentCoding) -> [UInt8] {
        var hash = StableHash()
        hash.combine(body.bytes)
        line.removeAll()
        line.append("\"")
        line.append(hexadecimal: hash.value)
        line.append(coding == .gzip ? "-gz\"" : "\"")
        return Array(line.bytes)
    }
}

/// The page of all directories: fills the fields of `directories.mustache`.
private struct DirectoriesPage {
    let layout: Layout
    let directories: DirectoryList

    private var model: Model { layout.model }

    func render(into body: ByteBuffer) {
        let frame = model.makeFrame(DirectoriesField.self)
        layout.setLayout(frame, DirectoriesField.layout)
        layout.setFile(frame, .pagesStyleHref, "pages.css")
        layout.setCanonical(frame, .canonicalHref) { $0.append("/directories") }
        model.set(frame, .documentTitle, "Directories")
        model.set(frame, .description, "All directories of people that are published here")
        let rows = model.makeList(frame, .directories, of: DirectoryField.self, count: directories.all.count)
        for (index, directory) in directories.all.enumerated() {
            model.set(rows[index], .title, directories.labels[index])
            set(rows[index], directory)
        }
        layout.templates.directories.render(frame, of: model, into: body)
    }

    private func set(_ row: Frame<DirectoryField>, _ directory: Directory) {
        model.write(row, .href) { buffer in
            layout.appendHome(of: directory.id == directories.shown.id ? nil : directory, to: buffer)
        }
        model.set(row, .about, directory.description)
        model.write(row, .total) { $0.append(grouped: Int64(directory.total)) }
        model.set(row, .noun, directory.total == 1 ? "person" : "people")
        // An attribution names the source already.
        if directory.terms.attribution.isEmpty { model.set(row, .source, directory.sourceLabel) }
        if let time = directory.importedAt.map({ CivilTime(secondsSince1970: Int($0)) }) {
            model.write(row, .updatedAt) { time.append(to: $0, between: "T", zone: "Z") }
            model.write(row, .updated) { time.append(to: $0, between: " ", zone: " UTC") }
        }
        layout.setTerms(row, .terms, directory.terms)
        layout.setOffers(row, .offers, directory, directories)
    }
}

extension Directory {
    /// The source of its users, in words.
    fileprivate var sourceLabel: String {
        switch source {
        case "github": "From GitHub"
        case "stackexchange": "From Stack Exchange"
        case "rickandmorty": "From the Rick and Morty API"
        case "git": "From a Git repository"
        case "file": "From a file"
        case "demo": "Made up"
        default: source
        }
    }
}

extension CivilTime {
    /// Appends the minute: `2026-11-21`, `separator`, `13:05`, `zone`.
    fileprivate func append(to buffer: ByteBuffer, between separator: StaticString, zone: StaticString) {
        appendDay(to: buffer)
        buffer.append(separator)
        for (number, separator) in [(hour, ":"), (minute, "")] as [(Int, StaticString)] {
            if number < 10 { buffer.append("0") }
            buffer.append(decimal: number)
            buffer.append(separator)
        }
        buffer.append(zone)
    }
}
