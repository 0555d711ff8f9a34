import Base
import People
import Publishing

/// An event of a running import.
public enum ImportEvent: Sendable {
    case rejected(Rejection)
    case note(String)
    /// The settings by which the source is read, before its first record.
    case schema(ImportSchema)
    case progress(ImportProgress)
}

/// The progress of an import.
public struct ImportProgress: Sendable {
    /// The number of users read and saved; in a dry run, only read.
    public var users = 0
    public var rejected = 0
    public var losses = ImportLosses()
    public var leftOut = LeftOutRecords()
    public var bytesRead: Int64 = 0
    /// The number of bytes to read, if known.
    public var size: Int64?
    public var elapsed: Duration = .zero
    /// The state of the service, if the source is one.
    public var service = ServiceStatus()

    public init() {}
}

/// The state of an import from a service.
public struct ServiceStatus: Equatable, Sendable {
    public var pages = 0
    public var requests = 0
    public var quota: Quota?
    /// The number of users that the service has, and the number of them imported so far, earlier runs included.
    public var expected: Int?
    public var reached = 0
    /// Whether this run continues an interrupted one, and so does not see the users that the earlier run saw.
    public var isContinued = false
    /// The number of users in lists that were left out, because the service has no record for them.
    public var missing = 0
    /// Whether users who exist may have been on no page of a complete run.
    public var mayMissUsers = false
    /// Why the service has sent only some of its users, if so.
    public var cutBecause: String?
    /// Whether the source was skipped because it has not changed since the last import.
    public var isUnchanged = false
    /// The reason for the current pause, if any.
    public var waiting: Backoff?

    public init() {}
}

/// The result of an import.
public struct ImportSummary: Sendable {
    public enum End: Sendable {
        case complete, cancelled
        case failed(any Error)
    }

    public var end = End.complete
    public var progress = ImportProgress()
    public var counts = WriteCounts()
    /// The settings by which the source was read, if it was read.
    public var schema: ImportSchema?
    /// The sheet that was read, if the source is a workbook, and the doubt about it.
    var sheet: String?
    var sheetDoubt: String?
    /// What the table was taken for, if the source is one.
    var reading: TableReading?
    /// The record in whose middle the file ends, if it does.
    public var cut: Rejection?
    /// Whether the last row of a text has no line end.
    public var lacksLineEnd = false
    /// The first people, in a dry run.
    public var preview = ImportPreview()
    /// The photos beside the file, and the people that they show.
    public var photos: [FoundPhoto] = []
    /// Whether a dry run has counted what an import would change.
    public var isCompared = false
    /// The number of records that were read, and not saved because the run ended early.
    public var unsaved = 0
    /// The new people whose name somebody has whom the source has lost.
    public var goneNamesakes: [GoneNamesake] = []
    /// The number of users removed; `nil` unless the run was to remove users and did.
    public var removed: Int?
    /// The reason that no users were removed although the run was to remove them.
    public var keptBecause: String?

    public init(end: End = .complete) { self.end = end }

    /// What was left out, and what may be wrong, in a line for each kind.
    public var notes: [String] { progress.losses.lines + goneNamesakes.map(\.advice) }
}

extension GoneNamesake {
    /// Says what the publisher may decide.
    var advice: String {
        """
        \(handle) is not in the source any more, and \(newHandle) of the same name is new: both stay. --adopt \(handle) \
        says that they are one person; --prune=all removes \(handle)
        """
    }
}

/// The data that an import leaves out. Each kind is counted and reported in one line with its first example.
public struct ImportLosses: Equatable, Sendable {
    public enum Kind: Int, CaseIterable, Sendable {
        /// A link with a scheme other than http, https, mailto and tel.
        case link
        /// A photo whose file does not exist.
        case photo
        /// A file that is named as a photo but is not one, or must not be read.
        case droppedPhoto
        /// A photo that was found, for the report.
        case foundPhoto
        /// A person without a value in the key column, who is known by name.
        case withoutKey
        /// A person who is left out because no column has a name of theirs.
        case withoutName
        /// An e-mail address, or a link that writes to one or calls a number, in a column of other values.
        case address
        /// An address, a number or an account in a column of names of others at work.
        case relation
        /// A row that replaces an earlier row with the same key and name.
        case repeatedKey
        /// A row that has the key of an earlier row of another name.
        case sharedKey
        /// A row of a person who is known by name, and whose name an earlier row has.
        case sameName
        /// A person of whom a table says nothing but the name.
        case onlyName
    }

    /// One of them.
    public struct Loss: Equatable, Sendable {
        var kind: Kind
        var text: String

        init(_ kind: Kind, _ text: String) {
            self.kind = kind
            self.text = text
        }
    }

    private struct Count: Equatable, Sendable {
        var count = 0
        var text = ""
        /// The locations of the first ones.
        var places: [String] = []
    }

    /// Further locations are counted but not listed.
    private static let maxPlaces = 100
    private var counts: [Count] = Kind.allCases.map { _ in Count() }

    public init() {}

    public subscript(kind: Kind) -> Int { counts[kind.rawValue].count }

    mutating func add(_ loss: Loss, at place: @autoclosure () -> String) {
        let index = loss.kind.rawValue
        counts[index].count += 1
        if counts[index].count == 1 { counts[index].text = loss.text }
        if counts[index].places.count < Self.maxPlaces { counts[index].places.append(place()) }
    }

    static func += (total: inout ImportLosses, more: ImportLosses) {
        for index in total.counts.indices where more.counts[index].count > 0 {
            if total.counts[index].count == 0 { total.counts[index].text = more.counts[index].text }
            total.counts[index].count += more.counts[index].count
            let room = maxPlaces - total.counts[index].places.count
            total.counts[index].places += more.counts[index].places.prefix(room)
        }
    }

    /// A line for each kind that occurred.
    public var lines: [String] {
        Kind.allCases.compactMap { kind in
            let count = counts[kind.rawValue]
            return count.count == 0 ? nil : line(kind, count)
        }
    }

    private func line(_ kind: Kind, _ count: Count) -> String {
        let first = count.places.first ?? ""
        switch kind {
        case .link:
            return "\(counted(count.count, "link")) dropped, first in \(first): \(count.text) "
                + "(expected an http, https, mailto or tel URL)"
        case .photo:
            let text = count.text.isEmpty ? "" : ": \(count.text)"
            return "\(counted(count.count, "photo")) not found, first in \(first)\(text)"
        case .droppedPhoto:
            return "\(counted(count.count, "photo")) dropped, first in \(first): \(count.text)"
        case .foundPhoto: return "\(counted(count.count, "photo")) found"
        case .withoutKey:
            return "\(counted(count.count, "person has", "people have")) no value in \(count.text) and "
                + "\(count.count == 1 ? "is" : "are") known by name: \(Self.list(count))"
        case .withoutName:
            return
                "\(counted(count.count, "person", "people")) left out, because they have no name, or only an address, "
                + "a number or an account: \(Self.list(count))"
        case .address, .relation:
            let reason = kind == .address ? "an e-mail address or a phone number" : "not the name of a person"
            return "\(counted(count.count, "value")) withheld, each \(reason), first in \(first): \(count.text) "
                + "(--publish shows a column as it is)"
        case .sharedKey:
            return "\(counted(count.count, "row has", "rows have")) the \(count.text) of an earlier row, under another "
                + "name; both people stay: \(Self.list(count))"
        case .sameName:
            let means = count.text.isEmpty ? "their order tells them apart" : "\(count.text) tells them apart"
            return "\(counted(count.count, "row has", "rows have")) the name of an earlier row; \(means): "
                + "\(Self.list(count))"
        case .onlyName:
            return "only the name of \(counted(count.count, "person", "people")) is known: \(Self.list(count))"
        case .repeatedKey:
            return "\(counted(count.count, "row has", "rows have")) the key of an earlier row; the later one "
                + "counts: \(Self.list(count))"
        }
    }

    private static func list(_ count: Count) -> String {
        let unlisted = count.count - count.places.count
        return count.places.joined(separator: ", ") + (unlisted > 0 ? " and \(unlisted) more" : "")
    }
}

/// The first people of a source, and the layout of its file, for a dry run.
public struct ImportPreview: Sendable {
    public static let maxPeople = 5

    public struct Person: Sendable {
        public var place: Int64
        public var name: String
        /// The values of the fields in rows.
        public var facts: [String]
        /// The location, or else the country or the organization, if rows do not show it.
        public var location: String
        public var handle: String
        public var hasPhoto: Bool
    }

    public var people: [Person] = []
    /// The name of the file without its folders; `nil` if the source is not a file.
    public var fileName: String?
    public var layout: FileLayout?

    public init() {}

    /// Adds the first users of `batch`, in the order of the file.
    mutating func add(_ batch: ImportBatch, _ settings: ShownSettings) {
        fileName = batch.fileName ?? fileName
        layout = batch.layout ?? layout
        guard people.count < Self.maxPeople else { return }
        let reader = FieldReader(settings)
        let bytes = batch.users.buffer.bytes
        let order = batch.users.records.filter { !$0.isHidden && !$0.isLeftOut }.sorted { $0.place < $1.place }
        for user in order.prefix(Self.maxPeople - people.count) {
            reader.read(user.columns.bytes(in: bytes))
            let text = { (slice: ByteSlice) in String(decoding: bytes[slice], as: UTF8.self) }
            let name = text(user.name.isEmpty ? user.login : user.name)
            let isGenerated = user.generated.contains(.login) || user.login.isEmpty
            people.append(
                Person(
                    place: user.place > 0 ? user.place : Int64(people.count + 1), name: name,
                    facts: settings.rows.map { Self.text(reader, $0) }.filter { !$0.isEmpty },
                    location: Self.location(reader),
                    handle: isGenerated ? handle(of: name, settings) : text(user.login),
                    hasPhoto: !user.avatarURL.isEmpty || batch.photos.contains(user.place)))
        }
    }

    private static func location(_ reader: FieldReader) -> String {
        for role in [FieldRole.location, .country, .organization] {
            guard let index = reader.settings.fields.index(of: role), !reader.settings.rows.contains(index) else {
                continue
            }
            let text = text(reader, index)
            if !text.isEmpty { return text }
        }
        return ""
    }

    private static func text(_ reader: FieldReader, _ index: Int) -> String {
        String(decoding: reader.text(of: index), as: UTF8.self)
    }

    /// Returns the handle that a person called `name` gets in a new directory.
    private func handle(of name: String, _ settings: ShownSettings) -> String {
        let slug = Handle.slug(name, language: settings.language)
        let base = slug.isEmpty ? "user" : slug
        var handle = base
        var number = 1
        while people.contains(where: { $0.handle == handle }) {
            number += 1
            handle = "\(base)-\(number)"
        }
        return handle
    }
}

/// A column of a file, and its use.
public struct ColumnPreview: Sendable {
    public var heading: String
    /// The key of the field; `withheld` or `dropped` for a column that is not stored.
    public var key: String
    /// Where it is shown: `row card`, `row`, `profile`, `nobody`.
    public var shown: String
    public var isSearched: Bool
    /// The number of different values among the records read ahead; `nil` if the field is not a filter.
    public var filterValues: Int?
    /// The type and its format, unless it is text: `date d.m.y`.
    public var type: String
    public var example: String

    /// Whether the column is not stored.
    public var isLeftOut: Bool { key == "withheld" || key == "dropped" }
}

extension ImportSchema {
    /// The columns of the file, in order.
    public var columnPreviews: [ColumnPreview] {
        let withheld = Set(withheld)
        return survey.columns.filter { HandleHeading($0.heading) == nil }.map { column in
            let heading = column.heading
            if resolved.visibility(ofColumn: heading) == .never {
                return ColumnPreview(
                    heading: heading, key: withheld.contains(heading) ? "withheld" : "dropped", shown: "",
                    isSearched: false, type: "", example: "")
            }
            let name = heading.lowercased()
            let template = resolved.fields.firstIndex { field in
                field.role == .name && field.source.columns.contains { $0.lowercased() == name }
            }
            let index = template ?? resolved.fields.firstIndex { $0.source.onlyColumn?.lowercased() == name }
            return preview(column, index)
        }
    }

    private func preview(_ column: SurveyedColumn, _ index: Int?) -> ColumnPreview {
        let isPublic = resolved.visibility(ofColumn: column.heading) == .public
        var example = isPublic ? Self.example(column) : "(private)"
        guard let index else {
            return ColumnPreview(
                heading: column.heading, key: "-", shown: resolved.others == .private ? "nobody" : "-",
                isSearched: false,
                type: "", example: example)
        }
        let field = resolved.fields[index]
        let others = field.source.columns.filter { $0.lowercased() != column.heading.lowercased() }
        if !others.isEmpty, field.source.columns.first?.lowercased() == column.heading.lowercased() {
            example += " (+ \(others.joined(separator: ", ")))"
        }
        let isInEveryRow = field.role == .name || field.role == .photo
        let shown = resolved.shown
        let isIn = { (list: [Int]) in list.contains { shown.fields[$0].key == field.key } }
        let places = [
            isInEveryRow || isIn(shown.rows) ? "row" : nil, isInEveryRow || isIn(shown.cards) ? "card" : nil,
        ].compactMap(\.self)
        return ColumnPreview(
            heading: column.heading, key: field.key,
            shown: field.visibility == .private ? "nobody" : places.isEmpty ? "profile" : places.joined(separator: " "),
            isSearched: field.visibility == .public
                && (isIn(shown.searched) || field.role == .name || field.role == .login),
            filterValues: isIn(shown.filters) ? Self.values(of: column, field.field) : nil,
            type: Self.type(field.field), example: example)
    }

    /// The first value that readers will see: those with addresses, and colleagues' accounts, are withheld one by one.
    private static func example(_ column: SurveyedColumn) -> String {
        let isRelation = Withheld.isRelation(heading: column.heading)
        return column.values.lazy.map(text).first { text in
            Array(text.utf8).withUnsafeBytes { bytes in
                !PersonalValue.hasAddress(bytes) && (!isRelation || PersonName.isOfPerson(bytes))
            }
        } ?? ""
    }

    private static func text(_ value: SurveyedColumn.Value) -> String {
        switch value {
        case .text(let text): text
        case .list(let texts): texts.joined(separator: ", ")
        case .object: "{…}"
        }
    }

    private static func values(of column: SurveyedColumn, _ field: Field) -> Int {
        var values: Set<String> = []
        for value in column.values {
            switch value {
            case .text(let text):
                let separator = field.type == .list ? field.separator : nil
                let parts = separator.map { text.components(separatedBy: $0) } ?? [text]
                values.formUnion(parts.map { $0.trimmed.folded }.filter { !$0.isEmpty })
            case .list(let texts): values.formUnion(texts.map(\.folded))
            case .object: break
            }
        }
        return values.count
    }

    private static func type(_ field: Field) -> String {
        switch field.type {
        case .text: return ""
        case .list: return field.separator.map { "list \($0)" } ?? "list"
        case .date: return "date \(field.format.map { $0.map(String.init).joined(separator: ".") } ?? "y-m-d")"
        case .number: return field.format.map { "number \($0)" } ?? "number"
        case .link, .boolean: return field.role == .photo || field.role == .website ? "" : field.type.rawValue
        }
    }

    static func list(_ words: [String]) -> String {
        words.count < 2
            ? words.first ?? "" : words.dropLast().joined(separator: ", ") + " and " + words[words.count - 1]
    }
}
