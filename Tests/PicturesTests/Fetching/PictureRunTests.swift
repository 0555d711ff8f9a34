import Base
import Foundation
import HTTPClient
import People
import Publishing
import StandIn
import Synchronization
import TestSupport
import Testing

@testable import Pictures

/// Addresses in memory in place of a store.
private final class MemoryPictures: PictureWriter {
    var sources: [PictureSource]
    private(set) var results: [PictureResult] = []
    private(set) var saves: [Int] = []
    private(set) var isCollected = false

    init(_ addresses: [String]) { sources = addresses.map { PictureSource(address: $0) } }

    func due(
        in directory: Slug?, at now: Int64, after position: (directory: Int64, user: Int64)?, limit: Int
    ) throws -> DuePictures {
        var due = DuePictures()
        let start = Int(position?.user ?? 0)
        due.sources = Array(sources.dropFirst(start).prefix(limit))
        let end = start + due.sources.count
        if end < sources.count { due.position = (1, Int64(end)) }
        return due
    }

    func save(_ results: [PictureResult], at now: Int64) throws -> PictureSaveCounts {
        self.results += results
        saves.append(results.count)
        return PictureSaveCounts(added: results.count, people: results.count)
    }

    func set(_ pictures: [Int64: MadePicture], in directory: Slug) throws -> Set<Int64> { [] }
    func removeOwnPicture(of user: Int64, in directory: Slug) throws -> Bool { false }
    func removePicture(
        of person: PersonSelector, in slug: Slug?
    ) throws -> [(directory: Slug, erased: [PictureKey])] { [] }
    func allowPicture(of person: PersonSelector, in slug: Slug?) throws -> Bool { false }
    func collectGarbage(at now: Int64) throws -> (pictures: Int, addresses: Int) {
        isCollected = true
        return (0, 0)
    }

    /// The outcome for an address, in a word or a reason.
    func outcome(_ address: String) -> String? {
        results.first { $0.source.address == address }.map { result in
            switch result.outcome {
            case .made: "made"
            case .unchanged: "unchanged"
            case .missing: "missing"
            case .failed(let reason): "failed: \(reason)"
            case .refused(let reason): "refused: \(reason)"
            }
        }
    }

    /// The sources that the store would have after the results were saved.
    var after: [PictureSource] {
        results.map { result in
            var source = result.source
            if case .made(_, let etag, let lastModified) = result.outcome {
                (source.etag, source.lastModified, source.key) = (etag, lastModified, PictureKey(7))
            }
            return source
        }
    }
}

/// Takes PNG for pictures, and nothing else.
private final class PNGMaker {
    struct Broken: Error {}
    var isBroken = false

    func make(_ file: [UInt8]) throws -> Result<MadePicture, RollcallError> {
        if isBroken { throw Broken() }
        guard file.starts(with: [0x89, 0x50, 0x4E, 0x47]) else {
            return .failure(RollcallError("expected PNG, found \(file.count) bytes"))
        }
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]
        return .success(try MadePicture(small: Array("RIFF1234WEBP5".utf8), medium: jpeg, large: jpeg))
    }
}

@Suite("Fetching pictures")
struct PictureRunTests {
    private let host: PictureHost
    private let maker = PNGMaker()

    init() throws { host = try PictureHost() }

    private func run(
        _ writer: MemoryPictures, rate: Double = 1000, limit: Int = 0,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) -> PictureSummary {
        var configuration = PictureRun.Configuration()
        configuration.requestsPerSecond = rate
        configuration.limit = limit
        configuration.isCancelled = isCancelled
        let servers = AskableServers(allowedNetworks: ["127.0.0.2/32"].compactMap(AddressRange.init))
        let network = Client.Network(proxy: .none) { servers.refusal(of: $0, port: $1) }
        let run = PictureRun(writer: writer, makers: [maker.make], configuration: configuration) {
            var limits = Client.Limits()
            limits.bodyBytes = PictureLimits.maxFetchedBytes
            limits.silence = .seconds(1)
            limits.answer = .seconds(3)
            let client = try Client(limits: limits, userAgent: "test/1", network: network)
            return { try client.fetch($0, whileWaiting: $1) }
        }
        return run.run { _ in }
    }

    private func isComplete(_ summary: PictureSummary) -> Bool {
        if case .complete = summary.end { true } else { false }
    }

    @Test func everyFaultHasItsOutcome() throws {
        let inward = try PictureHost(host: "127.0.0.1")
        let expected = [
            "/picture/1": "made", "/gzip/2": "made", "/moved/1/picture/3": "made", "/moved/3/picture/4": "made",
            "/moved/4/picture/5": "failed: 127.0.0.2: it redirects too often",
            "/loop": "failed: 127.0.0.2: it redirects too often",
            "/scheme": "failed: 127.0.0.2: it redirects to something that is not a web address",
            "/missing": "missing", "/gone": "missing", "/broken": "failed: 127.0.0.2: the host answered 500",
            "/text": "refused: 127.0.0.2: expected PNG, found 28 bytes",
            "/endless": "failed: 127.0.0.2: expected an answer of at most 4 MiB, found a longer one",
            "/drip": "failed: 127.0.0.2: did not answer in time",
            "/silence": "failed: 127.0.0.2: did not answer in time",
        ]
        let writer = MemoryPictures(expected.keys.map { host.url + $0 } + [inward.url + "/picture/1", "mailto:me"])
        let summary = run(writer)
        for (path, outcome) in expected { #expect(writer.outcome(host.url + path) == outcome) }
        #expect(
            writer.outcome(inward.url + "/picture/1")?.hasPrefix(
                "failed: 127.0.0.1: its address is not on the public internet") == true)
        #expect(writer.outcome("mailto:me")?.hasPrefix("refused: ") == true)
        #expect(inward.count == 0)
        #expect(isComplete(summary) && writer.isCollected)
        #expect(summary.progress.made == 4 && summary.progress.missing == 2 && summary.progress.refused == 2)
        #expect(summary.progress.done == expected.count + 2)
        let slow = try #require(summary.progress.failures["did not answer in time"])
        #expect(slow.count == 2 && Set(slow.first) == [host.url + "/drip", host.url + "/silence"])
    }

    @Test func aBodyThatIsCutOffIsAFailure() throws {
        #expect(run(MemoryPictures([host.url + "/cut"])).progress.failed == 1)
    }

    @Test func redirectsInwardAreNotFollowed() throws {
        let inward = try PictureHost(host: "127.0.0.1")
        let targets = [inward.url + "/picture/1", "http://localhost:\(inward.port)/picture/1"]
        let outward = try PictureHost { asked in .moved(to: targets[asked.target == "/0" ? 0 : 1]) }
        let writer = MemoryPictures([outward.url + "/0", outward.url + "/1"])
        #expect(run(writer).progress.failed == 2)
        #expect(
            writer.outcome(outward.url + "/0")?.hasPrefix(
                "failed: 127.0.0.1: its address is not on the public internet") == true)
        #expect(outward.count == 2 && inward.count == 0)
    }

    @Test func aHostSeesTwoConnectionsAndNoMoreRequestsThanAllowed() throws {
        let slow = try PictureHost { .late(0.03, Int($0.target.dropFirst()) ?? 0) }
        let writer = MemoryPictures((0..<60).map { "\(slow.url)/\($0)" })
        let summary = run(writer, rate: 40)
        #expect(summary.progress.made == 60 && slow.count == 60)
        #expect(slow.mostConnections == 2 && slow.mostRequests <= 2)
        #expect(slow.mostRequestsInASecond <= 42, "40 requests a second, and two that were on their way")
        #expect(summary.progress.elapsed > .seconds(1.4))
    }

    @Test func hostsAreAskedAtTheSameTime() throws {
        let hosts = try (0..<5).map { number in try PictureHost(host: "127.0.0.2") { _ in .late(0.2, number) } }
        // The fetcher tells hosts apart by name, not by port.
        #expect(run(MemoryPictures(hosts.map { "\($0.url)/1" })).progress.made == 5)
        #expect(hosts.map(\.mostRequests) == [1, 1, 1, 1, 1])
    }

    @Test func requestsTellNothingOfReaders() throws {
        #expect(run(MemoryPictures([host.url + "/moved/1/picture/3"])).progress.made == 1)
        for asked in host.log {
            #expect(Set(asked.fields.keys) == ["host", "user-agent", "accept", "accept-encoding"])
            #expect(asked.fields["accept"] == "image/webp, image/jpeg, image/png, image/gif")
        }
    }

    @Test func aSecondRunGetsNoBodies() throws {
        let writer = MemoryPictures((0..<60).map { "\(host.url)/picture/\($0)" })
        #expect(run(writer).progress.made == 60)
        host.clearLog()
        let second = MemoryPictures([])
        second.sources = writer.after
        #expect(run(second).progress.unchanged == 60)
        #expect(host.count == 60 && host.bodyBytes == 0 && host.statuses == [304: 60])
    }

    @Test func aHostThatAsksForALongPauseIsLeftAlone() throws {
        let limited = try PictureHost { _ in .answer(429, ["Retry-After": "3600"]) }
        let writer = MemoryPictures((0..<50).map { "\(limited.url)/\($0)" })
        let summary = run(writer)
        #expect(summary.progress.postponed == 50 && writer.results.isEmpty && limited.count <= 2)
        let pause = try #require(summary.comeBack)
        #expect(pause > .seconds(3500) && pause <= .seconds(3600))
    }

    @Test func aHostThatFailsTwentyTimesRests() throws {
        let summary = run(MemoryPictures((0..<50).map { "\(host.url)/broken/\($0)" }))
        #expect((20...21).contains(host.count) && summary.progress.failed == host.count)
        #expect(summary.progress.postponed == 50 - host.count)
    }

    @Test func aLimitEndsTheRun() throws {
        #expect(run(MemoryPictures((0..<60).map { "\(host.url)/picture/\($0)" }), limit: 7).progress.made == 7)
        #expect(host.count == 7)
    }

    @Test func resultsAreSavedAtLeastOnceASecond() throws {
        let writer = MemoryPictures((0..<30).map { "\(host.url)/picture/\($0)" })
        #expect(isComplete(run(writer, rate: 10)))
        #expect(writer.saves.count >= 3 && writer.saves.reduce(0, +) == 30)
    }

    @Test func aCancelledRunSavesWhatItHas() throws {
        let cancelled = Atomic(false)
        let mixed = try PictureHost { asked in
            if asked.target == "/9" { cancelled.store(true, ordering: .relaxed) }
            return asked.target == "/9" ? .silence : .picture(1)
        }
        let writer = MemoryPictures((0..<20).map { "\(mixed.url)/\($0)" })
        let start = ContinuousClock.now
        let summary = run(writer, rate: 20) { cancelled.load(ordering: .relaxed) }
        let isCancelled = if case .cancelled = summary.end { true } else { false }
        #expect(isCancelled, "\(summary.end)")
        #expect(writer.results.count == summary.progress.made && (8...11).contains(writer.results.count))
        #expect(!writer.isCollected && ContinuousClock.now - start < .seconds(60))
    }

    /// Other requests are given up, and what is done is saved.
    @Test func aWorkerThatDoesNotStartEndsTheRun() throws {
        maker.isBroken = true
        let host = try PictureHost { asked in
            switch asked.target {
            case "/missing": .answer(404)
            case "/silence": .silence
            default: .late(0.5, 1)
            }
        }
        let writer = MemoryPictures(["/missing", "/late", "/silence"].map { host.url + $0 })
        let start = ContinuousClock.now
        let summary = run(writer)
        #expect(writer.outcome(host.url + "/missing") == "missing" && ContinuousClock.now - start < .seconds(60))
        let hasFailed = if case .failed(let error) = summary.end { error is PNGMaker.Broken } else { false }
        #expect(hasFailed, "\(summary.end)")
    }
}
