import Bytes
import Directories

/// The addresses that search engines are told of: the list and everyone's page, of each directory (sitemaps.org/protocol.html).
///
/// One file has them all, or is an index of files for one directory each, cut by position: the store finds a position
/// without counting up to it, so that the last file costs what the first one does. An index may name 50,000 files: people
/// beyond 2,500 million are in none.
struct Sitemap: Sendable {
    /// The absolute URL of the home page, without its last slash, escaped.
    let root: String
    let directories: DirectoryList
    /// How many addresses a file may have.
    let capacity: Int
    /// How many files the index may name.
    private let maxParts: Int

    init(root: String, directories: DirectoryList, limit: Int = 50_000, maxParts: Int = 50_000) {
        let escaped = ByteBuffer(capacity: 256)
        // What is escaped for HTML is escaped for XML, too.
        Array(root.utf8).withUnsafeBytes { escaped.append(escapingHTML: $0) }
        self.root = String(escaped)
        self.directories = directories
        // 50 MiB must hold them, too. 900: the tags, `/users/`, a login of 255 bytes, percent-encoded, and
        // `?directory=` with a slug of 64. 150: the tags, `/sitemap-`, the slug and a number.
        capacity = min(limit, 52_428_800 / (escaped.count + 900))
        self.maxParts = min(maxParts, 52_428_800 / (escaped.count + 150))
    }

    /// What a file begins with and goes on from.
    struct Section {
        let directory: Directory
        let isDefault: Bool
        /// How many of the directory's addresses stand in files before. The list is the first of them.
        let first: Int
    }

    /// What one file has; `nil` for what must be an index.
    var whole: [Section]? {
        var left = capacity
        for directory in directories.all {
            guard directory.total < left else { return nil }
            left -= directory.total + 1
        }
        return directories.all.map { section(of: $0, first: 0) }
    }

    /// The file called `sitemap-SLUG-NUMBER.xml`, by what stands after `sitemap`; `nil` where there is none.
    func part(_ name: String) -> [Section]? {
        guard name.hasPrefix("-"), let dash = name.lastIndex(of: "-"), dash > name.startIndex,
            let directory = directories.all.first(where: {
                $0.slug.text == name[name.index(after: name.startIndex)..<dash]
            }),
            let number = Int64(digits: String(name[name.index(after: dash)...])), number >= 1,
            number <= parts(of: directory)
        else { return nil }
        return [section(of: directory, first: (Int(number) - 1) * capacity)]
    }

    private func section(of directory: Directory, first: Int) -> Section {
        Section(directory: directory, isDefault: directory.id == directories.shown.id, first: first)
    }

    /// How many files a directory has: the list and everyone take one address each.
    private func parts(of directory: Directory) -> Int { min(directory.total / capacity + 1, maxParts) }

    func appendIndex(to buffer: ByteBuffer) {
        buffer.append(Self.declaration)
        buffer.append("<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n")
        var left = maxParts
        for directory in directories.all {
            let count = min(parts(of: directory), left)
            left -= count
            for number in 0..<count {
                buffer.append("<sitemap><loc>")
                buffer.append(utf8: root)
                buffer.append("/sitemap-")
                buffer.append(utf8: directory.slug.text)
                buffer.append("-")
                buffer.append(decimal: number + 1)
                buffer.append(".xml</loc></sitemap>\n")
            }
        }
        buffer.append("</sitemapindex>\n")
    }

    static let declaration: StaticString = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
}
