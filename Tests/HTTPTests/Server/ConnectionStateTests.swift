import Base
import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Server

@Suite("ConnectionState")
struct ConnectionStateTests {
    let timeouts = ConnectionState.Timeouts(Server.Timeouts())
    func at(_ seconds: Int64) -> MonotonicInstant { MonotonicInstant(milliseconds: seconds * 1000) }
    let incompleteHead = ConnectionState.PendingState(incompleteHead: true)

    @Test func anIdleConnectionClosesAfterAMinute() {
        var life = ConnectionState()
        #expect(life.settle(.init(), isDraining: false, at: at(0), timeouts) == .awaitBytes)
        #expect(life.expiry(at: at(59)) == .notYet)
        #expect(life.expiry(at: at(60)) == .close)
    }

    @Test func slowBytesDoNotExtendTheDeadline() {
        var life = ConnectionState()
        for second in 0..<10 {
            #expect(life.settle(incompleteHead, isDraining: false, at: at(Int64(second)), timeouts) == .awaitBytes)
        }
        #expect(life.expiry(at: at(10)) == .refuse(.requestTimeout, "The request head did not arrive in time."))
    }

    @Test func theNextRequestHasItsOwnDeadline() {
        var life = ConnectionState()
        _ = life.settle(incompleteHead, isDraining: false, at: at(0), timeouts)
        life.finishedRequest()
        _ = life.settle(incompleteHead, isDraining: false, at: at(9), timeouts)
        #expect(life.expiry(at: at(18)) == .notYet)
    }

    @Test func aReaderHasHalfAMinuteFromItsLastByte() {
        var life = ConnectionState()
        #expect(life.settle(.init(unsentAnswer: true), isDraining: false, at: at(0), timeouts) == .awaitRoom)
        life.madeProgress(at: at(20), timeouts)
        #expect(life.expiry(at: at(49)) == .notYet)
        #expect(life.expiry(at: at(50)) == .abort)
    }

    @Test func workIsAbandonedAfterHalfAMinute() {
        var life = ConnectionState()
        #expect(life.settle(.init(pendingWork: true), isDraining: true, at: at(0), timeouts) == .awaitWork)
        #expect(life.expiry(at: at(29)) == .notYet)
        #expect(life.expiry(at: at(30)) == .giveUp)
    }

    @Test func aBodyThatStaysOpenHasAHeartbeatAndNoOtherDeadline() {
        var life = ConnectionState()
        life.isClosing = true
        #expect(life.settle(.init(liveBody: true), isDraining: false, at: at(0), timeouts) == .awaitBytes)
        #expect(life.expiry(at: at(24)) == .notYet)
        #expect(life.expiry(at: at(25)) == .beat)
        // The bodies of other connections have theirs up to a quarter of the interval earlier.
        for (slot, last) in [(UInt32(0), Int64(50)), (32, 47), (63, 44)] {
            life.wroteLive(slot: slot, at: at(25), timeouts)
            #expect(life.expiry(at: at(last - 1)) == .notYet && life.expiry(at: at(last)) == .beat)
        }
        life.peerHasEnded = true
        #expect(life.settle(.init(liveBody: true), isDraining: false, at: at(60), timeouts) == .close)
    }

    @Test func lingeringFollowsTheLastResponse() {
        var life = ConnectionState()
        life.isClosing = true
        #expect(life.settle(.init(unsentAnswer: true), isDraining: false, at: at(0), timeouts) == .awaitRoom)
        #expect(life.settle(.init(), isDraining: false, at: at(0), timeouts) == .linger)
        #expect(life.expiry(at: at(2)) == .close)
    }

    @Test func aPeerThatHasEndedGetsItsResponseAndIsClosed() {
        var life = ConnectionState()
        life.peerHasEnded = true
        #expect(life.settle(.init(pendingWork: true), isDraining: false, at: at(0), timeouts) == .awaitWork)
        #expect(life.settle(incompleteHead, isDraining: false, at: at(0), timeouts) == .close)
    }

    @Test func drainingClosesConnectionsIdleForASecond() {
        var life = ConnectionState()
        #expect(life.settle(.init(), isDraining: false, at: at(0), timeouts) == .awaitBytes)
        #expect(life.settle(.init(), isDraining: true, at: at(1), timeouts) == .close)
    }

    @Test func drainingLeavesTimeForARequestAfterAResponse() {
        var life = ConnectionState()
        _ = life.settle(.init(), isDraining: false, at: at(10), timeouts)
        for _ in 0..<2 { #expect(life.settle(.init(), isDraining: true, at: at(10), timeouts) == .awaitBytes) }
        #expect(life.expiry(at: at(11)) == .close)
        #expect(life.settle(incompleteHead, isDraining: true, at: at(10), timeouts) == .awaitBytes)
        #expect(life.expiry(at: at(19)) == .notYet)
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
struct WorkPoolTests {
    @Test func oneWorkerKeepsTheOrder() {
        let pool = WorkPool(workers: 1, backlog: 500)
        let order = Mutex<[Int]>([])
        let done = DispatchSemaphore(value: 0)
        for number in 0..<300 {
            #expect(
                pool.submit { _ in
                    order.withLock { $0.append(number) }
                    if number == 299 { done.signal() }
                } != nil)
        }
        done.wait()
        #expect(order.withLock { $0 } == Array(0..<300))
    }

    /// Many pieces of exports, and one search.
    @Test func furtherPiecesNeedNoSlotAndAlternateWithResponses() {
        let pool = WorkPool(workers: 1, backlog: 1)
        let order = Mutex<[String]>([])
        let gate = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        func submit(_ name: String, isFurther: Bool) -> Bool {
            pool.submit(isFurther: isFurther) { _ in
                if name == "first" { gate.wait() }
                order.withLock { $0.append(name) }
                if name == "piece 4" { done.signal() }
            } != nil
        }
        #expect(submit("first", isFurther: true))
        for number in 1...4 { #expect(submit("piece \(number)", isFurther: true)) }
        #expect(submit("search", isFurther: false))
        #expect(!submit("another", isFurther: false))
        gate.signal()
        done.wait()
        #expect(order.withLock { $0 } == ["first", "piece 1", "search", "piece 2", "piece 3", "piece 4"])
    }

    @Test func aStoppedPoolHasFinishedWhatRanAndRunsNothingElse() {
        let pool = WorkPool(workers: 1, backlog: 2)
        let ran = Mutex<[Int]>([])
        let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for number in 0...1 {
            _ = pool.submit { _ in
                begun.signal()
                gate.wait()
                ran.withLock { $0.append(number) }
            }
        }
        begun.wait()
        let thread = OwnedThread { pool.stop() }
        while pool.figures.waiting > 0 { sched_yield() }
        gate.signal()
        thread.join()
        #expect(ran.withLock { $0 } == [0])
        #expect(pool.submit { _ in } == nil)
    }

    @Test func cancelledWorkIsSkippedAndFreesItsSlot() throws {
        let pool = WorkPool(workers: 1, backlog: 2)
        let order = Mutex<[Int]>([])
        let gate = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        func submit(_ number: Int) -> WorkPool.Ticket? {
            pool.submit { _ in
                if number == 0 { gate.wait() }
                order.withLock { $0.append(number) }
                if number == 3 { done.signal() }
            }
        }
        #expect(submit(0) != nil)
        let second = try #require(submit(1))
        #expect(submit(2) != nil)
        #expect(submit(3) == nil)
        pool.cancel(second)
        #expect(submit(3) != nil)
        gate.signal()
        done.wait()
        #expect(order.withLock { $0 } == [0, 2, 3])
    }
}
