import Metrics
import People

/// The counters of one event loop, or of one renderer of the pool. Each has its own, and adds to it without a lock.
final class SiteCounters: Sendable {
    let cacheHits = Counter()
    let cacheMisses = Counter()
    /// The time the store took, by the kind of query.
    let pageReads = Histogram()
    let searchReads = Histogram()
    let userReads = Histogram()
    let pictureReads = Histogram()
}

extension Site: Collector {
    public func report(to exposition: PrometheusWriter) {
        let allCounters = allCounters.withLock { $0 }
        writeCache(allCounters, to: exposition)
        writeReads(allCounters, to: exposition)
        exposition.gauge(
            "rollcall_open_exports", "Exports that are being sent.", openExports.current + openWorkbooks.current)
        exposition.gauge(
            "rollcall_event_topics", "Different lists of people that open event streams are about.",
            events.topicCount)
        let statistics = store.statistics
        exposition.counter(
            "rollcall_search_cache_hits_total", "Searches whose matches were in the search cache.",
            statistics.searchHits)
        exposition.counter(
            "rollcall_search_cache_misses_total", "Searches whose matches were not in the search cache.",
            statistics.searchMisses)
        exposition.gauge(
            "rollcall_database_usable", "1 if the database can be read, 0 if readyz reports that it cannot.",
            (try? checkReadable()) == nil ? 0 : 1)
        write(store.status, to: exposition)
        let stored = storedFigures()
        exposition.gauge(
            "rollcall_pictures", "Stored pictures of people, each in three sizes.", stored.pictures.pictures)
        exposition.gauge("rollcall_picture_bytes", "Bytes of the stored pictures.", Int(stored.pictures.bytes))
        let directories = configuration.visible(store.directories)
        write(stored.imports, of: directories, to: exposition)
        write(stored.size, to: exposition)
        exposition.gauges(
            "rollcall_directory_users", "Users in a directory.",
            directories.map { (["directory": $0.slug.text], $0.total) })
        exposition.gauges(
            "rollcall_directory_generation", "Increases with every change of a directory.",
            directories.map { (["directory": $0.slug.text], Int($0.generation)) })
    }

    /// Writes the values that the store has.
    private func write(_ status: StoreStatus, to exposition: PrometheusWriter) {
        if let host = status.host {
            let role = status.isStandby.map { $0 ? "standby" : "primary" } ?? "unknown"
            exposition.gauges(
                "rollcall_database_host", "Always 1; the labels say which host of the database reads use now.",
                [(["host": host, "role": role], 1)])
        }
        exposition.gauge("rollcall_database_connections", "Open connections to the database.", status.openConnections)
        exposition.gauge(
            "rollcall_database_busy_connections", "Connections to the database in use.", status.busyConnections)
        exposition.counter(
            "rollcall_database_reconnects_total",
            "Attempts to connect again, after a host did not answer or was behind.", status.reconnects)
        exposition.counter(
            "rollcall_database_stale_reads_total",
            "Reads that a host could not answer, because its data was older than what was shown before.",
            status.staleReads)
        exposition.gauge(
            "rollcall_database_generations_behind",
            "Generations that the host in use lacks, compared with the newest that this process has seen.",
            status.generationsBehind)
        if let seconds = status.secondsSincePoll {
            exposition.gauges(
                "rollcall_database_poll_age_seconds", "Time since the database was last looked at for changes.",
                nanoseconds: [([:], Int(seconds * 1e9))])
        }
    }

    private func writeCache(_ allCounters: [SiteCounters], to exposition: PrometheusWriter) {
        let sum = { (number: (SiteCounters) -> Counter) in allCounters.reduce(0) { $0 + number($1).value } }
        let cache = cache.figures
        exposition.counter(
            "rollcall_response_cache_hits_total", "Responses that the response cache had.", sum(\.cacheHits))
        exposition.counter(
            "rollcall_response_cache_misses_total", "Pages, fragments and JSON that were rendered.",
            sum(\.cacheMisses))
        exposition.counter(
            "rollcall_response_cache_evictions_total", "Responses dropped to make room for others.", cache.evictions)
        exposition.gauge("rollcall_response_cache_bytes", "Memory that the cached responses take.", cache.bytes)
        exposition.gauge(
            "rollcall_response_cache_entries",
            "Cached responses, each counted once for every spelling of its URL.", cache.entries)
    }

    private func writeReads(_ allCounters: [SiteCounters], to exposition: PrometheusWriter) {
        let sum = { (durations: (SiteCounters) -> Histogram) in
            var sum = HistogramSum()
            for counters in allCounters { sum += durations(counters).value }
            return sum
        }
        exposition.histograms(
            "rollcall_database_read_duration_seconds", "Time that reads of the database took.",
            [
                (["query": "page"], sum(\.pageReads)), (["query": "search"], sum(\.searchReads)),
                (["query": "user"], sum(\.userReads)), (["query": "picture"], sum(\.pictureReads)),
            ])
    }
}
