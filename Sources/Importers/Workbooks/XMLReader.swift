import Base
import CExpat
import Glibc

/// The name of an element or an attribute, whatever its prefix in the file is.
struct XMLName {
    /// The namespace's URI, a line feed and the local name; or that name alone.
    private let start: UnsafePointer<CChar>
    private let count: Int
    fileprivate let localStart: Int

    init(_ name: UnsafePointer<CChar>) {
        let end = strrchr(name, Int32(XMLReader.separator)).map { UnsafePointer($0) + 1 }
        self.init(name, localStart: end.map { $0 - name } ?? 0)
    }

    fileprivate init(_ name: UnsafePointer<CChar>, localStart: Int) {
        (start, self.localStart) = (name, localStart)
        count = localStart + strlen(name + localStart)
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

    /// Lets a `switch` tell elements by their names, in any namespace.
    static func ~= (local: StaticString, name: XMLName) -> Bool { name.is(local) }

    /// Whether the name is in the namespace of OpenDocument that is called `space`.
    func isIn(_ space: StaticString) -> Bool {
        let prefix: StaticString = "urn:oasis:names:tc:opendocument:xmlns:"
        let end = prefix.utf8CodeUnitCount + space.utf8CodeUnitCount
        return localStart > end && memcmp(start, prefix.utf8Start, prefix.utf8CodeUnitCount) == 0
            && memcmp(start + prefix.utf8CodeUnitCount, space.utf8Start, space.utf8CodeUnitCount) == 0
            && start[end] == XMLReader.colon
    }
}

/// The name or the value of an attribute.
extension UnsafePointer<CChar> {
    var text: String { String(cString: self) }
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: self, count: strlen(self)) }

    /// The number at the beginning, with or without a point; 0 without one.
    var decimal: Double { strtod(self, nil) }

    /// A number of at most nine digits.
    var number: Int? { Int(decimalDigits: bytes).flatMap { $0 < 1_000_000_000 ? $0 : nil } }

    /// Lets a `switch` tell names and values of attributes.
    static func ~= (text: StaticString, value: Self) -> Bool {
        strcmp(UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self), value) == 0
    }
}

/// The attributes of an element, valid while it begins.
struct XMLAttributes {
    fileprivate let list: UnsafeMutablePointer<UnsafePointer<CChar>?>

    /// The value of the attribute called `local`, in any namespace.
    subscript(local: StaticString) -> UnsafePointer<CChar>? { value { $0.is(local) } }

    /// The value of an attribute of OpenDocument.
    subscript(space: StaticString, local: StaticString) -> UnsafePointer<CChar>? { value { $0.is(space, local) } }

    /// Calls `body` with each attribute's name, as it is in the file, and its value.
    func forEach(_ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Void) {
        var index = 0
        while let name = list[index], let value = list[index + 1] {
            body(name, value)
            index += 2
        }
    }

    /// LibreOffice writes `false` where Excel leaves the attribute out.
    func isTrue(_ local: StaticString) -> Bool {
        self[local].map { ["1", "true"].contains($0.text.lowercased()) } ?? false
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
    fileprivate static let colon = CChar(UInt8(ascii: ":"))

    /// The state of the functions that expat calls. Behind a pointer, because expat calls them for every cell.
    private struct State {
        let parser: XML_Parser?
        let part: String
        /// The handler of what is in the innermost elements, the number of elements around that, and the handlers
        /// around it.
        var handler: any XMLHandler
        var level = 0
        var outer: [(handler: any XMLHandler, level: Int)] = []
        /// Whether only elements in the namespace of the first one count, and that namespace with what follows it.
        let leavesOutOthers: Bool
        var space: [CChar]?
        /// The number of elements that have begun.
        var depth = 0
        var failure: (any Error)?
        /// The bytes that expat was given, and those that it is done with.
        var given: Int64 = 0
        var done: Int64 = 0

        /// Returns the name of an element; `nil` for one of an extension, which may be called as one of the document.
        mutating func element(_ name: UnsafePointer<CChar>) -> XMLName? {
            guard leavesOutOthers else { return XMLName(name) }
            guard let space else {
                let first = XMLName(name)
                space = Array(UnsafeBufferPointer(start: name, count: first.localStart))
                return first
            }
            let isOwn = space.isEmpty ? XMLName(name).localStart == 0 : strncmp(name, space, space.count) == 0
            return isOwn ? XMLName(name, localStart: space.count) : nil
        }

        mutating func begin(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) throws {
            depth += 1
            try WorkbookLimits.require(
                depth <= WorkbookLimits.depth, "\(part) has more than 256 elements within each other")
            guard let element = element(name), let inner = try handler.begin(element, attributes) else { return }
            outer.append((handler, level))
            (handler, level) = (inner, depth)
        }

        mutating func end(_ name: UnsafePointer<CChar>) throws {
            if level == depth { (handler, level) = outer.removeLast() }
            depth -= 1
            if let element = element(name) { try handler.end(element) }
        }

        /// Calls `body` with the state that expat passes on, and stops expat if it throws.
        static func run(_ pointer: UnsafeMutableRawPointer?, _ body: (inout State) throws -> Void) {
            // A stopped parser may still report the end of an empty element.
            guard let state = pointer?.assumingMemoryBound(to: State.self), state.pointee.failure == nil else { return }
            do { try body(&state.pointee) } catch {
                state.pointee.failure = error
                XML_StopParser(state.pointee.parser, 0)
            }
        }
    }

    private let state: UnsafeMutablePointer<State>

    init<Handler: XMLHandler>(part: String, handler: Handler) {
        // Without memory for a parser, it is `nil`, which expat takes for one that cannot read.
        let parser = XML_ParserCreateNS(nil, Self.separator)
        state = .allocate(capacity: 1)
        state.initialize(
            to: State(
                parser: parser, part: part, handler: handler, leavesOutOthers: Handler.leavesOutOthers))
        XML_SetUserData(parser, state)
        XML_SetElementHandler(
            parser,
            { state, name, attributes in
                guard let name, let attributes else { return }
                State.run(state) { try $0.begin(name, XMLAttributes(list: attributes)) }
            },
            { state, name in
                guard let name else { return }
                State.run(state) { try $0.end(name) }
            })
        XML_SetCharacterDataHandler(parser) { state, text, count in
            State.run(state) { try $0.handler.text(UnsafeRawBufferPointer(start: text, count: Int(count))) }
        }
        XML_SetStartDoctypeDeclHandler(parser) { state, _, _, _, _ in
            State.run(state) { throw WorkbookError.refused("\($0.part) has a DTD, which workbooks do not have") }
        }
    }

    deinit {
        XML_ParserFree(state.pointee.parser)
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Reads the next bytes; none are the end.
    func read(_ bytes: UnsafeRawBufferPointer) throws {
        let parser = state.pointee.parser
        let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        let status = XML_Parse(parser, text, Int32(bytes.count), bytes.isEmpty ? 1 : 0)
        if let failure = state.pointee.failure { throw failure }
        state.pointee.given += Int64(bytes.count)
        // No index is known before the first token, and whenever expat moves what it keeps.
        state.pointee.done = max(state.pointee.done, Int64(XML_GetCurrentByteIndex(parser)))
        // Some versions of expat read all of an incomplete token again with each piece.
        let kept = state.pointee.given - state.pointee.done - Int64(bytes.count)
        try WorkbookLimits.require(token: kept, in: state.pointee.part)
        guard status == XML_STATUS_OK else {
            let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "not XML"
            throw WorkbookError.damaged(
                part: state.pointee.part, "line \(XML_GetCurrentLineNumber(parser)): \(reason)")
        }
    }
}
