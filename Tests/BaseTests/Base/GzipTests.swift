import Foundation
import TestSupport
import Testing

@testable import Base

/// Returns bytes that compress neither to almost nothing nor not at all.
private func sample(_ count: Int) -> [UInt8] {
    var state: UInt64 = 42
    return (0..<count).map { index in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return index % 3 == 0 ? UInt8(truncatingIfNeeded: state >> 60) : 0x61
    }
}

@Suite("GzipCompressor")
struct GzipCompressorTests {
    @Test(arguments: [0, 1, 100, 4096, 100_000, 2_000_000])
    func everySizeRoundTrips(_ count: Int) throws {
        let bytes = sample(count)
        let buffer = ByteBuffer()
        bytes.withUnsafeBytes { GzipCompressor().compress($0, into: buffer) }
        #expect(try Gzip.inflated([UInt8](buffer).span) == bytes)
        #expect(try Gzip.inflated(Gzip.compressed(bytes).span) == bytes)
    }

    @Test func incompressibleBytesRoundTrip() throws {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        #expect(try Gzip.inflated(Gzip.compressed(bytes, level: 1).span) == bytes)
    }

    @Test func aReusedCompressorMakesTheSameMembersAsANewOne() {
        let compressor = GzipCompressor()
        let buffer = ByteBuffer()
        for count in [10, 10_000, 0, 10] {
            buffer.removeAll()
            sample(count).withUnsafeBytes { compressor.compress($0, into: buffer) }
            let fresh = ByteBuffer()
            sample(count).withUnsafeBytes { GzipCompressor().compress($0, into: fresh) }
            #expect([UInt8](buffer) == [UInt8](fresh))
        }
    }

    @Test func theHeaderContainsNoTime() {
        #expect(Array(Gzip.compressed([1, 2, 3])[..<8]) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
    }

    @Test func membersAreAppended() throws {
        let buffer = ByteBuffer()
        buffer.append("head ")
        [UInt8](1...9).withUnsafeBytes { GzipCompressor().compress($0, into: buffer) }
        #expect(try Gzip.inflated([UInt8](buffer).span.extracting(5...)) == [UInt8](1...9))
    }

    @Test func gzipItselfReadsIt() throws {
        let folder = try TestFolder()
        let gzip = try Program(
            Program.find("gzip"), ["-d", folder.write("sample.gz", Gzip.compressed(sample(50_000)))])
        #expect(gzip.wait() == 0)
        #expect(try Data(contentsOf: folder.folder.appending(path: "sample")) == Data(sample(50_000)))
    }
}

@Suite("GzipInflater")
struct GzipInflaterTests {
    /// Returns the output when `bytes` arrive `step` at a time and are taken `room` at a time.
    private func inflated(_ bytes: [UInt8], step: Int, room: Int) throws -> [UInt8] {
        let inflater = GzipInflater()
        var result: [UInt8] = []
        var output = [UInt8](repeating: 0, count: room)
        for start in stride(from: 0, to: bytes.count, by: step) {
            var rest = bytes[start..<min(start + step, bytes.count)]
            while true {
                let (taken, made) = try rest.withUnsafeBytes { input in
                    try output.withUnsafeMutableBytes { try inflater.inflate(input, into: $0) }
                }
                rest = rest.dropFirst(taken)
                result += output[..<made]
                if made == 0, rest.isEmpty { break }
            }
        }
        try inflater.finish()
        return result
    }

    @Test(arguments: [1, 2, 7, 1000], [1, 3, 1000])
    func everySplitGivesTheSameBytes(_ step: Int, _ room: Int) throws {
        #expect(try inflated(Gzip.compressed(sample(3000)), step: step, room: room) == sample(3000))
    }

    @Test(arguments: [1, 5, 10_000])
    func membersAreJoined(_ step: Int) throws {
        let bytes = Gzip.compressed(sample(100)) + Gzip.compressed([]) + Gzip.compressed(sample(50))
        #expect(try inflated(bytes, step: step, room: 64) == sample(100) + sample(50))
    }

    @Test func zerosAfterTheEndArePadding() throws {
        #expect(try inflated(Gzip.compressed(sample(10)) + [0, 0, 0, 0], step: 3, room: 64) == sample(10))
    }

    @Test func otherBytesAfterTheEndAreAnError() {
        #expect(throws: RollcallError("gzip data is damaged: incorrect header check")) {
            try inflated(Gzip.compressed(sample(10)) + Array("hello".utf8), step: 100, room: 64)
        }
    }

    @Test func everyTruncationIsAnError() {
        let bytes = Gzip.compressed(sample(200))
        for count in 0..<bytes.count {
            #expect(throws: RollcallError("gzip data is cut short: expected more, found the end")) {
                try inflated(Array(bytes[..<count]), step: 50, room: 64)
            }
        }
    }

    @Test func aDamagedByteIsDetected() {
        var bytes = Gzip.compressed(sample(2000))
        bytes[bytes.count - 6] ^= 1  // In the checksum.
        #expect(throws: RollcallError("gzip data is damaged: incorrect data check")) {
            try inflated(bytes, step: 100, room: 64)
        }
    }

    @Test func theSizeLimitIsRespected() throws {
        let bytes = Gzip.compressed([UInt8](repeating: 0, count: 10_000_000))
        #expect(try Gzip.inflated(bytes.span, limit: 1_000_000) == nil)
    }
}
