import Metrics
import People

/// The metrics that the store reads from the database, because it does not keep them in memory. Metrics that
/// cannot be read are left out: readyz is about the database.
///
/// The imports are by the id of the directory.
typealias StoredFigures = (pictures: PictureTotals, imports: [Int64: LastImport], size: StoreSize)

extension UserStore {
    fileprivate var figures: StoredFigures {
        let totals = (try? pictureTotals()) ?? PictureTotals()
        return (totals, (try? lastImports()) ?? [:], (try? size()) ?? StoreSize())
    }
}

extension Site {
    /// A store on a server is asked in the background, for the next time.
    func storedFigures() -> StoredFigures {
        prepareFigures()
        return store.isRemote ? lastStoredFigures.withLock { $0 } : store.figures
    }

    /// Asks a store on a server in the background, so that the first request for metrics has an answer.
    public func prepareFigures() {
        guard store.isRemote else { return }
        storedFiguresQueue.async { [self] in
            if willStop { return }
            let figures = store.figures
            lastStoredFigures.withLock { $0 = figures }
        }
    }

    /// Writes how the last import of each directory ended.
    func write(_ imports: [Int64: LastImport], of directories: [Directory], to exposition: PrometheusWriter) {
        let records = directories.compactMap { directory in
            imports[directory.id].map { (directory: directory.slug.text, $0) }
        }
        if records.isEmpty { return }
        exposition.gauges(
            "rollcall_last_import_timestamp_seconds", "When the last import of a directory ended, however it did.",
            records.map { (["directory": $0], Int($1.endedAt)) })
        exposition.gauges(
            "rollcall_last_import_duration_seconds", "How long the last import of a directory took.",
            nanoseconds: records.map { (["directory": $0], Int($1.milliseconds) * 1_000_000) })
        exposition.gauges(
            "rollcall_last_import_status", "The exit status of the last import of a directory: 0 if all went well.",
            records.map { (["directory": $0], $1.status) })
        exposition.gauges(
            "rollcall_last_import_people", "People that the last import of a directory changed, or rejected.",
            records.flatMap { slug, record in
                [
                    ("added", record.added), ("changed", record.changed), ("removed", record.removed),
                    ("rejected", record.rejected),
                ].map { (["directory": slug, "change": $0], $1) }
            })
    }

    func write(_ size: StoreSize, to exposition: PrometheusWriter) {
        let files = [("database", size.database), ("log", size.log), ("pictures", size.pictures)]
        exposition.gauges(
            "rollcall_database_bytes", "Space that the database takes, its log, and the pictures.",
            files.compactMap { name, bytes in bytes.map { (["file": name], Int($0)) } })
    }
}
