import Foundation

/// Prometheus' text format 0.0.4, parsed strictly: throws where a lenient parser would not.
public struct PrometheusText {
    public struct Family {
        public var kind: String
        public var help: String
        public var samples: [Sample] = []
    }

    public struct Sample: Equatable {
        public var name: String
        public var labels: [String: String]
        public var value: Double
    }

    public private(set) var families: [String: Family] = [:]

    public init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Failure("the last line does not end") }
        var current = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            do {
                if line.hasPrefix("# HELP ") {
                    current = try begin(line.dropFirst(7))
                } else if line.hasPrefix("# TYPE ") {
                    try setKind(line.dropFirst(7), of: current)
                } else {
                    try add(line, to: current)
                }
            } catch let failure as Failure { throw Failure("\(failure) in: \(line)") }
        }
        for (name, family) in families { try check(name, family) }
    }

    /// Returns the value of the sample with this name and at least these labels.
    public func value(_ name: String, _ labels: [String: String] = [:]) throws -> Double {
        let found = families.values.flatMap(\.samples).filter { sample in
            sample.name == name && labels.allSatisfy { sample.labels[$0.key] == $0.value }
        }
        guard found.count == 1, let sample = found.first else {
            throw Failure("expected one sample \(name) \(labels), found \(found.count)")
        }
        return sample.value
    }

    private mutating func begin(_ rest: Substring) throws -> String {
        let words = rest.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].wholeMatch(of: /[a-zA-Z_:][a-zA-Z0-9_:]*/) != nil else {
            throw Failure("expected a name and a help text")
        }
        guard families[String(words[0])] == nil else { throw Failure("\(words[0]) occurs twice") }
        families[String(words[0])] = Family(kind: "", help: String(words[1]))
        return String(words[0])
    }

    private mutating func setKind(_ rest: Substring, of name: String) throws {
        let words = rest.split(separator: " ")
        guard words.count == 2, words[0] == name, families[name]?.kind == "",
            ["counter", "gauge", "histogram"].contains(words[1])
        else { throw Failure("expected the type of \(name), once") }
        families[name]?.kind = String(words[1])
    }

    private mutating func add(_ line: Substring, to family: String) throws {
        guard let kind = families[family]?.kind, !kind.isEmpty else { throw Failure("a sample without a type") }
        guard let match = line.wholeMatch(of: /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? ([-+0-9.eInfNa]+)/),
            let value = Double(match.3)
        else { throw Failure("expected a sample") }
        let suffixes = kind == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        guard suffixes.contains(where: { family + $0 == match.1 }) else { throw Failure("another sample in \(family)") }
        let sample = Sample(name: String(match.1), labels: try Self.labels(match.2 ?? ""), value: value)
        guard
            families[family]?.samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels }) == false
        else { throw Failure("the same sample twice") }
        families[family]?.samples.append(sample)
    }

    private static func labels(_ text: Substring) throws -> [String: String] {
        var labels: [String: String] = [:]
        var rest = text
        while !rest.isEmpty {
            guard let match = rest.prefixMatch(of: /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"(?:,|$)/) else {
                throw Failure("expected labels")
            }
            guard labels.updateValue(String(match.2), forKey: String(match.1)) == nil else {
                throw Failure("label \(match.1) occurs twice")
            }
            rest = rest[match.range.upperBound...]
        }
        return labels
    }

    /// Checks the rules of Prometheus' own linter (promtool check metrics).
    private func check(_ name: String, _ family: Family) throws {
        guard !family.samples.isEmpty || family.kind == "gauge" else { throw Failure("\(name) has no samples") }
        let isBase = !name.contains(/_(milli|micro|nano)seconds|_(ms|us|kb|mb)(_|$)/.ignoresCase())
        guard isBase else { throw Failure("\(name) is not in base units") }
        switch family.kind {
        case "counter":
            guard name.hasSuffix("_total") else { throw Failure("\(name) is a counter without _total") }
            guard family.samples.allSatisfy({ $0.value >= 0 }) else { throw Failure("\(name) is negative") }
        case "gauge": guard !name.hasSuffix("_total") else { throw Failure("\(name) is not a counter") }
        default: try checkBuckets(name, family)
        }
    }

    private func checkBuckets(_ name: String, _ family: Family) throws {
        let series = Dictionary(grouping: family.samples) { sample in
            sample.labels.filter { $0.key != "le" }.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        }
        for samples in series.values {
            let buckets = samples.filter { $0.name == name + "_bucket" }
            let bounds = buckets.compactMap { $0.labels["le"].flatMap { Double($0 == "+Inf" ? "inf" : $0) } }
            guard bounds.count == buckets.count, bounds == bounds.sorted(), bounds.last == .infinity,
                buckets.map(\.value) == buckets.map(\.value).sorted(),
                samples.contains(where: { $0.name == name + "_sum" && $0.value >= 0 }),
                samples.contains(where: { $0.name == name + "_count" && $0.value == buckets.last?.value })
            else { throw Failure("\(name) is not a histogram") }
        }
    }
}
