import Bytes
import Synchronization

/// A source of metrics.
public protocol Collector: Sendable {
    /// Writes the metrics. May be called from any thread. It must not wait for other threads, because the metrics are
    /// read to find out whether those threads still work.
    func report(to exposition: PrometheusWriter)
}

/// All sources of `/metrics`. They are added while the program starts.
public final class Registry: Sendable {
    private let sources = Mutex<[any Collector]>([])

    public init() {}

    public func add(_ source: some Collector) { sources.withLock { $0.append(source) } }

    public func write(to buffer: ByteBuffer) {
        for source in sources.withLock({ $0 }) { source.report(to: PrometheusWriter(buffer)) }
    }
}
