import Bytes
import Directories
import Fields
import JSON
import SortIndex

/// Migrates the users of one directory that an earlier version imported.
///
/// Columns whose headings are now withheld become private. Ids and logins that Rollcall made are marked, and
/// logins like `anna-muller-2380781474600153` become readable handles.
package struct EarlierPeople {
    private let directory: Directory
    private let connection: any StoreConnection
    private let nextGeneration: () throws -> Int64

    /// Sources whose records were published by a service.
    private static let services: Set<String> = ["github", "stackexchange", "rickandmorty", "git", "demo"]
    /// Members of records of services, which may also come from a file.
    private static let serviceMembers: Set<String> = [
        "node_id", "site_admin", "gists_url", "account_id", "last_access_date", "species",
    ]
    /// Generated ids are 53 bits of a hash, and only one in 900,000 is less than this. Few sources have ids this large.
    private static let leastGeneratedID: Int64 = 10_000_000_000

    package init(
        of id: Int64, on connection: any StoreConnection, nextGeneration: @escaping () throws -> Int64
    ) throws {
        guard let directory = try connection.directory(id) else { throw StoreError.damagedOrder }
        self.directory = directory
        self.connection = connection
        self.nextGeneration = nextGeneration
    }

    package func migrate() throws {
        let headings = try withheldHeadings()
        if !headings.isEmpty { try connection.set(Self.hiding(headings), of: directory) }
        let renamed = try markGeneratedNames()
        guard renamed || !headings.isEmpty else { return }
        var changed = directory
        try connection.save(&changed, as: nextGeneration())
    }

    /// Returns the messages for publishers of directories whose columns became private.
    package static func notes(on connection: any StoreConnection) throws -> [String] {
        try connection.directories().compactMap { directory in
            let hidden = directory.plan.fields.filter { $0.visibility == .private }.map(\.source.description)
            if hidden.isEmpty { return nil }
            let options = hidden.map { " --publish \(Self.quoted($0))" }.joined()
            return """
                \(directory.slug) published \(hidden.joined(separator: ", ")) until now: hidden; \
                rollcall directories settings \(directory.slug)\(options)
                """
        }
    }

    /// Returns `text` quoted as one word of a shell.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || "-_.0123456789".unicodeScalars.contains($0)
        }
        return isPlain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    // MARK: - Withheld headings

    /// Returns the headings of stored columns that are withheld, in the order of their first appearance.
    private func withheldHeadings() throws -> [String] {
        guard !Self.services.contains(directory.source) else { return [] }
        let rows = try connection.statement("SELECT more FROM user\(directory.id) WHERE more IS NOT NULL")
        defer { rows.reset() }
        var isWithheld: [String: Bool] = [:]
        var withheld: [String] = []
        while try rows.step() {
            var headings: [String] = []
            try? JSON.forEachMember(of: rows.bytes(0)) { key, _ in headings.append(key.text) }
            if headings.contains(where: Self.serviceMembers.contains) { continue }
            for heading in headings where isWithheld[heading] == nil {
                isWithheld[heading] = Withheld.matches(heading: heading)
                if isWithheld[heading] == true { withheld.append(heading) }
            }
        }
        return withheld
    }

    /// Returns settings that hide columns and keep everything else as it was.
    private static func hiding(_ headings: [String]) -> DirectorySettings {
        var settings = DirectorySettings()
        var keys: [String] = []
        settings.own.fields = headings.prefix(SettingsLimits.fields).map { heading in
            var field = FieldSettings(key: FieldKey.unique(heading, among: keys), from: heading)
            field.show = .private
            keys.append(field.key)
            return field
        }
        settings.inferred.sorts = ["id", "login", "name", "reputation"]
        settings.inferred.order = "id"
        return settings
    }

    // MARK: - Ids and logins

    private struct Row {
        var id: Int64
        var name: String
        var login: String
    }

    /// Marks ids and logins that Rollcall made, and gives users with such logins readable handles. Returns whether any
    /// user changed.
    private func markGeneratedNames() throws -> Bool {
        let mark = try connection.statement("UPDATE user\(directory.id) SET flags = ?, login = ? WHERE id = ?")
        let handles = HandleTable(of: directory.id, on: connection)
        var nextNumbers: [String: Int] = [:]
        var hasRenamed = false
        for row in try rows() {
            let generated = generatedNames(of: row)
            if generated.isEmpty { continue }
            var login = row.login
            if generated.contains(.login) {
                login = try freeHandle(row.name, handles, &nextNumbers)
                try handles.saveFormer(row.login.folded, of: row.id)
                try handles.setCurrent(login, of: row.id)
                hasRenamed = true
            }
            mark.bind(Int64(generated.rawValue), at: 1)
            mark.bind(login, at: 2)
            mark.bind(row.id, at: 3)
            try mark.run()
        }
        return hasRenamed
    }

    /// Returns the users whose ids may have been made.
    private func rows() throws -> [Row] {
        let rows = try connection.statement(
            "SELECT id, coalesce(name, ''), login FROM user\(directory.id) WHERE id >= ?")
        rows.bind(Self.leastGeneratedID, at: 1)
        defer { rows.reset() }
        var found: [Row] = []
        while try rows.step() {
            found.append(Row(id: rows.number(0), name: rows.text(1), login: rows.text(2)))
        }
        return found
    }

    private func generatedNames(of row: Row) -> GeneratedNames {
        if row.login.hasSuffix("-\(row.id)") { return [.id, .login] }
        if directory.source == "git" || row.id == Self.id(ofLogin: row.login) { return .id }
        return []
    }

    /// Returns the id that earlier versions made of a login.
    private static func id(ofLogin login: String) -> Int64 {
        let buffer = ByteBuffer()
        let folded = buffer.append(folding: login)
        return max(1, Int64(SipHash.hash(buffer.bytes[folded], key: (0x726F_6C6C, 0x6361_6C6C)) >> 11))
    }

    private func freeHandle(
        _ name: String, _ handles: HandleTable, _ nextNumbers: inout [String: Int]
    ) throws -> String {
        let slug = Handle.slug(name, language: directory.plan.language)
        let base = slug.isEmpty ? "user" : slug
        var number = nextNumbers[base] ?? 1
        while true {
            let handle = number == 1 ? base : "\(base)-\(number)"
            number += 1
            if try handles.row(handle) != nil || isLogin(handle) { continue }
            nextNumbers[base] = number
            return handle
        }
    }

    /// Whether a user has this login, ignoring the case of ASCII letters.
    private func isLogin(_ handle: String) throws -> Bool {
        let block = OrderReader(connection, SharedState())
        let key = Array(handle.utf8)
        var isFound = false
        try block.scanKeys(
            IndexScan(order: .login, isDescending: false), from: SeekKey(text: key, id: 0), in: directory
        ) { found, text in
            isFound = text[found.text].elementsEqual(key)
            return false
        }
        return isFound
    }
}
