import Base
import Server

/// The only code that makes responses of errors.
extension PageRenderer {
    /// Returns the response to `error` in the format of the request, and logs an unexpected error.
    ///
    /// - Parameter hasFaces: whether a page may show people of the directory, which are read from the store.
    func errorResponse(_ error: any Error, _ context: ErrorContext, hasFaces: Bool = true) -> Response {
        let error = describe(error, context.mark)
        body.removeAll()
        model.removeAll()
        let embedding = context.target.span.queryItem("embed").flatMap(Embedding.init(rawValue:))
        switch context.format {
        case .page, .fragment:
            context.target.withBytes { target in
                ErrorPage(layout(context.language), error, context, embedding, target).render(into: body) { directory in
                    hasFaces ? try? reader.faces(of: directory, count: Layout.facesAroundNobody) : nil
                }
            }
        case .json: writeJSON(error)
        case .stackExchange: body.append(stackExchange: error)
        case .rickAndMorty: body.append(rickAndMorty: error)
        case .text, .vCard, .file, .drawing, .picture: body.append(utf8: error.message + "\n")
        }
        var response = response(error, context, embedding)
        // The server repeats the id of a request that has one.
        if context.mark.id == nil, let id = error.id { response.fields.append("X-Request-Id", id) }
        return response
    }

    /// Returns the error that the client gets. An unexpected error becomes a 503 with an id, which the log line
    /// repeats.
    private func describe(_ error: any Error, _ mark: RequestMark) -> HTTPError {
        if let error = error as? HTTPError { return error }
        let id = site.errors.log(error, of: mark)
        return HTTPError(.serviceUnavailable, .errorUnreadable, retryAfter: 5, id: id)
    }

    private func writeJSON(_ error: HTTPError) {
        var object = ObjectWriter(body)
        object.add("message", string: error.message)
        if let location = error.location { object.add("url", string: location) }
        if let id = error.id { object.add("error_id", string: id) }
        object.add("status") { $0.append(decimal: error.status.rawValue) }
        object.close()
    }

    private func response(_ error: HTTPError, _ context: ErrorContext, _ embedding: Embedding?) -> Response {
        let (format, client) = (context.format, context.client)
        let coding = client.coding(bytes: body.count)
        var fields = Fields()
        fields.append("Content-Type", format.contentType)
        fields.append(coding)
        fields.append("Cache-Control", configuration.cacheControl(error.location == nil ? "no-store" : "no-cache"))
        if let location = error.location { fields.append("Location", location) }
        client.appendVary(to: &fields, isShared: format.isShared, context.language)
        fields.append(context.language)
        fields.append("Retry-After", error.retryAfter)
        let directory = error.person?.linked.directory ?? context.directories.shown
        var traits: PageTraits = format == .page ? [] : .noIndex
        if embedding?.isFrame == true { traits.insert(.framed) }
        appendSecurityFields(format, traits, of: [directory], to: &fields)
        let status = format == .stackExchange ? error.stackExchangeStatus : error.status
        var response = self.response(fields, coding, format, status: status)
        response.route = context.metricIndex
        return response
    }
}

extension HTTPError {
    static let notAcceptable = HTTPError(
        status: .notAcceptable, message: "Accept-Encoding: expected to allow gzip or identity, found both refused")

    /// Whether the same request may succeed later. A request that is itself wrong will fail again.
    var mayPass: Bool { retryAfter != nil || status == .serviceUnavailable }

    /// The message for people. `Not Found` is GitHub's wording, for programs.
    ///
    /// - Parameter hasTitle: whether it stands below a title that says that there is nothing here.
    func explanation(in language: Language, hasTitle: Bool) -> String {
        if location != nil { return language.text(.errorAddressChanged) }
        guard status == .notFound, message == Self.notFound.message else { return self.message(in: language) }
        return language.text(hasTitle ? .errorNotFoundHelp : .errorNotFound)
    }
}
