import Base
import Metrics

extension Server: Collector {
    /// Writes the metrics of what the server has done since it started and of what it is doing.
    public func report(to exposition: PrometheusWriter) {
        guard let parts = parts else { return }
        let counters = parts.loops.map(\.counters)
        write(requests: counters.map(\.requests), to: exposition)
        let sum = { (number: (Counters) -> Counter) in counters.reduce(0) { $0 + number($1).value } }
        exposition.counter(
            "rollcall_http_received_bytes_total", "Bytes received from clients, including heads.", sum(\.bytesIn))
        exposition.counter("rollcall_http_sent_bytes_total", "Bytes sent, including heads.", sum(\.bytesOut))
        exposition.counter(
            "rollcall_http_gzip_saved_bytes_total", "Bytes of bodies that compression saved.",
            sum(\.savedBytes))
        writeConnections(counters.map(\.phases), to: exposition)
        write(loops: counters, to: exposition)
        parts.pool.report(to: exposition)
        exposition.counter(
            "rollcall_access_log_dropped_lines_total",
            "Access log lines dropped because the log was not read fast enough.",
            parts.log?.dropped.value ?? 0)
    }

    private func write(requests tallies: [RequestCounts], to exposition: PrometheusWriter) {
        let routes = application.routes
        var requests: [(PrometheusWriter.Labels, Int)] = []
        for (route, name) in routes.enumerated() {
            for index in 0...RequestCounts.statuses.count {
                let count = tallies.reduce(0) { $0 + $1.count(route: route, statusAt: index) }
                let isKnown = index < RequestCounts.statuses.count
                let code = isKnown ? "\(RequestCounts.statuses[index])" : "other"
                // The count of 200 is present for every route from the start, so that its first increase is visible.
                if count > 0 || index == 0 { requests.append((["route": name, "code": code], count)) }
            }
        }
        exposition.counters("rollcall_http_requests_total", "Requests that got a response.", requests)
        exposition.histograms(
            "rollcall_http_request_duration_seconds",
            "Time from the arrival of a request until its response was handed to the system.",
            routes.enumerated().map { route, name in
                var sum = HistogramSum()
                for tally in tallies { sum += tally.durations(route: route) }
                return (["route": name], sum)
            })
    }

    private func writeConnections(_ phases: [CounterRow], to exposition: PrometheusWriter) {
        let count = { (phase: ConnectionState.Phase) in phases.reduce(0) { $0 + $1[Int(phase.rawValue)] } }
        exposition.gauges(
            "rollcall_http_connections", "Open connections, by state.",
            ConnectionState.Phase.allCases.map { (["state": $0.label], count($0)) })
        exposition.gauge(
            "rollcall_http_requests_in_flight", "Requests whose response is being made or sent.",
            count(.working) + count(.writing))
        exposition.counter("rollcall_http_accepted_connections_total", "Connections accepted.", gauge.accepted)
        exposition.counter(
            "rollcall_http_refused_connections_total", "Connections refused because there were too many.",
            gauge.refused.value)
        exposition.gauge(
            "rollcall_http_open_streams", "Event streams that are open, each with a connection.", gauge.live)
        exposition.counter(
            "rollcall_http_refused_streams_total", "Event streams refused with 503 because there were too many.",
            gauge.refusedLive.value)
        exposition.counter(
            "rollcall_http_displaced_connections_total", "Idle connections closed to make room for new ones.",
            gauge.displaced.value)
    }

    private func write(loops: [Counters], to exposition: PrometheusWriter) {
        let now = SystemValues.nanoseconds()
        exposition.gauges(
            "rollcall_event_loop_busy_seconds",
            "How long an event loop has been busy; 0 while it waits for events. New events wait that long.",
            nanoseconds: loops.enumerated().map { number, loop in
                let start = loop.turnStart.value
                return (["loop": "\(number)"], start == 0 ? 0 : max(0, now - start))
            })
        exposition.histograms(
            "rollcall_event_loop_turn_seconds",
            "Time to serve all connections that were ready at once: the longest that any of them waited.",
            loops.enumerated().map { number, loop in (["loop": "\(number)"], loop.turns.value) })
    }
}

extension WorkPool {
    func report(to exposition: PrometheusWriter) {
        let figures = figures
        exposition.gauge("rollcall_work_waiting", "Responses that wait for a worker.", figures.waiting)
        exposition.gauge("rollcall_work_running", "Responses that workers are making.", figures.running)
        exposition.counter(
            "rollcall_work_refused_total", "Requests rejected with 503 because too many were waiting.", figures.refused)
        exposition.histograms(
            "rollcall_work_wait_seconds", "How long responses waited for a worker.", [([:], figures.waits)])
        exposition.histograms(
            "rollcall_work_duration_seconds", "How long workers took to make a response.", [([:], figures.runs)])
    }
}

extension ConnectionState.Phase {
    fileprivate var label: String {
        switch self {
        case .idle: "idle"
        case .readingHead: "reading_head"
        case .readingBody: "reading_body"
        case .working: "working"
        case .writing: "writing"
        case .live: "live"
        case .lingering: "closing"
        case .leaving: "leaving"
        }
    }
}
