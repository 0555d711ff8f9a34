import Bytes
import Synchronization

/// Something that knows figures about itself.
public protocol Collector: Sendable {
    /// Writes them. From any thread, and without waiting for anybody: what is asked is how the others are doing.
    func report(to exposition: PrometheusWriter)
}

/// All that `/metrics` tells. Sources are added while the program starts.
public final class Registry: Sendable {
    private let sources = Mutex<[any Collector]>([])

    public init() {}

    public func add(_ source: some Collector) { sources.withLock { $0.append(source) } }

    public func write(to buffer: ByteBuffer) {
        for source in sources.withLock({ $0 }) { source.report(to: PrometheusWriter(buffer)) }
    }
}
