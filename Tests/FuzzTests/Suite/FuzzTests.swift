import Foundation
import TestSupport
import Testing

/// Reads the inputs that are kept, and others made of them.
@Suite("Hostile bytes", .serialized)
struct FuzzTests {
    @Test(arguments: FuzzTarget.all)
    func storedInputsBreakNoRule(_ target: FuzzTarget) throws {
        let inputs = try Corpus.inputs(of: target)
        #expect(!inputs.isEmpty)
        for (name, bytes) in inputs { check(target, bytes, "Corpus/\(target.name)/\(name)") }
    }

    @Test(arguments: FuzzTarget.all)
    func randomInputsBreakNoRule(_ target: FuzzTarget) throws {
        let corpus = try Corpus.inputs(of: target).map(\.bytes)
        var mutator = Mutator(words: target.words, walk: 20_261_121)
        for number in 0..<RandomWalk.rounds(1000) {
            check(target, mutator.next(corpus), "input \(number) of ROLLCALL_TEST_SEED=\(RandomWalk.seed)")
        }
    }

    /// Memory is measured per process, so this test starts itself again, alone. Swift Testing's exit tests would do
    /// that, too, but wait for ever while any other program that has ended is not waited for.
    @Test func readingRepeatedlyDoesNotLeakMemory() throws {
        let word = "ROLLCALL_TEST_ALONE"
        guard ProcessInfo.processInfo.environment[word] == nil else { return try readRepeatedly() }
        let tests = try #require(CommandLine.arguments.first)
        let alone = try Program(
            URL(filePath: tests),
            ["--testing-library", "swift-testing", "--filter", "readingRepeatedlyDoesNotLeakMemory"],
            environment: [word: "1"])
        // Swift Testing reports on the standard error stream.
        #expect(alone.wait() == 0, "\(alone.errors)")
        #expect(alone.errors.contains("Test run with 1 test "))
    }

    private func readRepeatedly() throws {
        for target in FuzzTarget.all {
            let inputs = try Corpus.inputs(of: target).map(\.bytes)
            let read = { for bytes in inputs { try bytes.withUnsafeBytes(target.check) } }
            // The first rounds fill caches that are kept on purpose.
            for _ in 0..<2 { try read() }
            let memory = { ProcessFiles(getpid()).kiB("VmRSS:") }, before = memory()
            for _ in 0..<8 { try read() }
            let growth = memory() - before
            // 2 MiB: what the allocator takes and returns in the meantime.
            #expect(growth < 2 << 10, "\(target.name): \(growth) KiB more")
        }
    }

    private func check(_ target: FuzzTarget, _ bytes: [UInt8], _ origin: String) {
        do {
            try CrashInput.keep(bytes, of: "\(target.name), \(origin)") { try bytes.withUnsafeBytes(target.check) }
        } catch { Issue.record("\(target.name), \(origin): \(error)\n\(bytes.hexadecimal)") }
    }
}

extension FuzzTarget: CustomTestStringConvertible {
    var testDescription: String { name }
}
