import Bytes
import Directories
import HTTP
import Mustache

/// The page of all directories, and what other pages say of one at their end.
extension PageRenderer {
    /// Made anew for each request: few ask for it, and what it shows are a few values in memory.
    func directoriesPage(
        _ directories: DirectoryList, _ conditions: ConditionalFields, _ route: Route, _ client: ClientContext
    ) -> Response {
        body.removeAll()
        model.removeAll()
        render(directories)
        let coding = client.coding(bytes: body.count)
        let tag = entityTag(ofBody: coding)
        var fields = Fields()
        tag.withUnsafeBytes { fields.append("ETag", bytes: $0) }
        fields.append("Cache-Control", route.handler.cacheControl)
        client.appendVary(to: &fields, isShared: false)
        if let response = conditions.precondition(tag: tag).response(fields) { return response }
        fields.append("Content-Type", ResponseFormat.page.contentType)
        if coding == .gzip { fields.append("Content-Encoding", "gzip") }
        appendSafetyFields(.page, isIndexed: !route.crawlers.isNoIndex, isFramed: false, to: &fields)
        return response(fields, coding, .page)
    }

    private func render(_ directories: DirectoryList) {
        let frame = model.makeFrame(DirectoriesField.self)
        setLayout(frame, DirectoriesField.chrome)
        setFile(frame, .pagesStyleHref, "pages.css")
        setCanonical(frame, .canonicalHref) { $0.append("/directories") }
        model.set(frame, .documentTitle, "Directories")
        model.set(frame, .description, "All directories of people that are published here")
        let rows = model.makeList(frame, .directories, of: DirectoryField.self, count: directories.all.count)
        for (index, directory) in directories.all.enumerated() {
            model.set(rows[index], .title, directories.labels[index])
            set(rows[index], directory, of: directories)
        }
        site.templates.directories.render(frame, of: model, into: body)
    }

    private func set(_ row: Frame<DirectoryField>, _ directory: Directory, of directories: DirectoryList) {
        model.write(row, .href) { buffer in
            appendHome(of: directory.id == directories.shown.id ? nil : directory, to: buffer)
        }
        model.set(row, .about, directory.description)
        model.write(row, .total) { $0.append(grouped: Int64(directory.total)) }
        model.set(row, .noun, directory.total == 1 ? "person" : "people")
        // Who says whom people are owed to has said where they are from.
        if directory.terms.attribution.isEmpty { model.set(row, .source, directory.sourceLabel) }
        if let time = directory.importedAt.map({ CivilTime(HTTPDate(secondsSince1970: Int($0))) }) {
            model.write(row, .updatedAt) { time.append(to: $0, between: "T", zone: "Z") }
            model.write(row, .updated) { time.append(to: $0, between: " ", zone: " UTC") }
        }
        setTerms(row, .terms, directory.terms)
        setOffers(row, .offers, directory, directories)
    }

    /// What every page of a directory says at its end. `directory` is the one in question.
    func setFoot<F: Field>(
        _ frame: Frame<F>, _ directoriesHref: F, _ terms: F, _ directory: Directory, _ directories: DirectoryList
    ) {
        if directories.all.count > 1 {
            model.write(frame, directoriesHref) { buffer in
                buffer.append(utf8: configuration.basePath)
                buffer.append("/directories")
            }
        }
        setTerms(frame, terms, directory.terms)
    }

    /// How to take the people of a directory along. The first visit's bytes are counted, so its page has the short form.
    func setOffers<F: Field>(
        _ frame: Frame<F>, _ field: F, _ directory: Directory, _ directories: DirectoryList, isShort: Bool = false
    ) {
        let long: [(path: StaticString, label: String)] = [
            ("/embed", "Embed these people"), ("/export.ndjson", "All as NDJSON"), ("/export.csv", "All as CSV"),
        ]
        let offers = isShort ? [("/embed", "Embed or export")] : long
        let rows = model.makeList(frame, field, of: OfferField.self, count: offers.count)
        for (row, offer) in zip(rows, offers) {
            model.set(row, .label, offer.label)
            model.write(row, .href) { buffer in
                buffer.append(utf8: configuration.basePath)
                buffer.append(offer.path)
                var query = QueryWriter(buffer)
                if directory.id != directories.shown.id { query.add("directory", directory.slug.text) }
            }
        }
    }

    private func setTerms<F: Field>(_ frame: Frame<F>, _ field: F, _ terms: Terms) {
        // A URL alone stands for itself.
        let all = [
            ("From", terms.attribution, terms.attributionURL), ("Licence:", terms.licence, terms.licenceURL),
        ].filter { !$0.1.isEmpty || !$0.2.isEmpty }
        if all.isEmpty { return }
        let rows = model.makeList(frame, field, of: TermField.self, count: all.count)
        for (row, (label, text, url)) in zip(rows, all) {
            model.set(row, .label, label)
            model.set(row, .text, text.isEmpty ? url : text)
            var bytes = url
            if bytes.withUTF8({ UnsafeRawBufferPointer($0).isWebURL }) { model.set(row, .href, url) }
        }
    }

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

extension RoutedRequest {
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

extension Directory {
    /// Where its people come from, for people.
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
        for (number, mark) in [(hour, ":"), (minute, "")] as [(Int, StaticString)] {
            if number < 10 { buffer.append("0") }
            buffer.append(decimal: number)
            buffer.append(mark)
        }
        buffer.append(zone)
    }
}
