import Base
import Foundation

/// The system's data about this process, under the names that all Prometheus client libraries use.
public struct ProcessStats: Collector {
    private let version: String

    public init(version: String) { self.version = version }

    public func report(to exposition: PrometheusWriter) {
        exposition.gauges(
            "rollcall_build_info", "Always 1; the labels contain the versions.",
            [(["version": version, "swift": Self.swift], 1)])
        if let status = Self.status() { write(status, to: exposition) }
        writeDescriptors(to: exposition)
    }

    private static var swift: String {
        #if compiler(>=6.4)
            "6.4 or later"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }
}

extension ProcessStats {
    /// Values of `/proc/self/stat`, in ticks and pages (proc_pid_stat(5)).
    private typealias Status = (cpuTicks: Int, threads: Int, startTicks: Int, virtualBytes: Int, residentPages: Int)

    private static func status() -> Status? {
        guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        // The second field, a name, may contain any characters; the third follows its last parenthesis.
        let fields = text[text.index(after: end)...].split(separator: " ").map { Int($0) ?? 0 }
        guard fields.count > 21 else { return nil }
        return (fields[11] + fields[12], fields[17], fields[19], fields[20], fields[21])
    }

    private func write(_ status: Status, to exposition: PrometheusWriter) {
        let tick = 1_000_000_000 / max(sysconf(Int32(_SC_CLK_TCK)), 1)
        exposition.counter(
            "process_cpu_seconds_total", "User and system time spent.", nanoseconds: status.cpuTicks * tick)
        exposition.gauge(
            "process_resident_memory_bytes", "Memory in use.",
            status.residentPages * sysconf(Int32(_SC_PAGESIZE)))
        exposition.gauge("process_virtual_memory_bytes", "Address space in use.", status.virtualBytes)
        exposition.gauge("process_threads", "Threads.", status.threads)
        exposition.gauges(
            "process_start_time_seconds", "When the process started, in seconds since 1970.",
            nanoseconds: [([:], Self.bootTime + status.startTicks * tick)])
    }

    /// The time from which ticks are counted, in nanoseconds since 1970.
    private static let bootTime =
        SystemValues.nanoseconds(on: CLOCK_REALTIME) - SystemValues.nanoseconds(on: CLOCK_BOOTTIME)

    private func writeDescriptors(to exposition: PrometheusWriter) {
        // Since Linux 6.2, the folder's size is the number of its entries; listing 10,000 of them would take
        // milliseconds.
        if let size = SystemFile.status(of: "/proc/self/fd")?.st_size, size > 0 {
            exposition.gauge("process_open_fds", "Descriptors in use.", size)
        }
        guard let limit = SystemValues.descriptorLimit else { return }
        exposition.gauge("process_max_fds", "The limit of descriptors.", limit)
    }
}
