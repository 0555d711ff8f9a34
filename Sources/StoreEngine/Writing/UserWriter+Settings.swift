import People
import Publishing

extension UserWriter {
    /// Replaces the settings, and derives the values that they change from all users again. Erases values that must not
    /// be stored any more.
    func set(_ settings: DirectorySettings) throws {
        let isErased = try changeForm { connection in
            let old = directory.settings
            try connection.set(settings, of: directory)
            if settings.hasOtherKey(than: old.stored) {
                try IdentityTable(of: directory.id, on: connection).removeKeys()
            }
            let resolved = try connection.settings(of: directory.id)
            try directory.check(resolved, after: old)
            let all = Erasure(to: resolved)
            let erases = !Erasure(from: old, to: resolved).isEmpty
            if erases || DerivedForm(resolved.shown) != DerivedForm(old.shown) {
                try tables.reindex(from: old, to: resolved, erasing: erases ? all : nil)
            }
            // A directory without rows has nothing to overwrite. Saving the same settings again overwrites again: the
            // error of an attempt that failed asks for that.
            let isRepeated = settings == old.stored && !all.isEmpty
            return try (erases || isRepeated) && tables.hasRows()
        }
        guard isErased else { return }
        try store.overwriteWhatIsGone(
            from: [directory.id], "the settings are saved",
            "values that are no longer stored are still in the file; save them again")
        try store.eraseUnusedPictures()
    }

    /// Derives the values for searching, sorting and filtering from all users again. Calls `progress` with the number
    /// of users that are done.
    func reindex(_ progress: (Int) -> Void) throws {
        _ = try changeForm { _ in
            let erasure = Erasure(to: directory.settings)
            try tables.reindex(
                from: directory.settings, to: directory.settings, erasing: erasure.isEmpty ? nil : erasure, progress)
            return false
        }
    }
}

extension StoredDirectory {
    /// Throws if the logins or names of people would be hidden who are there already, or parts of their names: their
    /// addresses are made of them.
    package func check(_ new: ResolvedSettings, after old: ResolvedSettings) throws {
        guard directory.total > 0 else { return }
        for role in [FieldRole.login, .name] where new.hides(role) && !old.hides(role) {
            throw StoreError(
                .notPermitted,
                """
                the \(role.rawValue) cannot be hidden in a directory that has people, because their addresses are made \
                of it; remove the directory, and import its source again with the same option
                """)
        }
        // The stored names would go on showing the values.
        let columns = old.fields.first { $0.role == .name }?.source.columns ?? []
        for column in columns
        where new.visibility(ofColumn: column) != .public && old.visibility(ofColumn: column) == .public {
            throw StoreError(
                .notPermitted,
                """
                "\(column)" is a part of people's names, so it cannot be hidden in a directory that has people; remove \
                the directory, and import its source again with the same option
                """)
        }
    }
}
