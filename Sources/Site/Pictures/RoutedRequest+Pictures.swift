import People
import Server

extension RoutedRequest {
    /// `/pictures/{key}.webp`, `.jpg` and `-512.jpg`: a stored picture. 404 for any other address, before the store is
    /// asked, and for a picture that nobody in the directories of this site has (any more).
    func picture() throws -> Reply {
        let address = try required(PictureAddress(afterPrefix: match.wildcard), .notFound)
        guard site.store.isRemote, responder.place == .eventLoop else { return .now(try response(of: address)) }
        // An event loop must not wait for a database on a server.
        let request = RequestCopy(request)
        return .later { [site] in SiteResponder.respondInPool(to: request, of: site) }
    }

    private func response(of address: PictureAddress) throws -> Response {
        let shown = directories.all.filter { configuration.pictureMode(of: $0) != .off }.map(\.id)
        let found = try renderer.reader.reading(renderer.counters.pictureReads) {
            try $0.picture(address.key, address.size, of: shown)
        }
        let bytes = try required(found, .notFound)
        renderer.counters.cacheMisses.add(1)
        let entry = entry(of: address, bytes)
        // A cached response is used until any directory changes, because somebody may have been forgotten then. One
        // picture has one address; requests with a query are not cached.
        if request.query == nil { site.cache.insert(entry, for: [UInt8](responder.key), isCheap: true) }
        var response = entry.response(to: request)
        response.origin = .elsewhere
        return response
    }

    private func entry(of address: PictureAddress, _ bytes: [UInt8]) -> ResponseCache.Entry {
        let tag = Array("\"\(address.key)\"".utf8)
        var fields = Fields(capacity: 512)
        fields.append("ETag", bytes: tag)
        configuration.append(cacheControlOf: route.handler, namesHost: false, to: &fields)
        if client.variesByOrigin { fields.append("Vary", "Origin") }
        client.appendCrossOriginFields(to: &fields)
        let notModified = Response(.notModified, fields: fields).counted(for: route)
        fields.append("Content-Type", address.size.mediaType)
        configuration.appendPictureFields(to: &fields)
        let response = Response(.ok, fields: fields, body: Response.Body(bytes)).counted(for: route)
        return ResponseCache.Entry(
            response, notModified, entityTag: tag, of: directories.shown, choices: directories.people)
    }
}
