import Server

extension RoutedRequest {
    /// A stream of events about new people (WHATWG HTML §9.2), or 204 if the site has none, which tells a client to
    /// stop trying.
    func events() throws -> Reply {
        guard configuration.updates != .none else {
            var response = Response(.noContent)
            appendFields(to: &response.fields)
            return .now(response)
        }
        // A compressed stream would need 32 KiB for each client.
        try expect(client.acceptsIdentity, .notAcceptable)
        let lastEvent = Int64(decimalDigits: request.value(of: "last-event-id").orEmpty)
        let events = try EventsRequest(self, lastEvent: lastEvent)
        var response = Response()
        response.fields.append("Content-Type", "text/event-stream")
        appendFields(to: &response.fields)
        // nginx would keep the events until its buffer is full.
        response.fields.append("X-Accel-Buffering", "no")
        if configuration.updates == .reloads {
            response.live = site.reloads.stream(isOutdated: events.seen.generation != events.directory.generation)
        } else {
            response.live = site.events.stream(events)
        }
        return .now(response)
    }

    /// The same count once. Where the site has no events, it has none of these either.
    func eventsOnce() throws -> any Resource {
        try expect(configuration.updates == .newPeople, .notFound)
        return try EventsRequest(self)
    }

    private func appendFields(to fields: inout Fields) {
        // Proxies must not compress a stream: they would gather it.
        fields.append("Cache-Control", "no-store, no-transform")
        fields.append("X-Content-Type-Options", "nosniff")
        fields.append("X-Robots-Tag", "noindex")
        client.appendVary(to: &fields, isShared: true)
    }
}
