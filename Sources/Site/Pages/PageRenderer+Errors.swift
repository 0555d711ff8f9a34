import Bytes
import Directories
import HTTP
import JSON
import Logging
import Mustache

/// Errors, in the form of what was asked for. The one place where an error becomes a response.
extension PageRenderer {
    func errorResponse(_ error: any Error, _ context: ErrorContext) -> Response {
        let failure = describe(error, context.requestID)
        let form = context.format
        body.removeAll()
        model.removeAll()
        switch form {
        case .page, .fragment:
            context.target.withUnsafeBytes { render(failure, form, $0, context.origin, context.directories) }
        case .json: writeJSON(failure)
        case .stackExchange: writeStackExchange(failure)
        case .rickAndMorty: writeRickAndMorty(failure)
        case .text: body.append(utf8: failure.message + "\n")
        }
        let embedding = context.target.withUnsafeBytes { Embedding(target: $0) }
        var response = response(failure, form, context.client, isFramed: embedding?.isFrame == true)
        response.route = context.metricIndex
        // Of a request that came with an id, the server repeats that.
        if context.requestID == nil, let id = failure.id { response.fields.append("X-Request-Id", id) }
        return response
    }

    /// What the visitor is told. Of an error that nobody expected that is a number, which the log line repeats.
    private func describe(_ error: any Error, _ requestID: String?) -> HTTPError {
        if let failure = error as? HTTPError { return failure }
        let id = String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16)
        var metadata: Logger.Metadata = ["error-id": "\(id)"]
        if let requestID { metadata["request-id"] = "\(requestID)" }
        site.logger.error("\("\(error)".printable)", metadata: metadata)
        return HTTPError(
            status: .serviceUnavailable,
            message: "The directory cannot be read at the moment. Please try again in a while.",
            retryAfter: 5, id: id)
    }

    private func render(
        _ failure: HTTPError, _ form: ResponseFormat, _ target: UnsafeRawBufferPointer, _ origin: LinkOrigin,
        _ directories: DirectoryList
    ) {
        let frame = model.makeFrame(ErrorField.self)
        let embedding = Embedding(target: target)
        setLayout(frame, ErrorField.chrome)
        setFile(frame, .pagesStyleHref, "pages.css")
        model.set(frame, .isFramed, flag: embedding?.isFrame == true)
        if form == .fragment { setEmbedding(frame, embedding, target) }
        model.set(frame, .documentTitle, "\(failure.status.rawValue) \(failure.status.reason)")
        model.set(frame, .description, failure.message)
        model.set(frame, .directoryTitle, directories.shown.title)
        model.set(frame, .status, decimal: failure.status.rawValue)
        model.set(frame, .title, "\(failure.status.reason)")
        model.set(frame, .message, failure.explanation)
        if let id = failure.id { model.set(frame, .errorID, id) }
        if failure.mayPass, target.first == UInt8(ascii: "/"), target.count <= 2000 {
            model.write(frame, .retryHref) { buffer in
                if embedding?.hasAbsoluteLinks == true { buffer.append(utf8: origin.text) }
                buffer.append(percentEncodingUnsafe: target)
            }
        }
        let template = form == .fragment ? site.templates.fragmentError : site.templates.error
        template.render(frame, of: model, into: body)
    }

    private func writeJSON(_ failure: HTTPError) {
        body.append("{\"message\":")
        body.append(jsonString: failure.message)
        if let id = failure.id {
            body.append(",\"error_id\":")
            body.append(jsonString: id)
        }
        body.append(",\"status\":\"")
        body.append(decimal: failure.status.rawValue)
        body.append("\"}")
    }

    private func response(_ failure: HTTPError, _ form: ResponseFormat, _ client: ClientContext, isFramed: Bool) -> Response {
        let coding = client.coding(bytes: body.count)
        var fields = Fields()
        fields.append("Content-Type", form.contentType)
        if coding == .gzip { fields.append("Content-Encoding", "gzip") }
        fields.append("Cache-Control", "no-store")
        client.appendVary(to: &fields, isShared: form.isShared)
        if let seconds = failure.retryAfter { fields.append("Retry-After", seconds) }
        if form.isShared { client.appendCrossOriginFields(to: &fields) }
        appendSafetyFields(form, isIndexed: form == .page, isFramed: isFramed, to: &fields)
        let status = form == .stackExchange ? failure.stackExchangeStatus : failure.status
        return self.response(fields, coding, form, status: status)
    }
}

extension HTTPError {
    static let notAcceptable = HTTPError(
        status: .notAcceptable, message: "Accept-Encoding: expected to allow gzip or identity, found both refused")

    /// Whether the same request may succeed later. A request that is itself wrong will fail again.
    var mayPass: Bool { retryAfter != nil || status == .serviceUnavailable }

    /// The message for people; `Not Found` is GitHub's wording, for programs.
    var explanation: String { self == .notFound ? "There is nothing here by that address." : message }
}

extension ByteBuffer {
    /// Appends a target as it came, with what may not stand in a URL percent-encoded: bytes outside ASCII and quotes.
    ///
    /// Two slashes at the start would name another host; one is left.
    func append(percentEncodingUnsafe target: UnsafeRawBufferPointer) {
        append("/")
        for byte in target.drop(while: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) {
            switch byte {
            case 0x21...0x7e where byte != 0x22 && byte != 0x3c && byte != 0x3e && byte != 0x5c: append(byte)
            default: withUnsafeBytes(of: byte) { append(percentEncoding: $0) }
            }
        }
    }
}
