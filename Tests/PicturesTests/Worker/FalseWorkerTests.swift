import Base
import Images
import People
import PictureFiles
import Testing

/// Shell scripts in the place of the worker.
@Suite("A worker that breaks the rules")
struct FalseWorkerTests {
    private func result(_ script: String, waiting: Duration = .seconds(60)) throws -> Result<
        MadePicture, RollcallError
    > {
        var limits = WorkerProcess.Limits()
        limits.waiting = waiting
        // `head` waits until the request is there.
        let script = "printf '\\000'; head -c 6 >/dev/null; \(script)"
        return try WorkerProcess(executable: "/bin/sh", arguments: ["-c", script], limits: limits).make([1])
    }

    @Test func endsWhileItWrites() throws {
        let result = try result("printf '\\001\\100\\000'; kill -9 $$")
        #expect(result == .failure(RollcallError("the process for pictures was ended by signal 9")))
    }

    @Test func endsWithoutAnAnswer() throws {
        #expect(try result("exit 0") == .failure(RollcallError("the process for pictures ended")))
    }

    @Test func doesNotAnswerInTime() throws {
        let result = try result("sleep 60", waiting: .milliseconds(300))
        #expect(result == .failure(RollcallError("expected an answer within 0.3 seconds, found none")))
    }

    @Test(arguments: [
        ("printf '\\011'", "expected a reply, found byte 9"), ("printf '\\000'", "expected an answer, found another"),
        (
            "printf '\\001\\000\\000\\001\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000'",
            "expected at most 32768 bytes, found 65536"
        ),
        (
            "printf '\\001\\001\\000\\000\\000\\001\\000\\000\\000\\001\\000\\000\\000\\001\\000\\000\\000abc\\007'",
            "expected image/webp at 96 px, found other bytes"
        ),
        (
            "printf '\\001\\001\\000\\000\\000\\001\\000\\000\\000\\001\\000\\000\\000\\001\\000\\000\\000abc\\015'",
            "expected a hue, found [13]"
        ),
        ("printf '\\002\\002\\000\\000\\000nono'", "expected one answer, found more"),
        ("printf '\\002\\004\\000\\000\\000a\\033[m'", "a\\u{1b}[m"),
        ("printf '\\002\\377\\377\\377\\377'", "expected at most 200 bytes, found 4294967295"),
    ])
    func sendsSomethingElse(_ script: String, _ reason: String) throws {
        #expect(try result("\(script); sleep 60") == .failure(RollcallError(reason)))
    }

    @Test(arguments: [
        ("exit 0", "the process for pictures ended"), ("kill -9 $$", "the process for pictures was ended by signal 9"),
        ("printf '\\002\\003\\000\\000\\000why'; sleep 60", "why"),
    ])
    func doesNotBecomeReady(_ script: String, _ reason: String) {
        let worker = WorkerProcess(executable: "/bin/sh", arguments: ["-c", script])
        #expect(throws: RollcallError("the process for pictures does not start: \(reason)")) { try worker.make([1]) }
    }

    @Test func isNotThere() {
        let worker = WorkerProcess(executable: "/nowhere", arguments: [])
        let reason = "the process for pictures does not start: /nowhere: it is not installed"
        #expect(throws: RollcallError(reason)) { try worker.make([1]) }
    }
}
