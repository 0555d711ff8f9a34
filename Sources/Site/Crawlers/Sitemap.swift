import Base
import People

/// The URLs for search engines: the list and every user's page, for each directory (sitemaps.org/protocol.html).
///
/// One file has all of them, or is an index of files. Each of those has a range of positions of one directory: the
/// store finds a position without counting up to it, so the last file costs as much as the first. An index may name
/// 50,000 files: users beyond 2,500 million are in none.
struct Sitemap: Sendable {
    /// The absolute URL of the home page, without its last slash, escaped.
    let root: String
    let directories: DirectoryList
    /// The number of URLs that a file may have.
    let capacity: Int
    /// The number of files that the index may name.
    private let maxParts: Int

    init(root: String, directories: DirectoryList, limit: Int = 50_000) {
        // Text that is escaped for HTML is escaped for XML, too.
        self.root = String(writing: { buffer in root.withUTF8Bytes { buffer.append(escapingHTML: $0) } })
        self.directories = directories
        // They must also fit 50 MiB. 900: the tags, `/users/`, a login of 255 bytes, percent-encoded, and
        // `?directory=` with a slug of 64. 150: the tags, `/sitemap-`, the slug and a number.
        capacity = min(limit, 52_428_800 / (self.root.utf8.count + 900))
        maxParts = min(50_000, 52_428_800 / (self.root.utf8.count + 150))
    }

    /// The users of one directory in a file, and the number of the directory's URLs in the files before. The list is
    /// its first URL.
    typealias Section = (linked: LinkedDirectory, first: Int)

    /// The sections of a single file; `nil` if the sitemap must be an index.
    var whole: [Section]? {
        var left = capacity
        for directory in directories.all {
            guard directory.total < left else { return nil }
            left -= directory.total + 1
        }
        return directories.all.map { (directories.linked($0), 0) }
    }

    /// Returns the sections of the file `sitemap-SLUG-NUMBER.xml`. `name` is the part `SLUG-NUMBER`. Throws 404 if it
    /// does not exist, and a ``RenamedDirectory`` for a former slug.
    func part(_ name: String) throws -> [Section] {
        guard let dash = name.lastIndex(of: "-"), dash > name.startIndex,
            let number = Int64(digits: String(name[dash...].dropFirst())), number >= 1,
            case let directory = try directories.find(String(name[..<dash])).directory,
            number <= parts(of: directory)
        else { throw HTTPError.notFound }
        return [(directories.linked(directory), (Int(number) - 1) * capacity)]
    }

    /// The number of files of a directory. The list and each user have one URL.
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
