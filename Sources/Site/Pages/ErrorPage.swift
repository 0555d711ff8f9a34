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
    private var directory: Directory { error.person?.directory ?? context.directories.shown }
    private var isDefaultDirectory: Bool { error.person?.isDefaultDirectory ?? true }

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

    /// - Parameter readFaces: returns a few people of a directory, or `nil` if they cannot be read.
    func render(into body: ByteBuffer, readFaces: (Directory) -> UserRows?) {
        layout.setLayout(frame, ErrorField.layout, directory: isDefaultDirectory ? nil : directory)
        layout.setFile(frame, .pagesStyleHref, "pages.css")
        layout.setBrand(frame, .brandHref, directory, isDefault: isDefaultDirectory)
        model.set(frame, .isFramed, flag: embedding?.isFrame == true)
        if context.format == .fragment { setEmbedding() }
        model.set(frame, .documentTitle, "\(error.person?.asked ?? title) · \(directory.title)")
        model.set(frame, .description, error.message(in: layout.language))
        model.set(frame, .directoryTitle, directory.title)
        model.set(frame, .status, decimal: error.status.rawValue)
        model.set(frame, .title, title)
        model.set(frame, .message, error.explanation(in: layout.language, hasTitle: context.format == .page))
        if let id = error.id { model.set(frame, .errorID, id) }
        if error.mayPass, target.first == UInt8(ascii: "/"), target.count <= 2000 {
            model.write(frame, .retryHref) { buffer in
                if embedding?.hasAbsoluteLinks == true { buffer.append(utf8: context.origin.text) }
                buffer.append(percentEncodingUnsafe: target)
            }
        }
        if context.format == .page {
            layout.setBar(
                frame, ErrorField.bar, directory, isDefault: isDefaultDirectory, q: error.person?.asked ?? "")
            if context.directories.all.count > 1 {
                model.write(frame, .directoriesHref) { buffer in
                    buffer.append(utf8: layout.configuration.basePath)
                    buffer.append("/directories")
                    var query = QueryWriter(buffer)
                    query.add(language: layout.linkLanguage)
                }
            }
            setFaces(readFaces)
            setPerson()
        }
        let template = context.format == .fragment ? layout.templates.fragmentError : layout.templates.error
        template.render(frame, of: model, into: body)
    }

    private var title: String {
        let language = layout.language
        if error.isOfServer { return language.text(.errorOurFault) }
        switch error.status {
        case .notFound: return language.text(.errorNothingHere)
        case .badRequest: return language.text(.errorBadAddress)
        default: return "\(error.status.reason)"
        }
    }

    // MARK: People

    /// Sets people of the directory, unless it is what cannot be read.
    private func setFaces(_ read: (Directory) -> UserRows?) {
        guard !error.isOfServer, embedding?.isFrame != true, let users = read(directory) else { return }
        layout.setFacesAroundNobody(frame, .hasFaces, .faces, .moreFaces, users, of: directory)
    }

    /// Sets the name that was asked for, and a link to the nearest one.
    private func setPerson() {
        if directory.total > 1 { model.set(frame, .total, number: directory.total, layout.language) }
        guard let person = error.person else { return }
        model.set(frame, .asked, person.asked)
        guard let nearest = person.nearest else { return }
        let face = model.makeList(frame, .nearest, of: FaceField.self, count: 1)[0]
        model.set(face, .name, nearest.name)
        model.write(face, .href) { buffer in
            var login = nearest.login
            login.withUTF8 { bytes in
                buffer.append(
                    userPathOf: UnsafeRawBufferPointer(bytes), below: layout.configuration.basePath,
                    directory: directory, isDefault: isDefaultDirectory)
            }
        }
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

extension HTTPError {
    /// Whether the server failed, and not the request.
    var isOfServer: Bool { status.rawValue >= 500 }
}

extension UnsafeRawBufferPointer {
    /// Returns the value of a query item of this target, still percent-encoded, or `nil` if it has no such item.
    func queryItem(_ name: StaticString) -> UnsafeRawBufferPointer? {
        guard let mark = firstIndex(of: UInt8(ascii: "?")) else { return nil }
        var found: UnsafeRawBufferPointer?
        forEachQueryItem(in: UnsafeRawBufferPointer(rebasing: self[(mark + 1)...])) { item, value in
            if item.equals(name) { found = value }
        }
        return found
    }
}
