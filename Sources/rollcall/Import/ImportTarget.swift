import Importers
import People

/// The directory that an import fills.
enum ImportTarget {
    /// The one that `--directory` names.
    case chosen(Slug)
    /// The one that is named after the source.
    case named(Slug, after: String)

    /// The slug in a database without directories.
    var slug: Slug {
        switch self {
        case .chosen(let slug), .named(let slug, _): slug
        }
    }

    /// Returns the slug of the directory to fill in a database with `directories`, and what to tell the publisher if it
    /// is not the slug of a new one. Throws an ``ImportError`` if `--directory` names a directory by a former slug.
    func resolved(among directories: [Directory]) throws -> (slug: Slug, note: String?) {
        let renamed = { (slug: Slug) in directories.first { $0.formerSlugs.contains(slug) }?.slug }
        let exists = { (slug: Slug) in directories.contains { $0.slug == slug } }
        switch self {
        case .chosen(let slug):
            guard !exists(slug), let new = renamed(slug) else { return (slug, nil) }
            throw ImportError("\(slug) was renamed to \(new): --directory \(new)")
        case .named(let slug, let name):
            if exists(slug) { return (slug, nil) }
            let earlier = Slug(earlierImportName: name)
            if let earlier, exists(earlier) {
                let advice = "rollcall directories rename \(earlier) \(slug) gives it the present one"
                return (earlier, "\(earlier): the slug that an earlier version made of \(name); \(advice)")
            }
            for former in [slug, earlier].compactMap(\.self) {
                if let new = renamed(former) { return (new, "\(new): \(name) fills it, because \(former) was renamed") }
            }
            return (slug, nil)
        }
    }
}
