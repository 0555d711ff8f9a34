import CExpat
import Glibc

/// Receives the elements and the text of an XML document, in the order of the file.
protocol XMLHandler: AnyObject {
    func begin(_ element: XMLName, _ attributes: XMLAttributes) throws
    func end(_ element: XMLName) throws
    func text(_ text: UnsafeRawBufferPointer) throws
}

/// The name of an element or an attribute, whatever its prefix in the file is.
struct XMLName {
    /// The namespace's URI, a line feed and the local name; or the local name alone.
    private let start: UnsafePointer<CChar>
    private let count: Int
    private let localStart: Int

    init(_ name: UnsafePointer<CChar>) {
        start = name
        count = strlen(name)
        var index = count
        while index > 0, name[index - 1] != XMLReader.separator { index -= 1 }
        localStart = index
    }

    /// The name without its namespace.
    var local: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start + localStart, count: count - localStart) }

    /// Whether the name is `local`, in any namespace.
    func `is`(_ local: StaticString) -> Bool {
        local.utf8CodeUnitCount == count - localStart
            && memcmp(start + localStart, local.utf8Start, local.utf8CodeUnitCount) == 0
    }

    /// Whether the name is `local` in the namespace of OpenDocument that is called `space`, such as `table`.
    func `is`(_ space: StaticString, _ local: StaticString) -> Bool { self.is(local) && isIn(space) }

    /// Whether the name is in the namespace of OpenDocument that is called `space`.
    func isIn(_ space: StaticString) -> Bool {
        let prefix: StaticString = "urn:oasis:names:tc:opendocument:xmlns:"
        let end = prefix.utf8CodeUnitCount + space.utf8CodeUnitCount
        return localStart > end && memcmp(start, prefix.utf8Start, prefix.utf8CodeUnitCount) == 0
            && memcmp(start + prefix.utf8CodeUnitCount, space.utf8Start, space.utf8CodeUnitCount) == 0
            && start[end] == CChar(UInt8(ascii: ":"))
    }
}

/// The attributes of an element, valid while it begins.
struct XMLAttributes {
    fileprivate let list: UnsafeMutablePointer<UnsafePointer<CChar>?>

    /// The value of the attribute called `local`, in any namespace.
    subscript(local: StaticString) -> UnsafePointer<CChar>? { value { $0.is(local) } }

    /// The value of an attribute of OpenDocument.
    subscript(space: StaticString, local: StaticString) -> UnsafePointer<CChar>? { value { $0.is(space, local) } }

    func text(_ local: StaticString) -> String? { self[local].map { String(cString: $0) } }

    func text(_ space: StaticString, _ local: StaticString) -> String? {
        self[space, local].map { String(cString: $0) }
    }

    func number(_ local: StaticString) -> Int? { self[local].flatMap(XMLAttributes.number) }

    func number(_ space: StaticString, _ local: StaticString) -> Int? {
        self[space, local].flatMap(XMLAttributes.number)
    }

    /// LibreOffice writes `false` where Excel leaves the attribute out.
    func isTrue(_ local: StaticString) -> Bool {
        text(local).map { $0 == "1" || $0.lowercased() == "true" } ?? false
    }

    /// Returns `nil` unless the text is a number of at most nine digits.
    static func number(_ text: UnsafePointer<CChar>) -> Int? {
        var number = 0
        var index = 0
        while text[index] != 0 {
            let digit = Int(text[index]) - 48
            guard index < 9, (0...9).contains(digit) else { return nil }
            number = number * 10 + digit
            index += 1
        }
        return index > 0 ? number : nil
    }

    private func value(_ isWanted: (XMLName) -> Bool) -> UnsafePointer<CChar>? {
        var index = 0
        while let name = list[index] {
            if isWanted(XMLName(name)) { return list[index + 1] }
            index += 2
        }
        return nil
    }
}

/// Reads XML with expat. Workbooks have no document type, so one is refused: with it go entities that expand, and
/// entities in other files.
final class XMLReader {
    static let separator = CChar(UInt8(ascii: "\n"))

    private let parser: XML_Parser
    private let handler: any XMLHandler
    private let part: String
    private var depth = 0
    private var failure: (any Error)?

    init(part: String, handler: any XMLHandler) throws {
        guard let parser = XML_ParserCreateNS(nil, Self.separator) else {
            throw WorkbookError.refused("there is not enough memory")
        }
        (self.parser, self.handler, self.part) = (parser, handler, part)
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { reader, name, attributes in
                guard let name, let attributes else { return }
                XMLReader.of(reader) { reader in
                    reader.depth += 1
                    if reader.depth > WorkbookLimits.depth {
                        throw WorkbookError.refused("\(reader.part) has more than 256 elements within each other")
                    }
                    try reader.handler.begin(XMLName(name), XMLAttributes(list: attributes))
                }
            },
            { reader, name in
                guard let name else { return }
                XMLReader.of(reader) { reader in
                    reader.depth -= 1
                    try reader.handler.end(XMLName(name))
                }
            })
        XML_SetCharacterDataHandler(parser) { reader, text, count in
            XMLReader.of(reader) { try $0.handler.text(UnsafeRawBufferPointer(start: text, count: Int(count))) }
        }
        XML_SetStartDoctypeDeclHandler(parser) { reader, _, _, _, _ in
            XMLReader.of(reader) { reader in
                throw WorkbookError.refused("\(reader.part) has a DTD, which workbooks do not have")
            }
        }
    }

    deinit { XML_ParserFree(parser) }

    /// Calls `body` with the reader that expat passes through, and stops expat if it throws.
    private static func of(_ pointer: UnsafeMutableRawPointer?, _ body: (XMLReader) throws -> Void) {
        guard let pointer else { return }
        let reader = Unmanaged<XMLReader>.fromOpaque(pointer).takeUnretainedValue()
        // A stopped parser may still report the end of an empty element.
        if reader.failure != nil { return }
        do { try body(reader) } catch {
            reader.failure = error
            XML_StopParser(reader.parser, 0)
        }
    }

    /// Reads the next bytes; none are the end.
    func read(_ bytes: UnsafeRawBufferPointer) throws {
        let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        let status = XML_Parse(parser, text, Int32(bytes.count), bytes.isEmpty ? 1 : 0)
        if let failure { throw failure }
        guard status == XML_STATUS_OK else {
            let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "not XML"
            throw WorkbookError.damaged(part: part, "line \(XML_GetCurrentLineNumber(parser)): \(reason)")
        }
    }
}
