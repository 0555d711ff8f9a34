import People
import Server
import Synchronization
import Testing

@testable import Site

/// Collects what is written.
private final class Notes: LiveWriter {
    private let texts = Mutex<[String]>([])
    let hasEnded = Mutex(false)
    var all: [String] { texts.withLock { $0 } }
    func write(_ bytes: [UInt8]) { texts.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } }
    func end() { hasEnded.withLock { $0 = true } }
}

@Suite("The audience of a topic")
struct AudienceTests {
    private let topic = EventTopic(directory: 1, search: nil)

    private func stream(_ number: Int, seen: Int64, now: Int64, lastEvent: Int64? = nil) -> EventStream {
        EventStream(
            number: number, topic: topic, seen: SeenState(generation: seen, total: nil), lastEvent: lastEvent, now: now)
    }

    private func people(_ generation: Int64, _ count: Int) -> NewPeople {
        NewPeople(generation: generation, count: count)
    }

    @Test func onlyGroupsThatHaveNotSeenTheGenerationAreCounted() {
        var audience = TopicAudience()
        #expect(audience.add(stream(1, seen: 5, now: 5), Notes()) == nil)
        #expect(audience.uncounted(at: 5).isEmpty)
        _ = audience.add(stream(2, seen: 3, now: 5), Notes())
        #expect(audience.uncounted(at: 5).map(\.generation) == [3])
        #expect(Set(audience.uncounted(at: 6).map(\.generation)) == [3, 5])
    }

    @Test func aNumberIsToldOnceToAllWhoHaveSeenTheSame() {
        var audience = TopicAudience()
        let seen = SeenState(generation: 5, total: nil)
        for number in 1...3 { _ = audience.add(stream(number, seen: 5, now: 5), Notes()) }
        #expect(audience.note(people(6, 0), of: seen).isEmpty)
        #expect(audience.note(people(7, 2), of: seen).count == 3)
        #expect(audience.note(people(8, 2), of: seen).isEmpty)
        // They have left again.
        #expect(audience.note(people(9, 0), of: seen).count == 3)
        #expect(audience.uncounted(at: 9).isEmpty)
    }

    @Test func aLaterStreamGetsTheLastEventUnlessItHasItAlready() {
        var audience = TopicAudience()
        _ = audience.add(stream(1, seen: 5, now: 5), Notes())
        _ = audience.note(people(7, 2), of: SeenState(generation: 5, total: nil))
        #expect(audience.add(stream(2, seen: 5, now: 7), Notes()) == people(7, 2))
        #expect(audience.add(stream(3, seen: 5, now: 7, lastEvent: 7), Notes()) == nil)
        #expect(audience.add(stream(4, seen: 5, now: 7, lastEvent: 6), Notes()) == people(7, 2))
    }

    /// The people of the event that it got may have left while it was away.
    @Test func aStreamThatComesBackIsToldEvenThatNobodyIsNew() {
        var audience = TopicAudience()
        _ = audience.add(stream(1, seen: 5, now: 9, lastEvent: 7), Notes())
        #expect(audience.uncounted(at: 9).map(\.generation) == [5])
        #expect(audience.note(people(9, 0), of: SeenState(generation: 5, total: nil)).count == 1)
    }

    @Test func nothingIsKeptOfAStreamThatHasEnded() {
        var audience = TopicAudience()
        let streams = [stream(1, seen: 5, now: 5), stream(2, seen: 4, now: 5)]
        for stream in streams { _ = audience.add(stream, Notes()) }
        for stream in streams { audience.remove(stream) }
        #expect(audience.groups.isEmpty)
    }

    @Test func peopleAreCountedFromTheGenerationThatWasSeen() {
        let additions = Additions(
            .people, knownSince: 3,
            changes: [
                .init(generation: 9, count: 1, ids: 5...5), .init(generation: 7, count: 4, ids: 6...40),
                .init(generation: 4, count: 2, ids: 1...2),
            ])
        #expect([3, 4, 6, 7, 9, 12].map { additions.count(since: $0) } == [7, 5, 5, 1, 0, 0])
        #expect(additions.count(since: 2) == nil)
        #expect([3, 4, 7, 9].map { additions.ids(since: $0) } == [1...40, 5...40, 5...5, nil])
    }
}

@Suite("Events of a site")
struct SiteEventTests {
    private func stream(_ client: SiteClient, _ target: String, _ fields: String...) throws -> (LiveBody, Notes) {
        let response = client.send(["GET \(target) HTTP/1.1", "Host: people.example"] + fields)
        #expect(response.status == .ok && response.fields["Content-Type"] == "text/event-stream")
        let body = try #require(response.live)
        let notes = Notes()
        body.opened(notes)
        return (body, notes)
    }

    private func eventually(_ condition: () -> Bool) async throws {
        for _ in 0..<12_000 where !condition() { try await Task.sleep(for: .milliseconds(5)) }
        #expect(condition())
    }

    private func users(_ count: Int) -> [User] {
        (1...count).map { User(id: Int64($0), login: "u\($0)", name: $0 % 2 == 0 ? "Even \($0)" : "Odd \($0)") }
    }

    @Test func theFieldsOfAStream() throws {
        let client = try SiteClient(users(3))
        for method in ["GET", "HEAD"] {
            let response = client.get("/events", method: method)
            #expect(response.fields["Cache-Control"] == "no-store, no-transform")
            #expect(response.fields["X-Accel-Buffering"] == "no")
            #expect(response.fields["Access-Control-Allow-Origin"] == "*")
            #expect(response.fields["Content-Encoding"] == nil)
        }
        let body = try #require(client.get("/events").live)
        #expect(String(decoding: body.opening, as: UTF8.self).wholeMatch(of: /retry: \d{4,5}\n\n/) != nil)
        #expect(body.heartbeat == Array(":\n\n".utf8))
    }

    @Test(arguments: [Site.Configuration.Updates.newPeople, .none])
    func pagesAskForEventsOnlyWhereThereAreSome(_ updates: Site.Configuration.Updates) throws {
        let text = try SiteClient(users(3)) { $0.updates = updates }.get("/").text
        #expect(text.contains(" data-live=") == (updates == .newPeople))
    }

    @Test func eachStreamHearsOfThePeopleOfItsSearch() async throws {
        let client = try SiteClient(users(4))
        let (allBody, all) = try stream(client, "/events?seen=\(client.store.directories[0].generation)")
        let (_, even) = try stream(client, "/events?q=even&sort=-name")
        let (_, nobody) = try stream(client, "/events?q=zoe")
        client.store.change { $0 += [User(id: 10, login: "u10", name: "Even 10"), User(id: 11, login: "u11")] }
        let generation = client.store.directories[0].generation
        try await eventually { !all.all.isEmpty && !even.all.isEmpty }
        #expect(
            all.all == [
                "id: \(generation)\nevent: people\ndata: {\"generation\":\(generation),\"new\":2,\"label\":\"2 new people – show\",\"since\":\"9\",\"before\":\"12\"}\n\n"
            ])
        #expect(
            even.all == [
                "id: \(generation)\nevent: people\ndata: {\"generation\":\(generation),\"new\":1,\"label\":\"1 new person – show\",\"since\":\"9\",\"before\":\"11\"}\n\n"
            ])
        #expect(nobody.all.isEmpty)
        allBody.closed()
        client.store.change { $0.append(User(id: 12, login: "u12", name: "Even 12")) }
        try await eventually { even.all.count == 2 }
        #expect(even.all[1].contains("\"new\":2") && all.all.count == 1)
    }

    @Test func aClientThatComesBackHearsOnlyWhatItHasMissed() async throws {
        let client = try SiteClient(users(4))
        let seen = client.store.directories[0].generation
        client.store.change { $0.append(User(id: 10, login: "u10")) }
        let (_, late) = try stream(client, "/events?seen=\(seen)")
        try await eventually { late.all.count == 1 }
        let (_, again) = try stream(client, "/events?seen=\(seen)", "Last-Event-ID: \(seen + 1)")
        let (_, missed) = try stream(client, "/events?seen=\(seen)", "Last-Event-ID: \(seen)")
        // Without a page there is only the last event to count from.
        let (_, bare) = try stream(client, "/events", "Last-Event-ID: \(seen)")
        #expect(missed.all == late.all)
        try await eventually { bare.all == late.all }
        #expect(again.all.isEmpty)
    }

    @Test func theCountIsThereOnceForClientsThatPoll() throws {
        let client = try SiteClient(users(4))
        let seen = client.store.directories[0].generation
        let first = client.get("/events.json?seen=\(seen)")
        #expect(first.text == "{\"generation\":\(seen),\"new\":0,\"label\":\"0 new people – show\"}")
        let tag = try #require(first.fields["ETag"])
        #expect(client.get("/events.json?seen=\(seen)", "If-None-Match: \(tag)").status == .notModified)
        client.store.change { $0.append(User(id: 10, login: "u10", name: "Even 10")) }
        let next = client.get("/events.json?seen=\(seen)", "If-None-Match: \(tag)")
        #expect(next.status == .ok && next.text.hasPrefix("{\"generation\":\(seen + 1),\"new\":1,"))
        #expect(client.get("/events.json?seen=\(seen)&q=odd").text.contains("\"new\":0"))
        #expect(client.get("/events.json?seen=\(seen)&lang=de").text.contains("\"label\":\"1 neue Person – anzeigen\""))
        #expect(client.isAnsweredByPool("/events.json?seen=0&q=x"))
    }

    @Test func whereTheyAreOffAClientStops() throws {
        let client = try SiteClient(users(1)) { $0.updates = .none }
        let response = client.get("/events")
        #expect(response.status == .noContent && response.live == nil)
        #expect(response.fields["Access-Control-Allow-Origin"] == "*")
        #expect(client.get("/events.json").status == .notFound)
    }

    @Test(arguments: [
        ("seen=x", "seen: expected a number"), ("seen_total=-1", "seen_total: expected a number"),
        ("sort=nope", "sort: expected one of"), ("seen=1&seen=2", "seen: given more than once"),
    ])
    func wrongParametersAreNamed(_ query: String, _ message: String) throws {
        for path in ["/events", "/events.json"] {
            let response = try SiteClient(users(1)).get("\(path)?\(query)")
            #expect(response.status == .badRequest && response.text.contains(message), "\(response.text)")
        }
        #expect(try SiteClient(users(1)).get("/events?directory=nope").status == .notFound)
    }

    @Test func streamsOfADirectoryThatIsHiddenEnd() async throws {
        let client = try SiteClient(users(1))
        let (_, notes) = try stream(client, "/events")
        client.store.state.withLock { $0.directories = [] }
        try await eventually { notes.hasEnded.withLock { $0 } }
    }
}
