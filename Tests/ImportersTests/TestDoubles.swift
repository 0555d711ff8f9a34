import Base
import Foundation
import People
import Publishing
import Synchronization

@testable import Importers

/// A directory in memory.
final class MemoryWriter: DirectoryWriter {
    private(set) var users: [Int64: User] = [:]
    /// The users in the order of the source, before those of one identity become one.
    private(set) var read: [User] = []
    private(set) var batches: [Int] = []
    private(set) var merges: [(from: Int64, into: Int64)] = []
    private(set) var checkpoints: [Checkpoint] = []
    private var written: Set<Int64>?
    var onWrite: () throws -> Void = {}

    private(set) var directory: StoredDirectory = {
        guard let slug = Slug("test") else { preconditionFailure("\"test\" is a slug") }
        return StoredDirectory(Directory(id: 1, slug: slug, title: "Test", source: "file", total: 0, generation: 0))
    }()

    private(set) var importsNoted = 0

    func adopt(_ terms: Terms) {}
    func adopt(_ settings: DirectorySettings) { directory.settings = ResolvedSettings(settings) }
    func noteImport() { importsNoted += 1 }
    func goneNamesakes() -> [(id: Int64, handle: String, newHandle: String)] { [] }
    func keep(_ ids: [Int64]) {}

    /// The users written since `begin()`.
    private var saved: (users: [Int64: User], batches: [Int], checkpoints: [Checkpoint], written: Set<Int64>?)?
    private(set) var transactions: [Int] = []
    private(set) var rollbacks = 0
    var maxBatches = Int.max

    func begin() {
        precondition(saved == nil, "a transaction is open")
        saved = (users, batches, checkpoints, written)
        transactions.append(0)
    }

    func append(_ batch: UserBatch, checkpoint: Checkpoint?) throws -> WriteCounts {
        precondition(saved != nil, "no transaction is open")
        transactions[transactions.count - 1] += 1
        try onWrite()
        if let checkpoint { checkpoints.append(checkpoint) }
        return save(batch)
    }

    /// Adds people in a transaction of their own.
    func write(_ users: [User]) throws -> WriteCounts {
        begin()
        let counts = try append(UserBatch(users), checkpoint: nil)
        try commit()
        return counts
    }

    var isFull: Bool { transactions.last == maxBatches }

    func commit() throws {
        precondition(saved != nil, "no transaction is open")
        saved = nil
    }

    func rollback() {
        guard let saved else { return }
        (users, batches, checkpoints, written) = saved
        self.saved = nil
        rollbacks += 1
    }

    private func save(_ batch: UserBatch) -> WriteCounts {
        read += batch.records.indices.map(batch.user)
        batch.resolveAlone()
        batch.sort()
        batches.append(batch.records.count)
        merges += batch.merges
        var counts = WriteCounts(repeated: batch.repeated)
        for user in batch.records.indices.map(batch.user) {
            let old = users.updateValue(user, forKey: user.id)
            if old == nil {
                counts.added += 1
            } else if old == user {
                counts.unchanged += 1
            } else {
                counts.changed += 1
            }
            written?.insert(user.id)
            missing.remove(user.id)
        }
        return counts
    }

    private var totalBefore = 0

    func beginPruning() throws { (written, totalBefore) = ([], users.count) }

    /// The users who were missing when ``PruningRule/missingTwice`` was applied.
    private var missing: Set<Int64> = []

    private func gone(_ rule: PruningRule) -> [Int64] {
        users.keys.filter { written?.contains($0) == false && (rule == .missing || missing.contains($0)) }
    }

    func departures() -> Pruning { Pruning(gone: 0, total: totalBefore) }
    func removeDeparted() -> Int { 0 }

    func pruning(_ rule: PruningRule) -> Pruning {
        let gone = gone(rule).count
        return Pruning(gone: gone, missingOnce: self.gone(.missing).count - gone, total: totalBefore)
    }

    func removeUsersNotWritten(_ rule: PruningRule) throws -> Int {
        let gone = gone(rule)
        for id in gone { users[id] = nil }
        if rule == .missingTwice { missing = Set(self.gone(.missing)) }
        return gone.count
    }

    var sorted: [User] { users.values.sorted { $0.id < $1.id } }
}

/// The outcome of an import, and its notes.
struct Imported {
    let summary: ImportSummary
    var notes: [String] = []
    var rejections: [String] = []

    var error: String { summary.message }
}

/// Imports from `source` into `writer`; without one, as a dry run does.
func imported(
    _ source: some ImportSource, into writer: MemoryWriter? = nil, _ configuration: ImportRun.Configuration = .init()
) -> Imported {
    var (notes, rejections): ([String], [String]) = ([], [])
    let summary = ImportRun(writer: writer, configuration: configuration).run(source) { event in
        switch event {
        case .note(let note): notes.append(note)
        case .rejected(let rejection): rejections.append("\(rejection)")
        default: break
        }
    }
    return Imported(summary: summary, notes: notes, rejections: rejections)
}

extension ImportSummary {
    var isComplete: Bool { if case .complete = end { true } else { false } }

    /// The error that ended the import, if one did.
    var failure: (any Error)? { if case .failed(let error) = end { error } else { nil } }

    /// The message of the error; empty without one.
    var message: String { failure.map { "\($0)" } ?? "" }
}

/// A sink that keeps what a reader produces, in order.
final class MemorySink: RecordSink {
    var users: [User] = []
    var rejections: [String] = []
    var notes: [String] = []
    var layout: FileLayout?

    private var decoder: RecordDecoder?

    /// - Parameter names: By default those that the first record tells.
    init(names: ColumnNames?) { decoder = names.map { RecordDecoder(names: $0) } }

    func take(_ record: SourceRecord, at place: @autoclosure () -> String) throws {
        let batch = UserBatch()
        do {
            var decoder = self.decoder ?? RecordDecoder(names: ColumnNames(of: record))
            defer { self.decoder = decoder }
            try decoder.append(record, to: batch)
            users.append(batch.user(0))
        } catch { rejections.append(Rejection(place: place(), reason: error.reason).description) }
    }
    func reject(_ rejection: Rejection) { rejections.append(rejection.description) }
    func note(_ text: String) { notes.append(text) }
    func describe(_ layout: FileLayout, _ header: CSVHeader?) { self.layout = layout }
}

/// A source of users from memory.
struct ListSource: ImportSource {
    var users: [User] = []
    var rejections: [Rejection] = []
    var failure: RollcallError?

    func read(into sink: ImportSink) throws {
        for user in users { try sink.add(user) }
        for rejection in rejections { try sink.reject(rejection) }
        if let failure { throw failure }
    }
}

/// Returns what is read from `pieces` of one file and what is rejected, with the error's message last.
func read(
    _ pieces: [ArraySlice<UInt8>], names: ColumnNames? = nil, format: ImportFormat? = nil,
    headerLine: Int? = nil, language: String = "und"
) -> MemorySink {
    let sink = MemorySink(names: names)
    let whole = pieces.reduce(into: [UInt8]()) { $0 += $1 }
    do {
        let source = FileSource(path: "-", options: .init(format: format, headerLine: headerLine))
        var reader = try whole.withUnsafeBytes {
            let format = source.format(of: $0)
            return try source.records(in: $0, as: format, names ?? ColumnNames())(FileLayout(format: format), language)
        }
        for piece in pieces { try piece.withUnsafeBytes { try reader.read($0, into: sink) } }
        try reader.finish(into: sink)
    } catch { sink.rejections.append("\(error)") }
    return sink
}

func read(
    _ text: String, names: ColumnNames? = nil, format: ImportFormat? = nil, headerLine: Int? = nil
) -> MemorySink {
    read([Array(text.utf8)[...]], names: names, format: format, headerLine: headerLine)
}

/// Returns the names by which columns are read with `--map`.
func mapped(_ columns: [(key: String, template: String)], _ source: SourceLayout = .unknown) -> ColumnNames {
    var settings = DirectorySettings()
    settings.own.fields = columns.map { FieldSettings(key: $0.key, from: $0.template) }
    return ColumnNames(ImportSchema(ImportRequest(), settings, source))
}

extension ColumnNames {
    /// The names by which records are read that are like `record`, without settings.
    init(of record: SourceRecord) {
        let survey = RecordSurvey()
        try? survey.add(record)
        let source = survey.source.isLearned ? .unknown : survey.source
        self.init(ImportSchema(ImportRequest(), DirectorySettings(), source))
    }
}

extension UserBatch {
    /// Gives users without an id, or without a login, what a store gives them, as far as tests depend on it.
    func resolveAlone() {
        _ = resolve(all: false) { _, user in
            let identity = Array(buffer.bytes[user.identity]) + Array(buffer.bytes[user.apart])
            let known = Int64(identity.withUnsafeBytes { SipHash.hash($0, key: (1, 1)) } >> 11)
            if user.id > 0, !user.identity.isEmpty { merges.append((from: known, into: user.id)) }
            if user.id == 0 { user.id = known }
            if user.login.isEmpty {
                let slug = Handle.slug(String(decoding: buffer.bytes[user.name], as: UTF8.self))
                set(handle: slug.isEmpty ? "user" : slug, of: &user)
            }
            return true
        }
        removeMerged()
    }
}

/// Returns the user that a JSON object decodes to.
func user(_ json: String, names: ColumnNames? = nil) throws -> User {
    let batch = UserBatch()
    try Array(json.utf8).withUnsafeBytes { bytes in
        var decoder = RecordDecoder(names: names ?? ColumnNames(of: .object(bytes)))
        try decoder.append(.object(bytes), to: batch)
    }
    batch.resolveAlone()
    return batch.user(0)
}
