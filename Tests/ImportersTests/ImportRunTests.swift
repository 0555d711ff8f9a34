import Base
import People
import Publishing
import Testing

@testable import Importers

private func people(_ ids: ClosedRange<Int64>) -> [User] { ids.map { User(id: $0, login: "u\($0)") } }

@Suite("ImportRun")
struct ImportRunTests {
    let writer = MemoryWriter()

    private func run(
        _ source: ListSource, change: (inout ImportRun.Configuration) -> Void = { _ in }
    ) -> ImportSummary {
        var configuration = ImportRun.Configuration()
        change(&configuration)
        return ImportRun(writer: writer, configuration: configuration).run(source)
    }

    @Test func batchesAreWrittenAndCounted() {
        let summary = run(ListSource(users: people(1...25))) { $0.batchSize = 10 }
        #expect(writer.batches == [10, 10, 5])
        #expect(summary.counts == WriteCounts(added: 25))
        #expect(summary.progress.users == 25)
    }

    @Test func batchesOfLongTextAreSmaller() {
        let bio = "{\"bio\":\"\(String(repeating: "x", count: 60_000))\"}"
        let users = (1...150).map { User(id: $0, login: "u\($0)", more: bio) }
        #expect(run(ListSource(users: users)).counts.added == 150)
        #expect(writer.batches == [35, 35, 35, 35, 10])
        #expect(writer.sorted == users)
    }

    @Test func aBatchIsSortedAndHasEachIDOnce() {
        let users = [3, 1, 3, 2, 3].map { User(id: $0, login: "u\($0)") } + [User(id: 2, login: "late")]
        let summary = run(ListSource(users: users))
        #expect(summary.counts == WriteCounts(added: 3, repeated: 3))
        #expect(summary.progress.users == 6)
        #expect(writer.sorted.map(\.login) == ["u1", "late", "u3"])
    }

    @Test func rejectionsAreReportedAndCounted() {
        let rejections = (1...3).map { Rejection(place: "line \($0)", reason: "bad") }
        var told: [Rejection] = []
        let summary = ImportRun(writer: writer).run(ListSource(users: people(1...2), rejections: rejections)) { event in
            if case .rejected(let rejection) = event { told.append(rejection) }
        }
        #expect(told == rejections)
        #expect(summary.progress.rejected == 3)
        #expect(summary.counts.added == 2)
    }

    @Test func aDryRunCountsAndWritesNothing() {
        #expect(ImportRun(writer: nil).run(ListSource(users: people(1...7))).progress.users == 7)
    }

    @Test func aFailingSourceKeepsEarlierUsers() {
        let summary = run(ListSource(users: people(1...7), failure: RollcallError("lost")))
        #expect(summary.failure as? RollcallError == RollcallError("lost") && writer.users.count == 7)
    }

    @Test func aFailingWriterStopsTheSource() {
        writer.onWrite = { throw RollcallError("disk full") }
        let summary = run(ListSource(users: people(1...10_000))) { $0.batchSize = 1 }
        #expect(summary.failure != nil && writer.users.isEmpty)
    }

    @Test func aTransactionTakesBatchesUntilItIsFull() {
        writer.maxBatches = 2
        #expect(run(ListSource(users: people(1...55))) { $0.batchSize = 10 }.counts.added == 55)
        #expect(writer.transactions.allSatisfy { (1...2).contains($0) })
        #expect(writer.transactions.reduce(0, +) == 6)
    }

    @Test func aFailedBatchDiscardsItsTransaction() {
        writer.maxBatches = 2
        writer.onWrite = { [unowned writer] in
            if writer.transactions.reduce(0, +) == 4 { throw RollcallError("disk full") }
        }
        let summary = run(ListSource(users: people(1...100))) { $0.batchSize = 10 }
        #expect(summary.failure != nil && writer.rollbacks == 1)
        #expect(writer.users.count == writer.transactions.dropLast().reduce(0, +) * 10)
        #expect(summary.counts.added == writer.users.count)
    }

    @Test func aCancelledRunEndsAfterTheCurrentBatch() {
        let summary = run(ListSource(users: people(1...10_000))) { configuration in
            (configuration.batchSize, configuration.prune) = (10, .few)
            writer.onWrite = { [cancellation = configuration.cancellation] in cancellation.cancel() }
        }
        #expect("\(summary.end)" == "cancelled" && writer.users.count == 10 && summary.removed == nil)
    }

    @Test func pruningRemovesMissingUsers() throws {
        _ = try writer.write(people(1...10))
        let limited = run(ListSource(users: people(4...6))) { $0.prune = .few }
        let refusal =
            "test: --prune would remove 7 of 10 people (70 %): nobody was removed. If that is right: --prune=all"
        #expect(limited.message == refusal)
        #expect(writer.sorted == people(1...10))
        #expect(run(ListSource(users: people(4...6))) { $0.prune = .all }.removed == 7)
        #expect(writer.sorted == people(4...6))
    }

    @Test func aCutFileRemovesNobodyEvenBesideRejections() throws {
        _ = try writer.write(people(1...3))
        let prune = { (rejection: Rejection) in
            run(ListSource(users: people(1...2), rejections: [rejection])) {
                $0.prune = .allBesideRejections
            }
        }
        let cut = Rejection(place: "line 3", reason: "cut", isCut: true)
        let kept = prune(cut)
        #expect(kept.cut == cut && kept.removed == nil)
        #expect(prune(Rejection(place: "line 3", reason: "bad")).removed == 1)
    }

    @Test(arguments: [
        (
            ListSource(users: people(1...1), rejections: [Rejection(place: "line 1", reason: "bad")]),
            "some records were rejected"
        ),
        (ListSource(users: people(1...1), failure: RollcallError("lost")), "the import did not reach its end"),
        (ListSource(), "the source is empty"),
    ])
    func anIncompleteRunRemovesNobody(_ source: ListSource, _ reason: String) throws {
        _ = try writer.write(people(1...10))
        let summary = run(source) { $0.prune = .few }
        #expect(summary.keptBecause == reason)
        #expect(summary.removed == nil)
        #expect(writer.users.count == 10)
    }

    @Test func anEmptySourceOpensNoWriter() {
        var isOpened = false
        let run = ImportRun {
            isOpened = true
            return writer
        }
        _ = run.run(ListSource(failure: RollcallError("not there")))
        #expect(!isOpened)
        _ = run.run(ListSource())
        #expect(!isOpened, "no empty directory is left behind")
        _ = run.run(ListSource(users: people(1...1)))
        #expect(isOpened)
    }
}
