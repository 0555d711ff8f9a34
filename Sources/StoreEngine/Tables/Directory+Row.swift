import Base
import People
import Publishing
import Synchronization

extension StoredDirectory {
    package static let columns = """
        id, slug, title, source, total, generation, description, licence, licenceURL, attribution, attributionURL,
        isDefault, importedAt, settings, "collation", formerSlugs
        """

    /// The directory in the current row of `statement`, which has ``columns``.
    package init(_ statement: any StoreRow) throws {
        guard let slug = Slug(statement.text(1)) else {
            throw StoreError.damage("\"\(statement.text(1))\" cannot be the name of a directory")
        }
        var directory = Directory(
            id: try statement.number(0, "the number of a directory", in: 1...(.max)), slug: slug,
            title: statement.text(2), source: statement.text(3), total: try statement.count(4, "the total of \(slug)"),
            generation: try statement.generation(5))
        directory.description = statement.text(6)
        directory.terms = Terms(
            licence: statement.text(7), licenceURL: statement.text(8), attribution: statement.text(9),
            attributionURL: statement.text(10))
        directory.isDefault = statement.number(11) != 0
        // A clock may have been wrong, so a wrong time is not damage.
        directory.importedAt = statement.isNull(12) ? nil : try? statement.time(12, "the time of an import")
        directory.collation = CollationStamp(statement.text(14))
        directory.formerSlugs = statement.text(15).split(separator: " ").compactMap { Slug($0) }
        self.init(directory, try SettingsCache.shared.settings(statement.bytes(13)))
    }
}

extension StoreConnection {
    /// Returns the statement that reads the generation of a directory. Stores run it for each page, and read the rest
    /// of the row only after a change.
    package func generationStatement(of directory: Int64) throws -> any StoreStatement {
        let statement = try statement(.generation, "SELECT generation FROM directory WHERE id = ?")
        statement.bind(directory, at: 1)
        return statement
    }

    package func directory(_ id: Int64) throws -> StoredDirectory? {
        try first("SELECT \(StoredDirectory.columns) FROM directory WHERE id = ?", id) { try directory($0) }
    }

    package func directory(_ slug: Slug) throws -> StoredDirectory? {
        try first("SELECT \(StoredDirectory.columns) FROM directory WHERE slug = ?", slug.text) { try directory($0) }
    }

    func directory(_ statement: any StoreRow) throws -> StoredDirectory {
        var directory = try StoredDirectory(statement)
        directory.filters = try filters(of: directory)
        return directory
    }

    /// Returns the filters in the order of the settings, and their values with the most frequent ones first.
    private func filters(of directory: StoredDirectory) throws -> [FilterCounts] {
        let settings = directory.settings.shown
        var values: [Int64: [FilterCounts.Value]] = [:]
        try forEach(
            "SELECT filter, value, count FROM filterValue WHERE directory = ? ORDER BY filter, count DESC, value",
            directory.id
        ) { row in
            let value = FilterCounts.Value(value: row.text(1), count: try row.count(2, "the count of a value"))
            values[row.number(0), default: []].append(value)
        }
        // Values that no user has any more count towards the limit, too.
        let limit = settings.maxFilterValues
        return settings.filters.enumerated().compactMap { number, field in
            guard let all = values[Int64(number)], all.count <= limit else { return nil }
            let used = all.filter { $0.count > 0 }
            return used.isEmpty ? nil : FilterCounts(Filter(settings.fields[field].key), used)
        }
    }

    func save(_ directory: inout StoredDirectory, as generation: Int64) throws {
        directory.generation = generation
        let terms = directory.terms
        try run(
            """
            UPDATE directory SET slug = ?, title = ?, source = ?, generation = ?, description = ?, licence = ?,
                licenceURL = ?, attribution = ?, attributionURL = ?, isDefault = ?, formerSlugs = ? WHERE id = ?
            """,
            directory.slug.text, directory.title, directory.source, generation, directory.description, terms.licence,
            terms.licenceURL, terms.attribution, terms.attributionURL, directory.isDefault,
            directory.formerSlugs.map(\.text).joined(separator: " "), directory.id)
    }

    /// Saves the settings of a directory, without applying them to its users. Returns them as they are read.
    func set(_ settings: DirectorySettings, of directory: Int64) throws -> ResolvedSettings {
        let json = settings.isEmpty ? "" : settings.json
        try run("UPDATE directory SET settings = ? WHERE id = ?", json, directory)
        return try json.withBytes(SettingsCache.shared.settings)
    }

    func set(_ stamp: CollationStamp, of directory: Int64) throws {
        try run("UPDATE directory SET \"collation\" = ? WHERE id = ?", stamp.text, directory)
    }

    package func logo(of directory: Int64) throws -> Logo? {
        try first("SELECT name, type, bytes FROM logo WHERE directory = ?", directory) {
            Logo(name: $0.text(0), type: $0.text(1), bytes: Array($0.blob(2)))
        }
    }
}

/// The most recently used settings, by their text. They are decoded once and shared by all readers.
final class SettingsCache: Sendable {
    static let shared = SettingsCache()

    /// More directories than a server usually has.
    private static let maxCount = 256
    private let known = Mutex<[[UInt8]: ResolvedSettings]>([:])

    /// Returns the settings in the column `settings`, whose text is empty without any.
    func settings(_ text: UnsafeRawBufferPointer) throws -> ResolvedSettings {
        if text.isEmpty { return ResolvedSettings.empty }
        return try known.withLock { known in
            let key = Array(text)
            if let settings = known[key] { return settings }
            do throws(RollcallError) {
                let settings = ResolvedSettings(try DirectorySettings(json: text))
                if known.count >= Self.maxCount { known.removeAll() }
                known[key] = settings
                return settings
            } catch {
                throw StoreError.damage("the settings of a directory cannot be read: \(error)")
            }
        }
    }
}
