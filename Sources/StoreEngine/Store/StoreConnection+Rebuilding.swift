import People

extension StoreConnection {
    /// Derives the texts, orders and search index of directories again whose searched texts have the form of another
    /// version, which may have had other orders, too: see ``SearchedText/form(ofLanguage:)``. Each directory takes one
    /// transaction, during which servers go on reading. `progress` is called with each directory and the number of
    /// users done so far, from 0.
    package func rebuildSearchedTexts(
        nextGeneration: () throws -> Int64, _ progress: (Directory, Int) -> Void
    ) throws {
        for id in try directoriesWithOtherTexts() {
            defer { removeStatements() }
            try transaction {
                // Another process may have done it meanwhile.
                guard try directoriesWithOtherTexts().contains(id), var directory = try directory(id) else { return }
                progress(directory, 0)
                let tables = UserTables(directory: id, connection: self)
                try tables.filters.load(directory)
                try tables.reindex(from: directory.settings, to: directory.settings, erases: false) {
                    progress(directory, $0)
                }
                try save(&directory, as: nextGeneration())
            }
        }
    }

    /// Whether a directory has searched texts of another form than this version makes.
    package func hasOtherTexts() throws -> Bool { try !directoriesWithOtherTexts().isEmpty }

    /// Returns the directories whose searched texts have another form than this version makes.
    private func directoriesWithOtherTexts() throws -> [Int64] {
        let rows = try statement("SELECT id, settings, textForm FROM directory ORDER BY id")
        defer { rows.reset() }
        var ids: [Int64] = []
        while try rows.step() {
            let settings = try SettingsCache.shared.settings(rows.bytes(1))
            if rows.text(2) != SearchedText.form(ofLanguage: settings.language) { ids.append(rows.number(0)) }
        }
        return ids
    }
}
