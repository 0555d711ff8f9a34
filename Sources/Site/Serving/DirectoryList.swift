import Directories

/// The directories as one request sees them.
struct DirectoryList: Sendable {
    let all: [Directory]
    /// The one shown where a URL names none. Without any, an empty one, so that a server may start before its first import.
    let shown: Directory
    /// What people tell them apart by, in the order of `all`: titles, each with its slug where several say the same.
    let labels: [String]
    /// Changes with what every whole page shows of all directories: their names.
    let choices: UInt64

    init(_ all: [Directory], preferred: Slug?) {
        self.all = all
        let wanted = preferred.map { slug in all.first { $0.slug == slug } } ?? all.first
        shown = wanted ?? Self.none
        let uses = Dictionary(all.map { ($0.title.folded, 1) }, uniquingKeysWith: +)
        labels = all.map { uses[$0.title.folded] == 1 ? $0.title : "\($0.title) (\($0.slug))" }
        var hash = StableHash()
        for directory in all {
            hash.combine(directory.slug.text)
            hash.combine(directory.title)
        }
        choices = hash.value
    }

    /// Stands for a directory that is not there yet. Stores count from 1.
    static let none = Directory(
        id: 0, slug: Slug(literal: "none"), title: "Rollcall", source: "", total: 0, generation: 0)

    /// Whether what shows all of them is too long to be made on an event queue.
    var isLong: Bool { all.count > 100 }

    subscript(id: Int64) -> Directory? { all.first { $0.id == id } }

    /// The directory called `slug`, or the one shown by default where that is absent or, as forms send it, empty.
    func find(_ slug: String?) throws -> (Directory, isDefault: Bool) {
        guard let slug, !slug.isEmpty else { return (shown, true) }
        guard let directory = all.first(where: { $0.slug.text == slug }) else { throw HTTPError.notFound }
        return (directory, directory.id == shown.id)
    }
}
