import Foundation
import TestSupport
import Testing

/// Generates inputs from a seed, so that every run reads the same ones. `ROLLCALL_FUZZ_SEED` sets another seed, and
/// `ROLLCALL_FUZZ_INPUTS` sets the number of inputs per target.
@Suite("Hostile bytes", .serialized)
struct FuzzTests {
    static let seed = setting("ROLLCALL_FUZZ_SEED") ?? 20_261_121
    static let count = setting("ROLLCALL_FUZZ_INPUTS").map { Int($0) } ?? 1000

    @Test(arguments: FuzzTarget.all)
    func storedInputsBreakNoRule(_ target: FuzzTarget) throws {
        let inputs = try Corpus.inputs(of: target)
        #expect(!inputs.isEmpty)
        for (name, bytes) in inputs { check(target, bytes, "Corpus/\(target.name)/\(name)") }
    }

    @Test(arguments: FuzzTarget.all)
    func randomInputsBreakNoRule(_ target: FuzzTarget) throws {
        let corpus = try Corpus.inputs(of: target).map(\.bytes)
        var mutator = Mutator(words: target.words, seed: Self.seed)
        for number in 0..<Self.count {
            check(target, mutator.next(corpus), "input \(number) of seed \(Self.seed)")
        }
    }

    /// Runs in its own process, because memory is measured per process.
    @Test func readingRepeatedlyDoesNotLeakMemory() async {
        await #expect(processExitsWith: .success) {
            for target in FuzzTarget.all {
                let inputs = try Corpus.inputs(of: target).map(\.bytes)
                let read = { for bytes in inputs { try bytes.withUnsafeBytes(target.check) } }
                // The first rounds fill caches that are kept on purpose.
                for _ in 0..<2 { try read() }
                let before = Memory.residentBytes
                for _ in 0..<8 { try read() }
                let growth = Memory.residentBytes - before
                // 2 MiB: what the allocator takes and returns in the meantime.
                precondition(growth < 2 << 20, "\(target.name): \(growth) bytes more")
            }
        }
    }

    private func check(_ target: FuzzTarget, _ bytes: [UInt8], _ origin: String) {
        do {
            try CrashInput.keep(bytes, of: "\(target.name), \(origin)") { try bytes.withUnsafeBytes(target.check) }
        } catch { Issue.record("\(target.name), \(origin): \(error)\n\(bytes.hexadecimal)") }
    }

    private static func setting(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
}

extension FuzzTarget: CustomTestStringConvertible {
    var testDescription: String { name }
}
