import People
import Publishing

extension UserWriter {
    func adopt(_ settings: DirectorySettings) throws {
        let isErased = try changeForm { connection in
            let old = directory.settings
            let resolved = try connection.set(settings, of: directory.id)
            if settings.hasOtherKey(than: old.stored) {
                try tables.identities.removeKeys()
            }
            if directory.total > 0, let hidden = old.hidden(by: resolved).first {
                throw StoreError(.notPermitted, "\(hidden.fact). \(hidden.cure)")
            }
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

    func reindex(_ progress: (Int) -> Void) throws {
        _ = try changeForm { _ in
            let erasure = Erasure(to: directory.settings)
            try tables.reindex(
                from: directory.settings, to: directory.settings, erasing: erasure.isEmpty ? nil : erasure, progress)
            return false
        }
    }
}
