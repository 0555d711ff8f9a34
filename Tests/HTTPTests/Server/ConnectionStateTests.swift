import Base
import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Server

@Suite("ConnectionState")
final class ConnectionStateTests {
    let timeouts = ConnectionState.Timeouts(Server.Timeouts())
    let incompleteHead = ConnectionState.PendingState(incompleteHead: true)
    var life = ConnectionState()

    func at(_ seconds: Int64) -> MonotonicInstant { MonotonicInstant(milliseconds: seconds * 1000) }

    func expiry(at seconds: Int64) -> ConnectionState.Expiry { life.expiry(at: at(seconds)) }

    @discardableResult func settle(
        _ pending: ConnectionState.PendingState = .init(), isDraining: Bool = false, at seconds: Int64 = 0
    ) -> ConnectionState.Step { life.settle(pending, isDraining: isDraining, at: at(seconds), timeouts) }

    @Test func anIdleConnectionClosesAfterAMinute() {
        #expect(settle() == .awaitBytes)
        #expect(expiry(at: 59) == .notYet)
        #expect(expiry(at: 60) == .close)
    }

    @Test func slowBytesDoNotExtendTheDeadline() {
        for second in 0..<10 { #expect(settle(incompleteHead, at: Int64(second)) == .awaitBytes) }
        #expect(expiry(at: 10) == .refuse(.requestTimeout, "The request head did not arrive in time."))
    }

    @Test func theNextRequestHasItsOwnDeadline() {
        settle(incompleteHead)
        life.finishedRequest()
        settle(incompleteHead, at: 9)
        #expect(expiry(at: 18) == .notYet)
    }

    @Test func aReaderHasHalfAMinuteFromItsLastByte() {
        #expect(settle(.init(unsentAnswer: true)) == .awaitRoom)
        life.madeProgress(at: at(20), timeouts)
        #expect(expiry(at: 49) == .notYet)
        #expect(expiry(at: 50) == .abort)
    }

    @Test func workIsAbandonedAfterHalfAMinute() {
        #expect(settle(.init(pendingWork: true), isDraining: true) == .awaitWork)
        #expect(expiry(at: 29) == .notYet)
        #expect(expiry(at: 30) == .giveUp)
    }

    @Test func aBodyThatStaysOpenHasAHeartbeatAndNoOtherDeadline() {
        life.isClosing = true
        #expect(settle(.init(liveBody: true)) == .awaitBytes)
        #expect(expiry(at: 24) == .notYet)
        #expect(expiry(at: 25) == .beat)
        // The bodies of other connections have theirs up to a quarter of the interval earlier.
        for (slot, last) in [(UInt32(0), Int64(50)), (32, 47), (63, 44)] {
            life.wroteLive(slot: slot, at: at(25), timeouts)
            #expect(expiry(at: last - 1) == .notYet && expiry(at: last) == .beat)
        }
        life.peerHasEnded = true
        #expect(settle(.init(liveBody: true), at: 60) == .close)
    }

    @Test func lingeringFollowsTheLastResponse() {
        life.isClosing = true
        #expect(settle(.init(unsentAnswer: true)) == .awaitRoom)
        #expect(settle() == .linger)
        #expect(expiry(at: 2) == .close)
    }

    @Test func aPeerThatHasEndedGetsItsResponseAndIsClosed() {
        life.peerHasEnded = true
        #expect(settle(.init(pendingWork: true)) == .awaitWork)
        #expect(settle(incompleteHead) == .close)
    }

    @Test func drainingClosesConnectionsIdleForASecond() {
        #expect(settle() == .awaitBytes)
        #expect(settle(isDraining: true, at: 1) == .close)
    }

    @Test func drainingLeavesTimeForARequestAfterAResponse() {
        settle(at: 10)
        for _ in 0..<2 { #expect(settle(isDraining: true, at: 10) == .awaitBytes) }
        #expect(expiry(at: 11) == .close)
        #expect(settle(incompleteHead, isDraining: true, at: 10) == .awaitBytes)
        #expect(expiry(at: 19) == .notYet)
    }
}

@Suite("Timer wheel")
struct TimerWheelTests {
    @Test func entriesExpireAfterTheirDeadline() {
        var wheel = TimerWheel<String>(resolution: 10, buckets: 8, startingAt: MonotonicInstant(milliseconds: 0))
        func take(_ now: Int64) -> [String] { wheel.takeDue(at: MonotonicInstant(milliseconds: now)).map(\.entry) }
        wheel.insert("a", at: wheel.tick(for: MonotonicInstant(milliseconds: 25)))
        wheel.insert("b", at: wheel.tick(for: MonotonicInstant(milliseconds: 40)))
        #expect(take(29) == [])
        #expect(take(30) == ["a"])
        #expect(take(30) == [])
        #expect(take(10_000) == ["b"])
    }

    @Test func distantDeadlinesAreLimitedToOneTurn() {
        let wheel = TimerWheel<Int>(resolution: 10, buckets: 8, startingAt: MonotonicInstant(milliseconds: 1000))
        #expect(wheel.tick(for: MonotonicInstant(milliseconds: 99_999)) == 107)
        #expect(wheel.tick(for: MonotonicInstant(milliseconds: 0)) == 100)
    }
}

@Suite("Connection table")
struct ConnectionTableTests {
    @Test func aSlotUsedAgainDoesNotAnswerToItsOldToken() {
        func makeConnection(_ token: Token) -> Connection {
            Connection(socket: Socket(descriptor: -1), token: token, peer: Peer(), isTrustedProxy: false)
        }
        var table = ConnectionTable()
        let old = table.insert(makeConnection).token
        table.remove(old)
        table.remove(old)
        let new = table.insert(makeConnection).token
        #expect(new.slot == old.slot && table[old] == nil && table[new] != nil && table.count == 1)
        #expect(Token(bits: new.bits) == new)
    }
}

@Suite("Worker pool")
final class WorkPoolTests: Sendable {
    private let order = Mutex<[Int]>([])
    private let (gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    private var ran: [Int] { order.withLock(\.self) }

    /// Submits work that notes its number, and says when the last has run. The first waits at the gate.
    private func submit(_ number: Int, of last: Int, isFurther: Bool = false, to pool: WorkPool) -> WorkPool.Ticket? {
        pool.submit(isFurther: isFurther) { [self] _ in
            if number == 0 { gate.wait() }
            order.withLock { $0.append(number) }
            if number == last { done.signal() }
        }
    }

    @Test func oneWorkerKeepsTheOrder() {
        let pool = WorkPool(workers: 1, backlog: 500)
        gate.signal()
        for number in 0..<300 { #expect(submit(number, of: 299, to: pool) != nil) }
        done.wait()
        #expect(ran == Array(0..<300))
    }

    /// Many pieces of exports, and one search.
    @Test func furtherPiecesNeedNoSlotAndAlternateWithResponses() {
        let pool = WorkPool(workers: 1, backlog: 1)
        for number in 0...4 { #expect(submit(number, of: 4, isFurther: true, to: pool) != nil) }
        #expect(submit(100, of: 4, to: pool) != nil)
        #expect(submit(101, of: 4, to: pool) == nil)
        gate.signal()
        done.wait()
        #expect(ran == [0, 1, 100, 2, 3, 4])
    }

    @Test func aStoppedPoolHasFinishedWhatRanAndRunsNothingElse() {
        let (pool, begun) = (WorkPool(workers: 1, backlog: 2), DispatchSemaphore(value: 0))
        for number in 0...1 {
            _ = pool.submit { [self] _ in
                begun.signal()
                gate.wait()
                order.withLock { $0.append(number) }
            }
        }
        begun.wait()
        let thread = OwnedThread { pool.stop() }
        while pool.figures.waiting > 0 { sched_yield() }
        gate.signal()
        thread.join()
        #expect(ran == [0])
        #expect(pool.submit { _ in } == nil)
    }

    @Test func cancelledWorkIsSkippedAndFreesItsSlot() throws {
        let pool = WorkPool(workers: 1, backlog: 2)
        #expect(submit(0, of: 3, to: pool) != nil)
        let second = try #require(submit(1, of: 3, to: pool))
        #expect(submit(2, of: 3, to: pool) != nil)
        #expect(submit(3, of: 3, to: pool) == nil)
        pool.cancel(second)
        #expect(submit(3, of: 3, to: pool) != nil)
        gate.signal()
        done.wait()
        #expect(ran == [0, 2, 3])
    }
}
