import HTTPClient
import People
import Testing

@testable import Pictures

@Suite("The order of requests for pictures")
struct FetchQueueTests {
    private func job(_ address: String) throws -> FetchJob {
        FetchJob(source: PictureSource(address: address), address: try WebAddress(address))
    }

    private func queue(_ addresses: String...) throws -> FetchQueue {
        var queue = FetchQueue(limits: FetchQueue.Limits())
        for address in addresses { queue.add(try job(address), at: .zero) }
        return queue
    }

    /// Starts the next job. Fails if none may start.
    private func start(_ queue: inout FetchQueue, at time: Duration) throws -> FetchJob {
        guard case .start(let job) = queue.next(at: time) else { throw WrongStep() }
        return job
    }

    private struct WrongStep: Error {}

    @Test func aHostGetsTwoRequestsAtATimeAndTenASecond() throws {
        var queue = try queue("http://a.org/1", "http://a.org/2", "http://a.org/3", "http://a.org/4")
        let first = try start(&queue, at: .zero)
        #expect(first.address.target == "/1")
        #expect(queue.next(at: .zero) == .wait(until: .milliseconds(100)))
        #expect(queue.next(at: .milliseconds(99)) == .wait(until: .milliseconds(100)))
        #expect(try start(&queue, at: .milliseconds(100)).address.target == "/2")
        #expect(queue.next(at: .seconds(9)) == .waitForChange, "two requests are under way")
        queue.finish(first, .answered, at: .seconds(9))
        #expect(try start(&queue, at: .seconds(9)).address.target == "/3")
        queue.finish(first, .answered, at: .seconds(9))
        #expect(queue.next(at: .seconds(9)) == .wait(until: .milliseconds(9100)))
    }

    @Test func hostsTakeTurns() throws {
        var queue = try queue("http://a.org/1", "http://a.org/2", "http://b.org/1", "http://c.org:81/1")
        let hosts = try (0..<3).map { _ in try start(&queue, at: .zero).address.host }
        #expect(hosts == ["a.org", "b.org", "c.org"])
        #expect(queue.next(at: .zero) == .wait(until: .milliseconds(100)))
    }

    @Test func theEndOfAllJobsIsNoticed() throws {
        var queue = try queue("http://a.org/1")
        #expect(!queue.isEmpty)
        let job = try start(&queue, at: .zero)
        #expect(!queue.isEmpty && !queue.isIdle("a.org") && queue.next(at: .zero) == .waitForChange)
        queue.finish(job, .answered, at: .zero)
        #expect(queue.isEmpty && queue.isIdle("a.org"))
    }

    @Test func twentyFailuresInARowGiveAHostAnHourOfRest() throws {
        var limits = FetchQueue.Limits()
        limits.host.requestsPerSecond = 1000
        var queue = FetchQueue(limits: limits)
        for number in 0..<50 { queue.add(try job("http://a.org/\(number)"), at: .zero) }
        for second in 1...40 {
            let job = try start(&queue, at: .seconds(second))
            // The twentieth request succeeds; the failures before it no longer count.
            queue.finish(job, second == 20 ? .answered : .failed, at: .seconds(second))
        }
        #expect(queue.isEmpty && queue.postponed == 10)
        #expect(queue.comeBack == .seconds(3640))
        queue.add(try job("http://a.org/more"), at: .seconds(41))
        #expect(queue.isEmpty && queue.postponed == 11)
        queue.add(try job("http://a.org/more"), at: .seconds(3641))
        #expect(try start(&queue, at: .seconds(3641)).address.target == "/more")
    }

    @Test func aHostThatAsksForAPauseGetsIt() throws {
        var queue = try queue("http://a.org/1", "http://a.org/2", "http://b.org/1")
        let job = try start(&queue, at: .zero)
        queue.finish(job, .limited(until: .seconds(30)), at: .seconds(1))
        queue.retry(job, at: .seconds(1))
        #expect(try start(&queue, at: .seconds(1)).address.host == "b.org")
        #expect(queue.next(at: .seconds(1)) == .wait(until: .seconds(30)))
        #expect(try start(&queue, at: .seconds(30)).address.target == "/1")
        #expect(queue.postponed == 0)
    }

    @Test func aPauseOfUnknownLengthTakesAMinute() throws {
        var queue = try queue("http://a.org/1")
        let job = try start(&queue, at: .zero)
        queue.finish(job, .limited(until: nil), at: .seconds(1))
        queue.retry(job, at: .seconds(1))
        #expect(queue.next(at: .seconds(1)) == .wait(until: .seconds(61)))
    }

    @Test func picturesOfAHostWithALongPauseAreLeftForLater() throws {
        var queue = try queue("http://a.org/1", "http://a.org/2", "http://b.org/1")
        let job = try start(&queue, at: .zero)
        queue.finish(job, .limited(until: .seconds(1000)), at: .zero)
        queue.retry(job, at: .zero)
        #expect(queue.postponed == 2 && queue.comeBack == .seconds(1000) && queue.waiting == 1)
    }

    @Test func aHostThatAsksForPausesForEverIsLeftForLater() throws {
        var queue = try queue("http://a.org/1")
        for second in 0..<4 {
            let job = try start(&queue, at: .seconds(second))
            queue.finish(job, .limited(until: .seconds(second + 1)), at: .seconds(second))
            queue.retry(job, at: .seconds(second))
        }
        #expect(queue.isEmpty && queue.postponed == 1)
    }

    @Test func aRedirectIsARequestToTheOtherHostAndTakesItsTurnThere() throws {
        var queue = try queue("http://a.org/1", "http://b.org/2")
        var job = try start(&queue, at: .zero)
        let other = try start(&queue, at: .zero)
        #expect(queue.follow(job, to: try WebAddress("http://b.org/3"), at: .zero))
        queue.finish(job, .answered, at: .zero)
        queue.finish(other, .answered, at: .zero)
        #expect(queue.next(at: .zero) == .wait(until: .milliseconds(100)))
        job = try start(&queue, at: .seconds(1))
        #expect(job.address.text == "http://b.org/3" && job.source.address == "http://a.org/1")
    }

    @Test func atMostThreeRedirectsAreFollowed() throws {
        var queue = try queue("http://a.org/0")
        for hop in 1...4 {
            let job = try start(&queue, at: .seconds(hop))
            #expect(try queue.follow(job, to: WebAddress("http://a.org/\(hop)"), at: .seconds(hop)) == (hop < 4))
            queue.finish(job, .answered, at: .seconds(hop))
        }
        #expect(queue.isEmpty)
    }
}
