import People
import Testing

@testable import Site

@Suite("A turn of counting new people")
struct CountingTurnTests {
    private func topic(_ text: String, values: Int = 0) -> EventTopic {
        let filter = ChosenFilter(Filter("team"), (0..<values).map { "x\($0)" })
        return EventTopic(directory: 1, search: Search(text, filters: values > 0 ? [filter] : []))
    }

    private func audience(_ cost: UInt64?, waits: Int = 0) -> TopicAudience {
        var audience = TopicAudience()
        if let cost { audience.noteCount(took: cost) }
        for _ in 0..<waits { audience.noteWait() }
        return audience
    }

    @Test func costlyTopicsComeLastAndThoseThatWaitedLongestFirst() {
        let order = CountingTurn.order([
            topic("new", values: 400): audience(nil), topic("slow"): audience(40_000_000, waits: 1),
            topic("slower"): audience(60_000_000, waits: 3), topic("ann"): audience(100_000),
            topic("small", values: 2): audience(nil, waits: 1),
        ])
        #expect(
            order.map(\.topic) == [
                topic("small", values: 2), topic("ann"), topic("slower"), topic("slow"), topic("new", values: 400),
            ])
        #expect(order.map(\.isCostly) == [false, false, true, true, true])
    }

    @Test func costlyTopicsShareATime() {
        var turn = CountingTurn()
        // However many cheap topics there are, they are all counted.
        for _ in 0..<10_000 { turn.note(1_000_000) }
        #expect(turn.hasTimeForCostly)
        turn.note(40_000_000)
        turn.note(40_000_000)
        #expect(turn.hasTimeForCostly)
        turn.note(40_000_000)
        #expect(!turn.hasTimeForCostly)
    }

    @Test func aCountEndsAWait() {
        var audience = audience(40_000_000, waits: 2)
        #expect(audience.waits == 2)
        audience.noteCount(took: 1000)
        #expect(audience.waits == 0 && audience.cost == 1000)
    }
}
