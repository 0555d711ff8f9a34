import Base
import Metrics
import TestSupport
import Testing

@Suite("Prometheus text format")
struct PrometheusWriterTests {
    private func text(_ write: (PrometheusWriter) -> Void) -> String {
        let buffer = ByteBuffer()
        write(PrometheusWriter(buffer))
        return String(buffer)
    }

    @Test func aCounterHasHelpTypeAndValue() {
        #expect(
            text { $0.counter("a_total", "Some.", 12) } == "# HELP a_total Some.\n# TYPE a_total counter\na_total 12\n")
    }

    @Test func labelValuesAreEscaped() throws {
        let text = text { $0.gauges("a", "Some.", [(["b": "quote \" slash \\ line \n end"], 1)]) }
        #expect(text.contains(#"a{b="quote \" slash \\ line \n end"} 1"# + "\n"))
        #expect(try PrometheusText(text).families["a"]?.samples.count == 1)
    }

    @Test func aHistogramIsCumulative() throws {
        let durations = Histogram()
        for nanoseconds in [1, 50_000, 50_001, 7_000_000, 20_000_000_000] { durations.add(nanoseconds) }
        let metrics = try PrometheusText(text { $0.histograms("a_seconds", "Some.", [(["b": "c"], durations.value)]) })
        #expect(try metrics.value("a_seconds_bucket", ["b": "c", "le": "0.00005"]) == 2)
        #expect(try metrics.value("a_seconds_bucket", ["le": "0.0001"]) == 3)
        #expect(try metrics.value("a_seconds_bucket", ["le": "0.01"]) == 4)
        #expect(try metrics.value("a_seconds_bucket", ["le": "10"]) == 4)
        #expect(try metrics.value("a_seconds_bucket", ["le": "+Inf"]) == 5)
        #expect(try metrics.value("a_seconds_count") == 5)
        #expect(try metrics.value("a_seconds_sum") == 20.007100002)
    }

    @Test(arguments: [(0, "0"), (1, "0.000000001"), (50_000, "0.00005"), (2_500_000_000, "2.5"), (-1, "-0.000000001")])
    func durationsAreInSeconds(_ nanoseconds: Int, _ seconds: String) {
        let buffer = ByteBuffer()
        buffer.append(seconds: nanoseconds)
        #expect(String(buffer) == seconds)
    }

    @Test func everyCollectorReports() {
        struct Source: Collector {
            let value: Int
            func report(to exposition: PrometheusWriter) { exposition.gauge("a", "Some.", value) }
        }
        let registry = Registry()
        for value in [1, 2] { registry.add(Source(value: value)) }
        let buffer = ByteBuffer()
        registry.write(to: buffer)
        #expect(String(buffer).hasSuffix("a 1\n# HELP a Some.\n# TYPE a gauge\na 2\n"))
    }

    @Test func theProcessReportsItsOwnStats() throws {
        let metrics = try PrometheusText(text { ProcessStats(version: "1").report(to: $0) })
        #expect(try metrics.value("process_resident_memory_bytes") > 1e6)
        #expect(try metrics.value("process_max_fds") > 10)
        #expect(try metrics.value("process_start_time_seconds") > 1.5e9)
    }
}
