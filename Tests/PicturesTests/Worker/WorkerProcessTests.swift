import Base
import Foundation
import Images
import People
import PictureFiles
import TestSupport
import Testing

@Suite("The process that makes pictures")
struct WorkerProcessTests {
    private let file = TestImage.portrait(side: 200).jpeg()
    private let worker: WorkerProcess
    /// What the process made of the file first.
    private let right: MadePicture
    private let processID: Int32

    init() throws {
        worker = try TestWorker.make()
        right = try worker.make(file).get()
        processID = try #require(worker.processID)
    }

    @Test func makesManyPicturesInOneProcess() throws {
        #expect(try worker.make(TestImage.chequer().png()).get() != right)
        #expect(try worker.make(file).get() == right)
        #expect(worker.starts == 1 && worker.processID == processID)
    }

    /// Other code compresses how transparent pixels are.
    @Test func aTransparentPictureDoesNotEndTheProcess() throws {
        let image = TestImage(width: 400, height: 400) { x, _ in x % 2 == 0 ? [255, 0, 0, 255] : [0, 255, 0, 0] }
        _ = try worker.make(image.png(.rgba)).get()
        #expect(worker.starts == 1)
    }

    @Test func aRefusedFileDoesNotEndTheProcess() throws {
        #expect(throws: RollcallError("expected JPEG, PNG, WebP or GIF, found an empty file")) {
            try worker.make([]).get()
        }
        #expect(throws: RollcallError("expected at most 33554432 bytes, found 33554433")) {
            try worker.make([UInt8](repeating: 0, count: 32 << 20 + 1)).get()
        }
        _ = try worker.make(file).get()
        #expect(worker.starts == 1)
    }

    @Test(arguments: HostileFile.all)
    func aHostileFileIsRefusedOrMadeInTime(_ hostile: HostileFile) throws {
        let bytes = hostile.bytes
        let before = try TestWorker.processorTime(of: processID)
        let result = try worker.make(bytes)
        switch (result, hostile.expectation) {
        case (.success, .made), (.failure, .refused): break
        case (let result, let expectation): Issue.record("expected \(expectation), found \(result)")
        }
        // It was refused or made, and neither ended nor replaced.
        #expect(worker.processID == processID)
        #expect(try TestWorker.processorTime(of: processID) - before < 2.5)
        #expect((1..<256 << 10).contains(ProcessFiles(processID).kiB("VmHWM:")))
        #expect(try worker.make(file).get() == right)
        if case .success(let picture) = result {
            for size in PictureSize.allCases { #expect(!picture[size].contains(Array("<script".utf8))) }
        }
    }

    @Test(arguments: [Probe.open, .socket, .execute])
    func aForbiddenCallEndsTheProcess(_ probe: Probe) throws {
        #expect(throws: RollcallError("the process for pictures tried a system call that it may not use")) {
            try worker.attempt(probe).get()
        }
        #expect(worker.processID == nil)
        #expect(try worker.make(file).get() == right)
        #expect(worker.starts == 2)
    }

    @Test func aGibibyteIsTooMuch() throws {
        #expect(throws: RollcallError("gibibyte failed")) { try worker.attempt(.gibibyte).get() }
    }

    @Test func aFileThatComputesTooLongIsRefused() throws {
        #expect(throws: RollcallError("expected at most 2 s of CPU time, found more")) {
            try worker.attempt(.compute).get()
        }
        #expect(try worker.make(file).get() == right)
    }

    /// The limit counts from the start of each picture, not of the process.
    @Test func theTimeOfEarlierPicturesDoesNotCount() throws {
        var limits = WorkerProcess.Limits()
        limits.computing = 1
        let worker = try TestWorker.make(limits)
        // Takes a small part of the limit, also on a busy machine.
        let large = TestImage.noise(width: 1000, height: 1000).jpeg()
        _ = try worker.make(file).get()
        let processID = try #require(worker.processID)
        while try TestWorker.processorTime(of: processID) < 2.5 { _ = try worker.make(large).get() }
        #expect(worker.starts == 1)
    }

    @Test func aProcessThatIsKilledWhileItReadsIsReplaced() throws {
        // A stopped process reads nothing, and 4 MiB do not fit into the connection.
        kill(processID, SIGSTOP)
        let killer = Thread { [processID] in kill(processID, SIGKILL) }
        killer.start()
        #expect(throws: RollcallError.self) { try worker.make([UInt8](repeating: 0, count: 4 << 20)).get() }
        #expect(try worker.make(file).get() == right)
        #expect(worker.starts == 2)
    }

    @Test func aProcessThatIsKilledWhileItComputesIsReplaced() throws {
        let killer = Thread { [processID] in
            while let used = try? TestWorker.processorTime(of: processID), used < 0.3 { usleep(1000) }
            kill(processID, SIGKILL)
        }
        killer.start()
        #expect(throws: RollcallError("the process for pictures was ended by signal 9")) {
            try worker.attempt(.compute).get()
        }
        #expect(try worker.make(file).get() == right)
    }

    @Test func aProcessThatWasKilledInBetweenIsReplacedWithoutARefusal() throws {
        kill(processID, SIGKILL)
        // Until the process has ended, as its parent sees it.
        var information = siginfo_t()
        waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT)
        #expect(try worker.make(file).get() == right)
        #expect(worker.starts == 2)
    }

    @Test func theProcessEndsWithItsParent() throws {
        var worker: WorkerProcess? = try TestWorker.make()
        _ = try worker?.make(file)
        let processID = try #require(worker?.processID)
        worker = nil
        #expect(kill(processID, 0) == -1 && errno == ESRCH)
    }

    @Test func signalsOfATerminalDoNotEndTheProcess() throws {
        for signal in [SIGINT, SIGTERM, SIGHUP] { kill(processID, signal) }
        _ = try worker.make(file).get()
        #expect(worker.starts == 1)
    }
}
