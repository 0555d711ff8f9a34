import Base
import Synchronization

/// Writes metrics in Prometheus' text format 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats).
///
/// Durations are in seconds, sizes in bytes; counters end in `_total`.
public struct PrometheusWriter {
    public static let contentType: StaticString = "text/plain; version=0.0.4; charset=utf-8"

    public typealias Labels = KeyValuePairs<StaticString, String>

    private let buffer: ByteBuffer

    public init(_ buffer: ByteBuffer) { self.buffer = buffer }

    // MARK: One sample

    // Nothing is written for a value that is not known.

    public func counter(_ name: StaticString, _ help: StaticString, _ value: Int?) {
        if let value { counters(name, help, [(Labels(), value)]) }
    }

    public func gauge(_ name: StaticString, _ help: StaticString, _ value: Int?) {
        if let value { gauges(name, help, [(Labels(), value)]) }
    }

    // MARK: A family of samples

    public func counters(_ name: StaticString, _ help: StaticString, _ samples: [(Labels, Int)]) {
        begin(name, "counter", help)
        for (labels, value) in samples { sample(name, labels) { $0.append(decimal: value) } }
    }

    public func gauges(_ name: StaticString, _ help: StaticString, _ samples: [(Labels, Int)]) {
        begin(name, "gauge", help)
        for (labels, value) in samples { sample(name, labels) { $0.append(decimal: value) } }
    }

    // MARK: Seconds

    public func counter(_ name: StaticString, _ help: StaticString, nanoseconds: Int) {
        begin(name, "counter", help)
        sample(name, [:]) { $0.append(seconds: nanoseconds) }
    }

    public func gauges(_ name: StaticString, _ help: StaticString, nanoseconds: [(Labels, Int)]) {
        begin(name, "gauge", help)
        for (labels, value) in nanoseconds { sample(name, labels) { $0.append(seconds: value) } }
    }

    public func histograms(_ name: StaticString, _ help: StaticString, _ samples: [(Labels, HistogramSum)]) {
        begin(name, "histogram", help)
        for (labels, durations) in samples { append(name, labels, durations) }
    }

    private func append(_ name: StaticString, _ labels: Labels, _ durations: HistogramSum) {
        var count = 0
        for (index, more) in durations.counts.enumerated() {
            count += more
            buffer.append(name)
            buffer.append("_bucket{")
            append(labels)
            if !labels.isEmpty { buffer.append(",") }
            buffer.append("le=\"")
            if index < Histogram.bounds.count {
                buffer.append(seconds: Histogram.bounds[index])
            } else {
                buffer.append("+Inf")
            }
            buffer.append("\"} ")
            buffer.append(decimal: count)
            buffer.append("\n")
        }
        sample(name, labels, suffix: "_sum") { $0.append(seconds: durations.nanoseconds) }
        sample(name, labels, suffix: "_count") { $0.append(decimal: count) }
    }

    // MARK: Lines

    private func begin(_ name: StaticString, _ kind: StaticString, _ help: StaticString) {
        for (word, text) in [("# HELP ", help), ("# TYPE ", kind)] as [(StaticString, StaticString)] {
            buffer.append(word)
            buffer.append(name)
            buffer.append(" ")
            buffer.append(text)
            buffer.append("\n")
        }
    }

    private func sample(
        _ name: StaticString, _ labels: Labels, suffix: StaticString = "", _ value: (ByteBuffer) -> Void
    ) {
        buffer.append(name)
        buffer.append(suffix)
        if !labels.isEmpty {
            buffer.append("{")
            append(labels)
            buffer.append("}")
        }
        buffer.append(" ")
        value(buffer)
        buffer.append("\n")
    }

    private func append(_ labels: Labels) {
        for (index, (name, value)) in labels.enumerated() {
            if index > 0 { buffer.append(",") }
            buffer.append(name)
            buffer.append("=\"")
            for byte in value.utf8 {
                switch byte {
                case UInt8(ascii: "\\"), UInt8(ascii: "\""):
                    buffer.append("\\")
                    buffer.append(byte)
                case UInt8(ascii: "\n"): buffer.append("\\n")
                default: buffer.append(byte)
                }
            }
            buffer.append("\"")
        }
    }
}

extension ByteBuffer {
    /// Appends a duration in seconds, to the nanosecond, without trailing zeros: `0.00005`.
    public func append(seconds nanoseconds: Int) {
        if nanoseconds < 0 { append("-") }
        let (seconds, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        append(decimal: seconds)
        var fraction = rest
        guard fraction > 0 else { return }
        append(".")
        var place: UInt = 100_000_000
        while fraction > 0 {
            append(UInt8(truncatingIfNeeded: fraction / place) + 48)
            fraction %= place
            place /= 10
        }
    }
}

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
