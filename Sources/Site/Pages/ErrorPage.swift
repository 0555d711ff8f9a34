import Bytes
import Directories
import HTTP
import Mustache

/// An error as a page or a fragment: fills the fields of `error.mustache` and `fragment-error.mustache`.
struct ErrorPage {
    let layout: Layout
    let error: HTTPError
    let context: ErrorContext
    let embedding: Embedding?
    /// The target of the request.
    let target: UnsafeRawBufferPointer
    let frame: Frame<ErrorField>

    private var model: Model { layout.model }

    init(
        _ layout: Layout, _ error: HTTPError, _ context: ErrorContext, _ embedding: Embedding?,
        _ target: UnsafeRawBufferPointer
    ) {
        self.layout = layout
        self.error = error
        self.context = context
        self.embedding = embedding
        self.target = target
        frame = layout.model.makeFrame(ErrorField.self)
    }

    func render(into body: ByteBuffer) {
        layout.setLayout(frame, ErrorField.layout)
        layout.setFile(frame, .pagesStyleHref, "pages.css")
        model.set(frame, .isFramed, flag: embedding?.isFrame == true)
        if context.format == .fragment { setEmbedding() }
        model.set(frame, .documentTitle, "\(error.status.rawValue) \(error.status.reason)")
        model.set(frame, .description, error.message)
        model.set(frame, .directoryTitle, context.directories.shown.title)
        model.set(frame, .status, decimal: error.status.rawValue)
        model.set(frame, .title, "\(error.status.reason)")
        model.set(frame, .message, error.explanation)
        if let id = error.id { model.set(frame, .errorID, id) }
        if error.mayPass, target.first == UInt8(ascii: "/"), target.count <= 2000 {
            model.write(frame, .retryHref) { buffer in
                if embedding?.hasAbsoluteLinks == true { buffer.append(utf8: context.origin.text) }
                buffer.append(percentEncodingUnsafe: target)
            }
        }
        let template = context.format == .fragment ? layout.templates.fragmentError : layout.templates.error
        template.render(frame, of: model, into: body)
    }

    /// Sets what the library that loaded the fragment needs to show the error in the place of the users.
    private func setEmbedding() {
        switch embedding {
        case .htmx: model.set(frame, .isHTMX, flag: true)
        case .unpoly: model.set(frame, .isUnpoly, flag: true)
        case .turbo:
            let since = target.queryItem("since")
            model.write(frame, .frameID) { buffer in
                buffer.append(turboFrameID)
                if let since, !since.isEmpty {
                    buffer.append("-")
                    buffer.append(since)
                }
            }
        case .frame, .fittedFrame, .html, nil: break
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the value of a query item of this target, still percent-encoded, or `nil` if there is none.
    func queryItem(_ name: StaticString) -> UnsafeRawBufferPointer? {
        guard let mark = firstIndex(of: UInt8(ascii: "?")) else { return nil }
        var found: UnsafeRawBufferPointer?
        forEachQueryItem(in: UnsafeRawBufferPointer(rebasing: self[(mark + 1)...])) { item, value in
            if item.equals(name) { found = value }
        }
        return found
    }
}
