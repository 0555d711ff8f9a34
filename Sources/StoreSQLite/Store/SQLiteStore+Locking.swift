import People

extension SQLiteStore: StoreLocking {
    public func attemptImportLock(of slug: Slug, name: String) throws -> LockAttempt {
        try FileLock.attempt("import-\(slug)", of: path, name: name)
    }

    public func attemptPictureLock(name: String) throws -> LockAttempt {
        try FileLock.attempt("fetching", of: path, name: name)
    }
}
