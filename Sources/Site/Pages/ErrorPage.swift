import Base
import People
import Server
import Template

/// An error as a page or a fragment: fills the fields of `error.mustache` and `fragment-error.mustache`.
struct ErrorPage: ~Copyable, ~Escapable {
    let layout: Layout
    let error: HTTPError
    let context: ErrorContext
    let embedding: Embedding?
    /// That of the request.
    let target: Bytes
    private let template: Template
    private let document: Frame<DocumentField>
    private let frame: Frame<ErrorField>

    private var model: Model { layout.model }
    private let linked: LinkedDirectory
    private var directory: Directory { linked.directory }

    @_lifetime(copy target)
    init(_ layout: Layout, _ error: HTTPError, _ context: ErrorContext, _ embedding: Embedding?, _ target: Bytes) {
        self.layout = layout
        self.error = error
        self.context = context
        self.embedding = embedding
        self.target = target
        linked = error.person?.linked ?? context.directories.linked(context.directories.shown)
        template = context.format == .fragment ? layout.templates.fragmentError : layout.templates.error
        document = layout.makeDocument(for: template, about: linked)
        frame = layout.model.makeFrame(ErrorField.self, for: template)
    }

    /// - Parameter readFaces: returns a few people of a directory, or `nil` if they cannot be read.
    func render(into body: ByteBuffer, readFaces: (Directory) -> UserRows?) {
        model.set(document, .isFramed, flag: embedding?.isFrame == true)
        if context.format == .fragment { setEmbedding() }
        model.set(document, .documentTitle, "\(error.person?.asked ?? title) · \(directory.title)")
        model.set(document, .description, error.message(in: layout.language))
        model.set(document, .q, ifAny: error.person?.asked)
        layout.setDirectoriesLink(document, context.directories)
        model.set(frame, .status, decimal: error.status.rawValue)
        model.set(frame, .title, title)
        model.set(frame, .message, error.explanation(in: layout.language, hasTitle: context.format == .page))
        model.set(frame, .errorID, ifAny: error.id)
        if error.mayPass, target.isLinkableTarget {
            model.write(frame, .retryHref) { buffer in
                if embedding?.hasAbsoluteLinks == true { buffer.append(utf8: context.origin.text) }
                buffer.append(percentEncodingUnsafe: target)
            }
        }
        setFaces(readFaces)
        setPerson()
        setMisspelled()
        template.render(frame, within: document, of: model, into: body)
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
        guard model.shows(frame, .hasFaces), !error.isOfServer, embedding?.isFrame != true,
            let users = read(directory)
        else { return }
        layout.setFacesAroundNobody(frame, .hasFaces, .faces, .moreFaces, users, of: directory)
    }

    /// Sets the name that was asked for, and a link to the nearest one.
    private func setPerson() {
        if directory.total > 1 { model.set(frame, .total, number: directory.total, layout.language) }
        guard let person = error.person else { return }
        model.set(frame, .asked, person.asked)
        guard let nearest = person.nearest else { return }
        setNearest(nearest.name) { buffer in
            nearest.login.withUTF8Bytes { login in
                _ = buffer.append(userPathOf: login, below: layout.configuration.basePath, in: linked)
            }
        }
    }

    /// Sets links to the list with the filter's right name, and without it.
    private func setMisspelled() {
        guard let misspelled = error.misspelled else { return }
        setNearest(misspelled.nearest) { $0.append(target: target, naming: misspelled.name, misspelled.nearest) }
        model.set(frame, .unknownName, misspelled.name.excerpt)
        model.write(frame, .withoutHref) { $0.append(target: target, naming: misspelled.name, nil) }
    }

    /// Sets the name that is nearest to what was asked for, with a link.
    private func setNearest(_ name: String, _ writeAddress: (ByteBuffer) -> Void) {
        model.setList(frame, .nearest, of: FaceField.self, [name]) { face, name in
            model.set(face, .name, name)
            model.write(face, .href, writeAddress)
        }
    }

    /// Sets what the library that loaded the fragment needs to show the error in the place of the users.
    private func setEmbedding() {
        switch embedding {
        case .htmx: model.set(frame, .isHTMX, flag: true)
        case .unpoly: model.set(frame, .isUnpoly, flag: true)
        case .turbo:
            let since = target.queryItem("since") ?? ""
            model.set(frame, .frameID, since.isEmpty ? "\(turboFrameID)" : "\(turboFrameID)-\(since)")
        case .frame, .fittedFrame, .html, nil: break
        }
    }
}

/// `error.mustache` and `fragment-error.mustache`.
enum ErrorField: Int, TemplateField {
    /// People of the directory, two before and two after the one who is missing: lists, empty if they cannot be read.
    case hasFaces, faces, moreFaces
    /// The name that was asked for in vain; empty unless the address is a person's. And the person with the nearest
    /// name.
    case asked, nearest
    /// The number of people for people; empty if it is not known.
    case total
    /// `404`
    case status
    /// `Not Found`, for people: `There is no such page.`
    case title
    case message
    /// The same request, if it may succeed later; empty if the request itself is wrong.
    case retryHref
    /// The id of an unexpected error, which its log line repeats; else empty.
    case errorID
    /// The parameter that is nearly the name of a filter, which is the nearest: the list without it.
    case unknownName, withoutHref
    /// The library that requested the fragment: the id of its `<turbo-frame>`, or a flag.
    case frameID, isHTMX, isUnpoly

    static let kinds = FieldKinds<Self>(
        flags: [.hasFaces, .isHTMX, .isUnpoly], numbers: [.total], urls: [.retryHref, .withoutHref],
        lists: [.faces: FaceField.self, .moreFaces: FaceField.self, .nearest: FaceField.self])
}

extension HTTPError {
    /// Whether the server failed, and not the request.
    var isOfServer: Bool { status.rawValue >= 500 }
}
