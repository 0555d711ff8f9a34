import Base
import People

/// A file of a ``Sitemap``, written one page of users at a time.
struct SitemapFile {
    private let root: String
    private var sections: ArraySlice<Sitemap.Section>
    /// The start of the next page of the first section; `nil` at its beginning.
    private var start: UserQuery.Start?
    /// The number of URLs that still fit. Users may be added while the file is written.
    private var left: Int
    private var step = Step.beginning

    private enum Step { case beginning, addresses, done }

    init(_ sections: [Sitemap.Section], of sitemap: Sitemap) {
        root = sitemap.root
        self.sections = sections[...]
        left = sitemap.capacity
    }

    mutating func appendMore(to buffer: ByteBuffer, from read: (UserQuery) throws -> Page?) throws -> Bool {
        switch step {
        case .beginning:
            buffer.append(Sitemap.declaration)
            buffer.append("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n")
            // A database without directories has a home page, too.
            if sections.isEmpty { append(to: buffer) { $0.append("/") } }
            step = .addresses
        case .addresses: break
        case .done: return false
        }
        if let section = sections.first, left > 0 {
            try append(section, from: read, to: buffer)
        } else {
            buffer.append("</urlset>\n")
            step = .done
        }
        return true
    }

    private mutating func append(
        _ section: Sitemap.Section, from read: (UserQuery) throws -> Page?, to buffer: ByteBuffer
    ) throws {
        if start == nil, section.first == 0 {
            append(to: buffer) { $0.append("/", of: section.linked) }
            left -= 1
        }
        let from = start ?? (section.first == 0 ? .first : .at(section.first - 1))
        let query = UserQuery(
            directory: section.linked.directory.id, start: from, limit: max(1, min(left, DirectoryExport.pageLimit)))
        var pages = ExportPages(of: query, origin: section.linked.directory.origin)
        let page = try pages.next(read)
        page.users.text.withBytes { text in
            for row in page.users.rows.prefix(left) where !row.isNoIndex {
                append(to: buffer) {
                    $0.append(userPathOf: text[row.login], below: "", in: section.linked)
                }
            }
        }
        left -= page.users.rows.count
        if page.hasNext, let last = page.users.rows.last {
            start = .after(.id(last.id))
        } else {
            sections.removeFirst()
            start = nil
        }
    }

    private func append(to buffer: ByteBuffer, _ path: (ByteBuffer) -> Void) {
        buffer.append("<url><loc>")
        buffer.append(utf8: root)
        path(buffer)
        buffer.append("</loc></url>\n")
    }
}
