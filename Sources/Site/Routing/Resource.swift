import Base
import People
import Server

/// A request for something that is rendered from the store and kept in the ``ResponseCache``: its parameters, checked.
///
/// Each conforming type says what its bytes depend on. From that, ``RenderTask`` makes the cache key. If the cache has
/// no response, the ``PageRenderer`` calls ``read(_:from:)`` and then ``write(_:_:with:fields:)``.
///
/// For example, with its properties left out:
///
/// ```swift
/// struct KeysRequest: Resource {
///     func appendURL(to buffer: ByteBuffer) { buffer.append("/keys") }
///     func write(_ directory: Directory, _ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) { … }
/// }
/// ```
protocol Resource: Sendable {
    /// The data that the store has for it.
    associatedtype Content: StoredContent

    var linked: LinkedDirectory { get }
    /// The search that chooses the people; `nil` without one.
    var search: Search? { get }
    /// Whether rendering may take longer than the tens of microseconds that an event loop can spare, as searches do.
    var isSlow: Bool { get }
    /// What the bytes depend on of all directories: ``DirectoryList/choices``, or ``DirectoryList/people``; `nil` for
    /// nothing.
    func state(of directories: DirectoryList) -> UInt64?
    /// Whether the bytes depend on the scheme and host of the request. Only such a resource gets an origin to render
    /// links with. Decided by the kind of resource, never by the values in a request.
    var hasAbsoluteLinks: Bool { get }
    var traits: PageTraits { get }
    /// The language of the interface; `nil` if no text of it is in the bytes.
    var language: LanguageChoice? { get }

    /// Appends the canonical URL below the base path. Two requests get the same bytes if their URLs are equal (and
    /// their directory, client variant and origin), so the URL contains every parameter that the bytes depend on.
    func appendURL(to buffer: ByteBuffer)

    /// Reads everything that the bytes depend on. Throws an ``HTTPError``, or an error of the store.
    func read(_ task: RenderTask, from reader: SiteReader) throws -> Content

    /// Writes what was read into the renderer's body, and header fields that only this resource has. Reads nothing.
    func write(_ content: Content, _ task: RenderTask, with renderer: PageRenderer, fields: inout Fields) throws
}

/// Facts about a page for search engines, browsers and caches.
struct PageTraits: OptionSet, Sendable {
    let rawValue: UInt8

    /// Search engines leave the page out: every user on it is on other pages, too, or it is not for them.
    static let noIndex = PageTraits(rawValue: 1)
    /// This is a document in a frame of another page.
    static let framed = PageTraits(rawValue: 2)
    /// The page shows pages of this site in frames.
    static let frames = PageTraits(rawValue: 4)
    /// This is a page of people, or of one. Unless the reader saves data, browsers fetch some of its pictures at once,
    /// and pages of people whose names the reader rests on.
    static let people = PageTraits(rawValue: 8)
    /// This is the page that a list begins with, which most readers see first.
    static let home = PageTraits(rawValue: 16)
}

/// The data that the store has for a ``Resource``.
protocol StoredContent {
    /// The directory as the store has it now.
    var directory: Directory { get }
}

/// A value, and the directory as it was when the value was read.
struct Stored<Value>: StoredContent {
    let directory: Directory
    let value: Value
}

extension Page: StoredContent {}

extension Directory: StoredContent {
    var directory: Directory { self }
}

/// Resources that need nothing but what is known about their directory.
extension Resource where Content == Directory {
    func read(_ task: RenderTask, from reader: SiteReader) -> Directory { directory }
}

extension Resource {
    var directory: Directory { linked.directory }
    var search: Search? { nil }
    var isSlow: Bool { search != nil }
    func state(of directories: DirectoryList) -> UInt64? { nil }
    var hasAbsoluteLinks: Bool { false }
    var traits: PageTraits { [] }
    var language: LanguageChoice? { nil }
}

/// A resource about a list of people.
protocol ListResource: Resource {
    var list: PageRequest { get }
}

extension ListResource {
    var linked: LinkedDirectory { list.linked }
    var search: Search? { list.search }
}
