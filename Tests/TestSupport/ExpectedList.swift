import Foundation

/// A list of `Tests/Lists`, and what a publisher expects of its import: see the README there.
public struct ExpectedList: Decodable, Sendable, CustomStringConvertible {
    /// What must be so, and what should.
    public struct Levels<Value: Decodable & Sendable>: Decodable, Sendable {
        public var must: Value?
        public var should: Value?
    }

    public struct Expectation: Decodable, Sendable {
        public var people: Levels<Int>
        public var names: Levels<[[String]]>?
        public var roles: Levels<[String: String]>?
        public var withheld: Levels<[String]>?
        public var `public`: Levels<[String]>?
        public var notPeople: Levels<[String]>?
        public var inactive: Levels<Int>?

        enum CodingKeys: String, CodingKey {
            case people, names, roles, withheld, `public`, inactive
            case notPeople = "not_people"
        }
    }

    public var file: String
    public var expect: Expectation
    /// Some values of columns, by their headings.
    public var cells: [String: [String]]

    public static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Lists")
    public var path: String { Self.folder.appending(path: file).path }
    public var description: String { file }

    /// All lists, in the order of their names.
    public static let all: [ExpectedList] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().compactMap { name in
            // A list may be JSON itself, which is no expectation.
            let data = (try? Data(contentsOf: folder.appending(path: name))) ?? Data()
            return try? JSONDecoder().decode(ExpectedList.self, from: data)
        }
    }()

    /// What readers of a directory see of it.
    public struct Seen {
        public var names: [String] = []
        /// The headings of columns with a value.
        public var headings: Set<String> = []
        public var values: Set<String> = []
        /// The headings and templates that fields are read from, by the fields' keys; `nil` if readers cannot know.
        public var sources: [String: String]?
        /// What the import said.
        public var report = ""

        public init() {}

        /// Adds the texts in a value of JSON.
        public mutating func add(_ value: Any) {
            switch value {
            case let list as [Any]: for value in list { add(value) }
            case let object as [String: Any]: for value in object.values { add(value) }
            case is NSNull: break
            default: values.insert("\(value)")
            }
        }
    }

    /// Returns what must be so and is not.
    public func missed(by seen: Seen) -> [String] {
        let names = Set(seen.names.map(Self.folded)), values = seen.values.map(Self.folded)
        let headings = Set(seen.headings.map(Self.folded))
        let sources = seen.sources?.mapValues(Self.folded)
        var missed: [String] = []
        let inactive = (expect.inactive?.must ?? 0) + (expect.inactive?.should ?? 0)
        if let people = expect.people.must {
            if ![people, people - inactive].contains(seen.names.count) {
                missed.append("\(seen.names.count) people instead of \(people)")
            } else if expect.inactive?.must != nil, seen.names.count == people, !Self.tells(seen.report, inactive) {
                missed.append("\(inactive) inactive people are shown")
            }
        }
        for forms in expect.names?.must ?? [] where !forms.contains(where: { names.contains(Self.folded($0)) }) {
            missed.append("nobody is called \(forms[0]), but \(seen.names.sorted().prefix(3))")
        }
        for text in expect.notPeople?.must ?? [] {
            let wrong = names.filter { $0 == Self.folded(text) || $0.hasPrefix(Self.folded(text) + " ") }
            missed += wrong.map { "somebody is called \($0)" }
        }
        for (heading, role) in expect.roles?.must ?? [:] {
            guard let sources else { break }
            let wanted = Self.folded(heading)
            let isRead = sources[role].map { $0 == wanted || $0.contains("{\(wanted)}") } ?? false
            if !isRead { missed.append("\(heading) is not \(role)") }
        }
        let isSeen = { (heading: String) in
            if headings.contains(Self.folded(heading)) { return true }
            return (cells[heading] ?? []).flatMap(Self.variants(of:)).contains { cell in
                values.contains { $0 == cell || cell.count >= 6 && $0.contains(cell) }
            }
        }
        missed += (expect.withheld?.must ?? []).filter(isSeen).map { "\($0) is public" }
        missed += (expect.public?.must ?? []).filter { !isSeen($0) }.map { "\($0) is not shown" }
        return missed
    }

    /// Whether a report says that so many people are inactive.
    private static func tells(_ report: String, _ count: Int) -> Bool {
        let words = [
            "inactive", "left", "leaver", "former", "disabled", "not active", "suspended", "deactivated", "end date",
            "not listed",
        ]
        return report.split(separator: "\n").contains { line in
            line.split { !$0.isNumber }.contains { Int($0) == count } && words.contains { line.contains($0) }
        }
    }

    /// Case, width and white space make no difference; in Han, Hangul and Kana there is none between the parts of a
    /// name.
    public static func folded(_ text: String) -> String {
        let words = text.precomposedStringWithCompatibilityMapping.lowercased().split(whereSeparator: \.isWhitespace)
        return words.reduce(into: "") { folded, word in
            if let last = folded.last, let first = word.first, !(last.isEastAsian && first.isEastAsian) {
                folded += " "
            }
            folded += word
        }
    }

    /// A value and, if it is a date, how ISO 8601 writes it, with day and month in either order.
    private static func variants(of value: String) -> [String] {
        guard let match = value.firstMatch(of: /^(\d{1,4})[.\/\- ]{1,2}(\d{1,2})[.\/\- ]{1,2}(\d{1,4})\b/),
            let a = Int(match.1), let b = Int(match.2), let c = Int(match.3)
        else { return [folded(value)] }
        let dates = [(a, b, c), (c, a, b), (c, b, a)].filter { year, month, day in
            (1900...2100).contains(year) && (1...12).contains(month) && (1...31).contains(day)
        }
        return [folded(value)] + dates.map { String(format: "%04d-%02d-%02d", $0, $1, $2) }
    }
}

extension Character {
    fileprivate var isEastAsian: Bool {
        unicodeScalars.allSatisfy {
            (0x3040...0x30FF).contains($0.value) || (0x3400...0x9FFF).contains($0.value)
                || (0xAC00...0xD7AF).contains($0.value)
        }
    }
}
