import Base

/// Receives what is in an element of an XML document, in the order of the file.
protocol XMLHandler: AnyObject {
    /// Whether elements in other namespaces than that of the first one are left out.
    static var leavesOutOthers: Bool { get }
    /// Begins an element. Returns the handler of what is in it, if that is another one.
    func begin(_ element: XMLName, _ attributes: XMLAttributes) throws -> (any XMLHandler)?
    /// Ends an element that this handler has begun.
    func end(_ element: XMLName) throws
    func text(_ text: UnsafeRawBufferPointer) throws
}

extension XMLHandler {
    static var leavesOutOthers: Bool { true }
    func begin(_ element: XMLName, _ attributes: XMLAttributes) -> (any XMLHandler)? { nil }
    func end(_ element: XMLName) {}
    func text(_ text: UnsafeRawBufferPointer) {}
}

/// Takes no notice of what is in an element.
final class IgnoredXML: XMLHandler, Sendable {
    static let shared = IgnoredXML()
}

extension ByteBuffer {
    /// Appends a part of the text of a cell: of one that is too long, only so much as shows that.
    func append(ofCell text: UnsafeRawBufferPointer) {
        append(UnsafeRawBufferPointer(rebasing: text.prefix(max(0, WorkbookLimits.cellBytes + 1 - count))))
    }
}

/// Collects the text in elements that hold nothing else.
final class XMLText: XMLHandler {
    let buffer = ByteBuffer(capacity: 256)

    func text(_ text: UnsafeRawBufferPointer) { buffer.append(ofCell: text) }
}
